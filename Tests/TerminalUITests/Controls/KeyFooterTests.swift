import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the footer: it shows as many hints as fit, the most important ones first.
@MainActor
@Suite struct KeyFooterTests {
  private func footer(_ width: Int) -> String {
    let view = VStack(alignment: .leading) {
      Text("list").focusable()
        .onKeyPress("n", label: "next", footer: .ifRoom) {}
        .onKeyPress("m", label: "mark read", footer: .ifRoom) {}
        .onKeyPress(.enter, label: "open") {}
      KeyFooter()
    }
    .onKeyPress("r", label: "reload") {}
    .onKeyPress("/", label: "search", footer: .ifRoom) {}
    .onKeyPress("?", label: "keys") {}
    .onKeyPress("q", label: "quit") {}
    return Frame(view, size: Size(width: width, height: 2)).cells.line(1)
  }

  @Test func `where there is room, keys are shown that are not declared for the footer`() {
    #expect(footer(80) == "Enter open  r reload  n next  m mark read  / search  ? keys  q quit")
  }

  @Test func `what is declared for the footer comes first, and what leads out is never cut`() {
    #expect(footer(37) == "Enter open  r reload  ? keys  q quit")
    #expect(footer(45) == "Enter open  r reload  n next  ? keys  q quit")
    #expect(footer(26) == "Enter open  ? keys  q quit")
    #expect(footer(14) == "? keys  q quit")
    #expect(footer(8) == "q quit")
  }

  private func screen(
    _ width: Int, pressed: @escaping @MainActor (String) -> Void = { _ in }
  ) -> Stage {
    Stage(width, 2) {
      VStack(alignment: .leading) {
        Text("article").focusable()
          .onKeyPress("o", label: "browser") { pressed("o") }
          .onKeyPress(.control("o"), label: "to where you were") { pressed("Ctrl-O") }
        KeyFooter()
      }
      .onKeyPress(.escape, label: "back") { pressed("Esc") }
      .onKeyPress([
        KeyBinding(sequences: [KeySequence("g", "k")], label: "keys") { pressed("g k") }
      ])
      .onKeyPress("q", label: "quit") { pressed("q") }
    }
  }

