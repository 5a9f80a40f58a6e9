import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of access to values that have another owner.
@MainActor
@Suite struct BindingTests {
  private let shelf = Shelf()

  @Test func `a setter gets the changed value`() {
    let double = Binding(get: { shelf.number * 2 }, set: { shelf.number = $0 / 2 })
    double.wrappedValue = 10
    #expect(shelf.number == 5)
    double.modify { $0 += 4 }
    #expect(shelf.number == 7)
  }

  @Test func `a row changes its own element, wherever that is now`() {
    let stage = Stage(20, 2) { Names(shelf: shelf) }
    stage.press("x")
    #expect(shelf.items.map(\.name) == ["ax", "b"])
    shelf.items.reverse()
    stage.settle()
    stage.press("y")
    #expect(shelf.items.map(\.name) == ["b", "axy"])
  }

  @Test func `an element that is gone keeps its last value, and cannot be changed`() throws {
    let second = try #require(Binding(shelf, \.items)[id: 2])
    #expect(Binding(shelf, \.items)[id: 9] == nil)
    shelf.items.removeLast()
    second.name.wrappedValue = "c"
    #expect(second.wrappedValue.name == "b")
    #expect(shelf.items == [Item(id: 1, name: "a")])
  }

  @Test func `a change of an element of a loaded value has the element as its item`() throws {
    let runtime = ManualRuntime()
    let resource = Resource(
      initialState: .loaded(shelf.items), clock: runtime.clock.any, scheduler: runtime.scheduler)
    let access = try #require(
      resource.access(throttle: .seconds(1)) { (_: ValueAccess<[Item]>.Change) in })
    let first = try #require(Binding(access)[id: 1])
    first.name.wrappedValue = "z"
    #expect(resource.latestValue?.first?.name == "z")
    #expect(resource.isModifying(1) && !resource.isModifying(2))
    runtime.run()
    #expect(!resource.isModifying(1))
  }

  private struct Reading: View {
    @Environment(Shelf.self) private var shelf
    var body: some View { Text("number \(shelf.number)") }
  }

  @Test func `a view reads the model that was passed to the views around it`() {
    let stage = Stage(10, 1) { Reading().environment(shelf) }
    #expect(stage.text == "number 3")
    shelf.number = 4
    stage.settle()
    #expect(stage.text == "number 4")
  }

  @Test func `text that is bold under a condition can be joined to other text`() {
    let stage = Stage(10, 1) { Text("one").bold(false) + Text("two").bold(true) }
    #expect(stage.style(of: "one")?.attributes == [])
    #expect(stage.style(of: "two")?.attributes == .bold)
  }
}
