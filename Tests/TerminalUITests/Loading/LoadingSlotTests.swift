import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of custom views for the states, in the initialiser and as modifiers.
@MainActor
@Suite struct LoadingSlotTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<[String]>()

  private func texts(_ view: @escaping (Resource<[String]>) -> some View) -> [String] {
    let resource = runtime.resource(loads.loader, startsOnAppear: false)
    let stage = Stage(30, 1, runtime: runtime) { view(resource) }
    var texts = [stage.text]
    stage.press("r")
    stage.advance(by: .milliseconds(200))
    texts.append(stage.text)
    loads[0].fail(Broken())
    stage.settle()
    texts.append(stage.text)
    resource.set(.loaded([]))
    stage.settle()
    texts.append(stage.text)
    resource.set(.loaded(["a", "b"]))
    stage.settle()
    texts.append(stage.text)
    loads.end()
    return texts
  }

  private let expected = ["ask for it", "on its way", "failed 1", "nothing", "a b"]

  @Test func `each slot can be given by a modifier`() {
    let texts = texts { resource in
      AsyncContentView(resource) { values in Text(values.joined(separator: " ")) }
        .idle { _ in Text("ask for it") }
        .loading { _ in Text("on its way") }
        .failure { failure, _ in Text("failed \(failure.failureCount)") }
        .empty { Text("nothing") }
    }
    #expect(texts == expected)
  }

  @Test func `of two modifiers for a slot the last counts`() {
    let texts = texts { resource in
      AsyncContentView(resource) { Text($0.joined()) }
        .failure { _, _ in Text("first") }
        .failure { _, _ in Text("second") }
    }
    #expect(texts[2] == "second")
  }

  @Test func `a slot without anything that can have the focus keeps the focus of its region`() {
    let resource = runtime.resource(loads.loader)
    var (query, presses) = ("", 0)
    let stage = Stage(30, 4, runtime: runtime) {
      VStack {
        TextField("Search", text: Binding(get: { query }, set: { query = $0 }))
        AsyncContentView(resource) { values in List(values, id: \.self) { Text($0) } }
          .loading { _ in Text("on its way") }
          .failure { _, _ in
            Text("broken")
            Text("in two lines")
          }
          .empty { Text("nothing") }
          .onKeyPress("x", label: "count") { presses += 1 }
      }
    }
    stage.press(.tab)
    let states: [(LoadingState<[String]>, shows: String)] = [
      (.failed(Broken()), "in two lines"), (.loaded(["a"]), "a"), (.loaded([]), "nothing"),
      (.loaded(["b"]), "b"),
    ]
    stage.advance(by: .milliseconds(200))
    #expect(stage.text.contains("on its way"))
    stage.press("x")
    for (state, shown) in states {
      resource.set(state)
      stage.settle()
      #expect(stage.text.contains(shown))
      stage.press("x")
    }
    #expect(presses == 5)
    #expect(query == "")
    loads.end()
  }

  @Test func `a slot with a button is no stop by itself`() {
    let resource = runtime.resource(loads.loader, startsOnAppear: false)
    var loadCount = 0
    let stage = Stage(30, 3, runtime: runtime) {
      VStack {
        AsyncContentView(resource) { Text($0.joined()) }
          .idle { _ in Button("Load") { loadCount += 1 } }
        Button("Other") {}
      }
    }
    stage.press(.enter)
    stage.press(.tab, .tab, .enter)
    #expect(loadCount == 2)
  }

  @Test func `each slot has a default`() {
    let texts = texts { resource in
      AsyncContentView(resource) { values in Text("\(values.count) values") }
    }
    #expect(
      texts == [
        "          r to load", "          ⠹ Loading", " ✗ Broken(what: \"… r to retry", "0 values",
        "2 values",
      ])
  }

  @Test func `a slot may leave some of its cases to the default`() {
    let texts = texts { resource in
      AsyncContentView(resource) { Text($0.joined()) }
        .failure { failure, _ in
          if failure.failureCount > 1 { Text("again") }
        }
    }
    #expect(texts[2] == " ✗ Broken(what: \"… r to retry")
  }

  @Test func `a button of one's own starts an idle load and retries a failed one`() {
    let resource = runtime.resource(loads.loader, startsOnAppear: false)
    let stage = Stage(20, 1, runtime: runtime) {
      AsyncContentView(resource) { Text($0.joined()) }
        .idle { load in Button("Load", action: load) }
        .failure { _, retry in
          if let retry { Button("Again", action: retry) }
        }
    }
    #expect(stage.text == "[ Load ]")
    stage.press(.enter)
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text == "[ Again ]")
    stage.press(.enter)
    loads[1].succeed(["done"])
    stage.settle()
    #expect(stage.text == "done")
  }

  @Test func `an indicator of one's own turns in every style`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(["a"]))
    let stage = Stage(20, 2, runtime: runtime) {
      AsyncContentView(resource) { Text($0.joined()) }
        .loadingIndicator { progress in Text("(\(progress?.percent ?? 0))") }
        .loadingViewStyle(afterValue: .horizontal(.trailing))
    }
    resource.load()
    stage.settle()
    loads[0].context.report(fraction: 0.5)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "a (50)\n")
    loads.end()
  }
}
