import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that a hint such as “r to retry” is shown only while the key works there.
@MainActor
@Suite struct KeyHintTests {
  let runtime = ManualRuntime()
  let model = Model()

  private func failed() -> Resource<String> {
    runtime.resource(ManualLoads<String>().loader, initialState: .failed(Broken()))
  }

  @Test func `the hint of another pane comes with the focus`() {
    let resource = failed()
    let stage = Stage(40, 6, runtime: runtime) {
      HStack {
        Text("list").focusable().focusSection()
        AsyncContentView(resource) { Text($0) }.focusSection()
      }
    }
    #expect(stage.text.contains("asleep"))
    #expect(!stage.text.contains("r to retry"))
    stage.press(.tab)
    #expect(stage.text.contains("r to retry"))
  }
  @Test func `while the hints of a failed reload are not shown, the reason gets their room`() {
    let resource = runtime.resource(ManualLoads<String>().loader, initialState: .loaded("content"))
    let stage = Stage(46, 3, runtime: runtime) {
      HStack {
        Text("list").focusable().focusSection()
        AsyncContentView(resource) { Text($0).frame(maxHeight: .infinity).focusable() }
          .onKeyPress(action: .details, label: "more") {}
          .focusSection()
      }
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(
        what: "4 of 14 feeds failed.", lead: ErrorDescription.Lead(.details, "to see them"))
    }
    resource.set(.failed(Broken()))
    stage.settle()
    for _ in 0..<2 {
      #expect(stage.text.hasSuffix("     ✗ 4 of 14 feeds failed."), "\(stage.text)")
      stage.press(.tab)
      // The key to what failed does not fit beside the reason, and the footer names it as well.
      #expect(
        stage.text.hasSuffix("     ✗ 4 of 14 feeds failed.        r to retry"), "\(stage.text)")
      stage.press(.tab)
    }
  }

  @Test func `a failed reload that is redacted gives the room of its hints to the reason`() {
    let resource = runtime.resource(ManualLoads<String>().loader, initialState: .loaded("content"))
    model.flag = false
    let stage = Stage(30, 1, runtime: runtime) {
      VStack {
        AsyncContentView(resource) { Text($0) }
      }
      .redacted(reason: model.flag ? .placeholder : [])
    }
    resource.set(.failed(Broken()))
    stage.settle()
    #expect(stage.text == "content ✗ Broken(w… r to retry")
    model.flag = true
    stage.settle()
    #expect(stage.text == "▇▇▇▇▇▇▇ ▇ ▇▇▇▇▇▇▇▇▇▇▇▇ ▇▇▇▇▇")
  }

  @Test func `it comes and goes too where its view is one of several`() {
    struct Hinted: View {
      var body: some View {
        Text("Nothing is here.")
        KeyHint(.reload, "to load it")
      }
    }
    let stage = Stage(40, 6, runtime: runtime) {
      HStack {
        Text("list").focusable().focusSection()
        VStack { Hinted() }.focusable()
          .onKeyPress(actions: [.reload], reach: .pane) {}.focusSection()
      }
    }
    #expect(!stage.text.contains("r to load it"))
    stage.press(.tab)
    #expect(stage.text.contains("r to load it"))
    stage.press(.tab)
    #expect(!stage.text.contains("r to load it"))
  }

  @Test
  func `a hint about the screen stands wherever its action is declared, while that gets the key`() {
    let model = Model()
    model.flag = false
    let stage = Stage(40, 5) {
      VStack(alignment: .leading) {
        VStack(alignment: .leading) {
          Text("list").focusable()
          Text("other").focusable().onKeyPress("d", label: "something else") {}
          TextField("words", text: Binding(model, \.text))
        }
        .onKeyPress(action: .details) {}
        KeyHint(.details, "for details")
        KeyHint(.details, "for more", aboutScreen: true)
      }
      .sheet(isPresented: Binding(model, \.flag)) { Text("in front") }
    }
    #expect(stage.text.contains("d for more"))
    #expect(!stage.text.contains("d for details"))
    for _ in 0..<2 {
      stage.press(.tab)
      #expect(!stage.text.contains("d for more"))
    }
    stage.press(.tab)
    #expect(stage.text.contains("d for more"))
    model.flag = true
    stage.settle()
    #expect(!stage.text.contains("d for more"))
  }

  @Test func `of two that failed in a pane the focused one says how to retry`() {
    let (one, two) = (failed(), failed())
    let stage = Stage(40, 10, runtime: runtime) {
      VStack {
        AsyncContentView(one) { Text($0) }
        AsyncContentView(two) { Text($0) }
      }
    }
    func rows() -> [Int] {
      (0..<10).filter { stage.frame.cells.line($0).contains("r to retry") }
    }
    let first = rows()
    #expect(first.count == 1)
    stage.press(.tab)
    #expect(rows().count == 1)
    #expect(rows() != first)
  }

  @Test func `with the focus elsewhere in the pane all that failed there say it`() {
    let (one, two) = (failed(), failed())
    let stage = Stage(40, 12, runtime: runtime) {
      VStack {
        Text("here").focusable()
        AsyncContentView(one) { Text($0) }
        AsyncContentView(two) { Text($0) }
      }
    }
    let count = (0..<12).count { stage.frame.cells.line($0).contains("r to retry") }
    #expect(count == 2)
  }

  @Test func `it goes while a text is typed, and while a sheet gets the keys`() {
    let resource = failed()
    let stage = Stage(40, 9, runtime: runtime) { [model] in
      VStack {
        TextField("Search", text: Binding(model, \.text))
        AsyncContentView(resource) { Text($0) }
      }
      .onKeyPress(KeyPress(.function(1)), label: "sheet") { model.flag = true }
      .sheet(isPresented: Binding(model, \.flag)) { Text("x") }
    }
    model.flag = false
    stage.settle()
    #expect(!stage.text.contains("r to retry"))
    stage.press(.tab)
    #expect(stage.text.contains("r to retry"))
    stage.press(KeyPress(.function(1)))
    #expect(!stage.text.contains("r to retry"))
    stage.press(.escape)
    #expect(stage.text.contains("r to retry"))
  }

  @Test func `a hint in a cell comes with the selection`() {
    struct Item: Identifiable { let id: Int }
    let stage = Stage(40, 2) {
      LazyVGrid((0..<2).map(Item.init), columns: 2, rowHeight: 1) { item, isSelected in
        HStack {
          Text("cell \(item.id)")
          if isSelected { KeyHint(.reload, "to retry") }
        }
      }
      .onKeyPress(action: .reload) {}
    }
    #expect(stage.text.contains("cell 0 r to retry"))
    stage.press(.right)
    #expect(!stage.text.contains("cell 0 r"))
    #expect(stage.text.contains("cell 1 r to retry"))
  }

  @Test func `an action without a key has no hint`() {
    let resource = failed()
    let stage = Stage(40, 6, runtime: runtime) { AsyncContentView(resource) { Text($0) } }
    #expect(stage.text.contains("r to retry"))
    stage.host.environment.keyMap = KeyMap([.reload: []])
    stage.settle()
    #expect(!stage.text.contains("to retry"))
  }
}