  @Test func `the key that leads back has room before other keys`() {
    #expect(
      screen(70).frame.cells.line(1)
        == "o browser  Ctrl-O to where you were  Esc back  g k keys  q quit")
    #expect(screen(50).frame.cells.line(1) == "o browser  Esc back  g k keys  q quit")
    #expect(screen(28).frame.cells.line(1) == "Esc back  g k keys  q quit")
    #expect(screen(16).frame.cells.line(1) == "Esc back  q quit")
  }

  @Test func `a click on a key presses it`() {
    var pressed: [String] = []
    let stage = screen(50) { pressed.append($0) }
    for x in [0, 8, 9, 10, 11, 18, 19, 21, 28, 31, 36, 37] { stage.click(at: Point(x: x, y: 1)) }
    #expect(pressed == ["o", "o", "Esc", "Esc", "g k", "g k", "q", "q"])
    // While keys are pending, the footer shows others.
    stage.press("g")
    stage.click(at: Point(x: 0, y: 1))
    #expect(pressed.count == 8)
  }

  @Test func `a click on a key works in a sheet`() {
    struct Screen: View {
      @State private var isShown = true
      var body: some View {
        VStack(alignment: .leading) {
          Text(isShown ? "covered" : "free").focusable()
          Spacer()
          KeyFooter()
        }
        .sheet(isPresented: Binding(get: { isShown }, set: { isShown = $0 })) {
          TextField("name", text: .constant("")).defaultFocus()
        }
      }
    }
    let stage = Stage(20, 6) { Screen() }
    #expect(stage.frame.cells.line(5) == "Esc close")
    stage.click(at: Point(x: 2, y: 5))
    #expect(stage.frame.cells.line(0) == "free")
  }

  @Test func `it is drawn again only for other keys`() {
    struct Item: Identifiable { let id: Int }
    let host = ViewHost {
      VStack(alignment: .leading) {
        List((0..<9).map(Item.init)) { Text("row \($0.id)") }
        Text("beside it").focusable().onKeyPress("a", label: "add") {}
        KeyFooter()
      }
    }
    let size = Size(width: 30, height: 5)
    var frame = host.frame(size: size)
    func press(_ key: KeyPress) -> Bool? {
      host.didPresent(frame)
      host.press(key, in: frame)
      frame = host.frame(size: size)
      return host.damage?.meets(Rect(x: 0, y: 4, width: 30, height: 1))
    }
    #expect(press("j") == false)
    #expect(press("G") == false)
    #expect(frame.cells.line(4) == "Tab next field")
    #expect(press(.tab) == true)
    #expect(frame.cells.line(4) == "Tab next field  a add")
  }

  @Test func `one that is drawn again does not cover those in front of it`() {
    let model = Word()
    let host = ViewHost {
      ZStack(alignment: .topLeading) {
        HStack { KeyFooter() }.bold()
        HStack {
          Shown(word: model)
          KeyFooter()
        }
      }
    }
    let size = Size(width: 12, height: 1)
    var frame = host.frame(size: size)
    host.didPresent(frame)
    let before = frame.cells
    #expect(before[0, 0].style.attributes == .bold)
    #expect(before[5, 0].style.attributes == [])
    model.text = "b"
    frame = host.frame(size: size)
    #expect(frame.cells == before)
  }

  @MainActor @Observable
  final class Word {
    var text = "a"
  }

  private struct Shown: View {
    let word: Word
    var body: some View { Text(word.text) }
  }

  @Test func `what several keys do is said once`() {
    let view = VStack(alignment: .leading) {
      Text("list").focusable()
        .onKeyPress(.right, label: "open", footer: .ifRoom) {}
        .onKeyPress(.enter, label: "open") {}
        .onKeyPress("n", label: "next", footer: .ifRoom) {}
        .onKeyPress("N", label: "next", footer: .ifRoom) {}
      KeyFooter()
    }
    #expect(Frame(view, size: Size(width: 60, height: 2)).cells.line(1) == "n next  Enter open")
  }

  @Test(arguments: [
    (60, "PgDn page down  Tab next field  Enter save  Esc close"),
    (40, "PgDn page down  Enter save  Esc close"), (30, "Enter save  Esc close"), (20, "Esc close"),
  ])
  func `a sheet has fields, and its way out is the last to go`(width: Int, footer: String) {
    let stage = Stage(width, 5) {
      VStack(alignment: .leading) {
        Text("behind it").focusable()
        Spacer()
        KeyFooter()
      }
      .sheet(isPresented: .constant(true)) {
        VStack {
          TextField("name", text: .constant("")).onSubmit(label: "save") {}.defaultFocus()
          TextField("more", text: .constant(""))
          Text("1\n2\n3")
        }
      }
    }
    #expect(stage.frame.cells.line(4) == footer)
  }

  @Test func `moving is in no footer, and Tab is where there is another field`() {
    struct Item: Identifiable { let id: Int }
    let view = VStack(alignment: .leading) {
      List((0..<2).map(Item.init)) { Text("row \($0.id)") }
      Button("Save") {}
      KeyFooter()
    }
    #expect(
      Frame(view, size: Size(width: 60, height: 6)).cells.line(5) == "Tab next field")
  }

  private struct Finding: View {
    let run: @MainActor () -> Void
    @State private var hasArticle = false

    var body: some View {
      VStack(alignment: .leading) {
        Text("list").focusable()
          .onKeyPress(action: .search, label: "find", when: hasArticle) {}
        KeyFooter()
      }
      .onKeyPress([
        KeyBinding(keys: ["z"], label: "find twice", action: run)
          .shown(whileAvailable: .search)
      ])
      .onKeyPress([KeyBinding(keys: ["o"], label: "open", footer: .never) { hasArticle = true }])
    }
  }

  @Test func `a binding that needs an action is shown only while the action is available`() {
    var runs = 0
    let stage = Stage(60, 2) { Finding { runs += 1 } }
    #expect(stage.footer == [])
    stage.press("z")
    #expect(runs == 1)
    stage.press("o")
    #expect(stage.footer == ["find", "find twice"])
    #expect(stage.frame.cells.line(1) == "/ find  z find twice")
  }

  @MainActor @Observable
  final class Rows {
    var areThere = false
  }

  @Test func `keys that come and go in another pane change neither the order nor the footer`() {
    let rows = Rows()
    let stage = Stage(40, 3) {
      VStack(alignment: .leading) {
        Text("feeds").focusable().onKeyPress("o", label: "open") {}.focusSection()
        Text("articles").focusable().onKeyPress("m", label: "mark", when: rows.areThere) {}
          .focusSection("Articles")
        KeyFooter()
      }
    }
    func keys(after last: KeysInForce?) -> KeysInForce {
      KeysInForce(stage.frame.declarations, layer: 0, focus: stage.frame.focus, after: last)
    }
    let before = keys(after: nil)
    rows.areThere = true
    stage.settle()
    let after = keys(after: before)
    #expect(after.areKept)
    #expect(after.groups.map(\.title).contains("Articles"))
    stage.press(.tab)
    #expect(!keys(after: after).areKept)
    #expect(stage.footer.contains("mark"))
  }
}
