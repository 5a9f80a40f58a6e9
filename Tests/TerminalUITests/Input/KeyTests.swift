import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of which binding gets a key that has several.
@MainActor
@Suite struct KeyTests {
  let model = Model()
  let runtime = ManualRuntime()

  @Test func `the innermost focused view gets a key first`() {
    var log: [String] = []
    let stage = Stage(10, 2) {
      VStack {
        Text("a").focusable().onKeyPress("x", label: "inner") { log.append("a") }
        Text("b").focusable()
      }
      .onKeyPress("x", label: "outer") { log.append("around") }
    }
    stage.press("x", .tab, "x")
    #expect(log == ["a", "around"])
    #expect(stage.footer == ["outer"])
  }

  @Test func `of the bindings of one key the footer shows the one that gets it`() {
    let stage = Stage(30, 2) {
      VStack(alignment: .leading) {
        Text("a").focusable().onKeyPress("x", label: "inner") {}
        KeyFooter()
      }
      .onKeyPress("x", "y", label: "outer") {}
    }
    #expect(stage.text == "a\nx inner  y outer")
  }

  @Test func `a binding that is not active gives its key to the one around it`() {
    var count = 0
    let stage = Stage(10, 1) {
      Text("a").focusable().onKeyPress("x", label: "inner", when: false) {}
        .onKeyPress("x", label: "outer") { count += 1 }
    }
    stage.press("x")
    #expect(count == 1)
  }

  private func failed(_ loads: ManualLoads<String>) -> Resource<String> {
    runtime.resource(loads.loader, initialState: .failed(Broken()))
  }

  @Test func `r acts on the focused region alone`() {
    let (one, two) = (ManualLoads<String>(), ManualLoads<String>())
    let (first, second) = (failed(one), failed(two))
    let stage = Stage(40, 10, runtime: runtime) {
      VStack {
        AsyncContentView(first) { Text($0) }
        AsyncContentView(second) { Text($0) }
      }
    }
    stage.press(.tab, "r")
    #expect(one.count == 0)
    #expect(two.count == 1)
    one.end()
    two.end()
  }

  @Test func `r on content whose reload failed acts on it alone`() {
    let (one, two) = (ManualLoads<String>(), ManualLoads<String>())
    let first = runtime.resource(one.loader, initialState: .loaded("first"))
    let second = runtime.resource(two.loader, initialState: .loaded("second"))
    for resource in [first, second] { resource.set(.failed(Broken())) }
    let stage = Stage(40, 10, runtime: runtime) {
      VStack {
        AsyncContentView(first) { Text($0).focusable() }
        AsyncContentView(second) { Text($0).focusable() }
      }
    }
    stage.press("r")
    #expect(one.count == 1)
    #expect(two.count == 0)
  }

  @Test func `r with the focus elsewhere in the pane acts on everything that failed there`() {
    let loads = [ManualLoads<String>(), ManualLoads<String>(), ManualLoads<String>()]
    let resources = loads.map(failed)
    let stage = Stage(40, 24, runtime: runtime) {
      HStack {
        VStack {
          Text("here").focusable()
          AsyncContentView(resources[0]) { Text($0) }
          AsyncContentView(resources[1]) { Text($0) }
        }
        .focusSection()
        AsyncContentView(resources[2]) { Text($0) }.focusSection()
      }
    }
    stage.press("r")
    #expect(loads.map(\.count) == [1, 1, 0])
  }

  @Test func `r retries what failed in the pane before it does what it does without a failure`() {
    let loads = ManualLoads<String>()
    let resource = failed(loads)
    var reloads = 0
    let stage = Stage(40, 10, runtime: runtime) {
      VStack {
        VStack {
          AsyncContentView(resource) { Text($0) }.frame(height: 1)
          Text("here").focusable().defaultFocus()
        }
        .onKeyPress(action: .reload) { reloads += 1 }
        Text("there").focusable()
      }
      .focusSection()
    }
    #expect(stage.text.contains("r to retry"))
    stage.press("r")
    runtime.run()
    #expect(loads.count == 1)
    #expect(reloads == 0)
    loads.latest?.succeed("loaded")
    runtime.run()
    stage.settle()
    stage.press("r")
    #expect(reloads == 1)
    #expect(loads.count == 1)
  }

  @Test func `Esc cancels a visible load and else goes back`() {
    let loads = ManualLoads<String>()
    let resource = runtime.resource(loads.loader)
    let stage = Stage(20, 3, runtime: runtime) { [model] in
      Text("root").focusable()
        .onKeyPress(.enter, label: "open") { model.item = 1 }
        .navigationDestination(item: Binding(model, \.item)) { _ in
          AsyncContentView(resource) { Text($0) }
        }
    }
    stage.press(.enter)
    stage.advance(by: .milliseconds(200))
    stage.press(.escape)
    #expect(loads[0].isCancelled)
    #expect(stage.text.contains("r to load"))
    stage.press(.escape)
    #expect(stage.text == "root\n\n")
  }

  @Test func `Esc goes back while a load runs that does not show yet`() {
    let loads = ManualLoads<String>()
    let resource = runtime.resource(loads.loader)
    let stage = Stage(20, 3, runtime: runtime) { [model] in
      Text("root").focusable()
        .onKeyPress(.enter, label: "open") { model.item = 1 }
        .navigationDestination(item: Binding(model, \.item)) { _ in
          AsyncContentView(resource) { Text($0) }
        }
    }
    stage.press(.enter, .escape)
    #expect(stage.text == "root\n\n")
    #expect(!loads[0].isCancelled)
  }

  @Test func `only the keys of the sheet are in force while it is there`() {
    var count = 0
    let stage = Stage(20, 5) { [model] in
      Text("a").focusable().onKeyPress("x", label: "count") { count += 1 }
        .sheet(isPresented: Binding(model, \.flag), title: "Keys") { Text("inside") }
    }
    stage.press("x")
    #expect(count == 0)
    stage.press("q", "x")
    #expect(count == 1)
  }

  struct Box: Identifiable {
    let id: Int
    let name: String
  }

  @MainActor @Observable
  final class Shelf {
    var box: Box?
  }

  @Test func `a sheet of an item is there as long as the item, and another item has another one`() {
    let shelf = Shelf()
    var count = 0
    let stage = Stage(24, 5) {
      Text("shelf").focusable().onKeyPress("x", label: "count") { count += 1 }
        .sheet(item: Binding(shelf, \.box), title: "Box") { Counter(name: "\($0.name) ") }
    }
    #expect(stage.text == "shelf\n\n\n\n")
    shelf.box = Box(id: 1, name: "one")
    stage.settle()
    stage.press("x")
    #expect(stage.text.contains("one 0"))
    shelf.box = Box(id: 1, name: "first")
    stage.settle()
    #expect(stage.text.contains("first 0"))
    shelf.box = Box(id: 2, name: "two")
    stage.settle()
    #expect(stage.text.contains("two 0"))
    stage.press(.escape)
    #expect(shelf.box == nil)
    #expect(stage.text == "shelf\n\n\n\n")
    stage.press("x")
    #expect(count == 1)
  }
}
