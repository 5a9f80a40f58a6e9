import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

private struct Sock: Sendable, Hashable {
  var name: String
  var sogginess = 0.5
}

/// A loaded value that is changed in the view that shows it.
private struct SockView: View {
  let loader: Loader<Sock>
  let save: @Sendable (ValueAccess<Sock>.Change) async throws -> Void

  var body: some View {
    AsyncContentView(loader: loader, commit: save) { $sock in
      VStack(alignment: .leading) {
        TextField("Name", text: $sock.name)
        Slider("Soggy", value: $sock.sogginess, step: 0.25)
      }
    }
  }
}

@MainActor
@Suite struct LoadedValueExample {
  @Test func `a change shows at once, is stored, and is taken back if that fails`() {
    let saves = ManualCalls<Sock, Void>()
    let stage = Stage(32, 2) {
      SockView(loader: .constant(Sock(name: "Left"))) { try await saves.call($0.value) }
    }
    #expect(stage.text == "Left\nSoggy ━━━━━━━━━━●───────── 50 %")
    stage.press(.tab, .right)
    #expect(stage.text == "Left\nSoggy ━━━━━━━━━━━━━━●───── 75 %")
    saves[0].succeed()
    stage.settle()
    stage.press(.right)
    #expect(stage.text == "Left\nSoggy ━━━━━━━━━━━━━━━━━━━● 100 %")
    saves[1].fail(Broken())
    stage.settle()
    #expect(stage.text == "Left\n✗ Broken(what:…  Ctrl-R to retry")
    #expect(saves.inputs.map(\.sogginess) == [0.75, 1])
  }
}
