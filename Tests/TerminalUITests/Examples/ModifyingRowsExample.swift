import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

private struct Sock: Sendable, Identifiable {
  let id: Int
  let name: String
}

/// A list whose rows are removed one by one, each with a spinner of its own.
private struct DrawerView: View {
  let drawer: Resource<[Sock]>
  let remove: @Sendable (Int) async throws -> Void
  @State private var selected: Int?

  var body: some View {
    AsyncContentView(drawer) { socks in
      List(socks, selection: $selected) { sock in
        Text(sock.name).strikethrough(drawer.isModifying(sock.id)).modifying(sock.id)
      }
    }
    .empty { Text("The drawer is empty.") }
    .onKeyPress("x", label: "remove") { [drawer, remove, selected] in
      guard let id = selected ?? drawer.latestValue?.first?.id else { return }
      drawer.mutate(
        item: id, field: "removal", timing: .confirmed, apply: { $0.removeAll { $0.id == id } },
        commit: { _ in try await remove(id) })
    }
  }
}

@MainActor
@Suite struct ModifyingRowsExample {
  @Test func `rows go when their removal is stored, and stay when it is not`() {
    let (runtime, server) = (ManualRuntime(), ManualCalls<Int, Void>())
    let drawer = runtime.resource(
      initialState: .loaded([Sock(id: 1, name: "Left"), Sock(id: 2, name: "Right")]))
    let stage = Stage(20, 2, runtime: runtime) {
      DrawerView(drawer: drawer) { try await server.call($0) }
    }
    stage.press("x", "j", "x")
    #expect(stage.text == "Left ⠋\nRight ⠋")
    #expect(stage.frame.cells[0, 0].style.attributes.contains(.strikethrough))
    server[0].succeed()
    server[1].fail(Broken())
    stage.settle()
    #expect(stage.text == "Right\n✗ B… Ctrl-R to retry")
    stage.press("x")
    server[2].succeed()
    stage.settle()
    #expect(stage.text == "The drawer is empty.\n")
  }
}
