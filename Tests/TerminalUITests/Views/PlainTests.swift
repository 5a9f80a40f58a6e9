import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of plain mode, for screen readers and logs: words instead of symbols, and a line that
/// announces changes.
@MainActor
@Suite struct PlainTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<String>()

  private func stage(_ height: Int = 6, @ViewBuilder _ view: @escaping () -> some View) -> Stage {
    let stage = Stage(40, height, runtime: runtime, view)
    stage.host.environment.isPlain = true
    stage.host.environment.describeError = { _ in ErrorDescription(what: "Asleep.") }
    stage.settle()
    return stage
  }

  @Test func `each state of a load is announced once, by name`() {
    let resource = runtime.resource(loads.loader)
    let stage = stage { AsyncContentView(resource) { Text($0) }.accessibilityLabel("Articles") }
    #expect(stage.text == "\n\n\n\n\n")
    stage.advance(by: .milliseconds(200))
    #expect(stage.text.hasSuffix("\nArticles: loading."))
    #expect(stage.frame.nextChange == nil)
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text.hasSuffix("\nArticles: failed. Asleep."))
    stage.press("r")
    loads[1].succeed("here")
    stage.settle()
    #expect(stage.text == "here\n\n\n\n\nArticles: loaded.")
    stage.advance(by: .seconds(5))
    #expect(stage.text == "here\n\n\n\n\nArticles: loaded.")
  }

  @Test func `while a load waits for its next attempt it says why, and where the focus is`() {
    let backoff = Backoff(base: .seconds(3), random: { 1 })
    let resource = runtime.resource(loads.loader.retrying(limit: 2, backoff: backoff))
    let stage = stage { AsyncContentView(resource) { Text($0) } }
    stage.advance(by: .milliseconds(200))
    #expect(stage.text.hasSuffix("\nContent: loading."))
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text.hasSuffix("\nContent: failed. Asleep."))
    #expect(stage.frame.cursor == Point(x: 0, y: 0))
    stage.advance(by: .seconds(3))
    #expect(stage.text.hasSuffix("\nContent: loading."))
    loads.end()
    stage.settle()
  }

  @Test func `an announcement that does not fit ends with the sign that it was cut`() {
    let stage = stage(3) { Text("x").announced(String(repeating: "word ", count: 20)) }
    #expect(stage.lines.last?.hasSuffix("word…") == true)
  }

  @Test func `a placeholder is a word too`() {
    let resource = runtime.resource(loads.loader)
    let stage = stage(3) { AsyncContentView(resource) { Text($0) }.placeholder("sample") }
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "                Loading…\n\nContent: loading.")
    loads.end()
  }

  @Test func `a low screen has no row to spare`() {
    let resource = runtime.resource(initialState: .loaded("one\ntwo"))
    #expect(stage(2) { AsyncContentView(resource) { Text($0) } }.text == "one\ntwo")
  }

  @Test func `nothing is drawn with boxes and lines, and titles stay`() {
    let stage = stage {
      VStack(alignment: .leading) {
        Text("inside").frame(width: 9).border("Title")
        Divider()
      }
    }
    #expect(stage.text == "Title\n inside\n\n\n\n")
  }

  @Test func `a spinner is a word and a bar is a number`() {
    let stage = stage {
      VStack(alignment: .leading) {
        Spinner()
        ProgressView("Saving")
        ProgressView(LoadingProgress(message: "1 of 4", fraction: 0.25))
        ProgressView().accessibilityLabel("Fetching")
      }
    }
    #expect(stage.text == "Loading…\nSaving…\n1 of 4 25 %\nFetching…\n\n")
    #expect(stage.frame.nextChange == nil)
  }

  @Test func `the cursor stands on what has the focus`() {
    struct Item: Identifiable { let id: Int }
    let stage = stage {
      VStack(alignment: .leading) {
        Button("Save") {}
        List((0..<3).map(Item.init)) { Text("row \($0.id)") }
      }
    }
    #expect(stage.frame.cursor == Point(x: 0, y: 0))
    stage.press(.tab, "j")
    #expect(stage.frame.cursor == Point(x: 0, y: 2))
  }

  @Test func `what is beside a sheet is not read as a part of it`() {
    let stage = stage {
      VStack(alignment: .leading) {
        ForEach(0..<6) { Text("line \($0)                 the end") }
      }
      .sheet(isPresented: .constant(true), title: "Keys") { Text("j  down") }
    }
    let lines = stage.text.split(separator: "\n").map(String.init)
    let row = lines.first { $0.contains("j  down") }
    #expect(row?.contains("line") == false, "\(lines)")
  }

  @Test func `what an empty field shows is in brackets, and so no typed text`() {
    let model = Model()
    let stage = stage(3) { TextField("its name", text: Binding(model, \.text)) }
    #expect(stage.text.hasPrefix("(its name)"))
    #expect(stage.frame.cursor == Point(x: 0, y: 0))
    stage.type("Ann")
    #expect(stage.text.hasPrefix("Ann\n"))
  }

  @Test func `a slider may say its value in words`() {
    let stage = stage { Slider("Sogginess", value: .constant(0.5)).accessibilityValue("damp") }
    #expect(stage.text.hasPrefix("Sogginess: damp\n"))
  }

  @Test func `the label of a loaded view does not name what is inside`() {
    let cells = CellBuffer(size: Size(width: 5, height: 2))
    let stage = stage {
      AsyncContentView(Resource<String>(.constant("value"), initialState: .loaded("value"))) { _ in
        VStack(alignment: .leading) {
          Image(cells, label: "A sock")
          ProgressView()
        }
      }
      .accessibilityLabel("Feed").accessibilityValue("all")
    }
    #expect(stage.text.hasPrefix("A sock\nLoading…\n"), "\(stage.text)")
  }
}
