import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of sequences of keys, and of numbers before keys.
@MainActor
@Suite struct KeySequenceTests {
  private struct Row: Identifiable { let id: Int }

  private final class Log {
    var done: [String] = []
  }

  private let log = Log()

  private func stage(_ width: Int = 40, _ height: Int = 3) -> Stage {
    Stage(width, height) { [log] in
      VStack(alignment: .leading) {
        Text("text").focusable()
          .onKeyPress([
            KeyBinding(sequences: [KeySequence("g", "l")], label: "lists") {
              log.done.append("gl")
            },
            KeyBinding(sequences: [KeySequence("g", "a", "b")], label: "deep") {
              log.done.append("gab")
            },
            KeyBinding(sequences: ["x"], label: "cut") { log.done.append("x") },
          ])
        Spacer()
        KeyFooter()
      }
    }
  }

  @Test func `the footer shows which keys can follow, and the last of them does it`() {
    let stage = stage()
    #expect(stage.text == "text\n\ng l lists  g a b deep  x cut")
    stage.press("g")
    #expect(stage.text == "text\n\ng  l lists  a …  Esc cancel")
    #expect(log.done == [])
    stage.press("l")
    #expect(log.done == ["gl"])
    #expect(stage.text == "text\n\ng l lists  g a b deep  x cut")
    stage.press("g", "a")
    #expect(stage.text == "text\n\ng a  b deep  Esc cancel")
    stage.press("b")
    #expect(log.done == ["gl", "gab"])
  }

  @Test func `Esc ends it, and does nothing else`() {
    let stage = stage()
    stage.press("g", .escape)
    #expect(stage.text == "text\n\ng l lists  g a b deep  x cut")
    stage.press("l")
    #expect(log.done == [])
  }

  @Test func `a key that cannot follow is said for two seconds, and not passed on`() {
    let stage = stage()
    stage.press("g", "x")
    #expect(log.done == [])
    #expect(stage.text == "text\n\ng x does nothing here.  x cut")
    #expect(stage.frame.nextChange == stage.runtime.clock.now.advanced(by: .seconds(2)))
    stage.advance(by: .seconds(2))
    #expect(stage.text == "text\n\ng l lists  g a b deep  x cut")
    #expect(stage.frame.nextChange == nil)
    stage.press("g", "x", "x")
    #expect(log.done == ["x"])
  }

  @Test func `of a key alone that does nothing it is said, too, but not of Esc or an arrow`() {
    let stage = stage()
    let keys = stage.text
    for key in [.escape, .left, .enter, .control("l")] as [KeyPress] {
      stage.press(key)
      #expect(stage.text == keys)
    }
    for key in ["Z", .control("f")] as [KeyPress] {
      stage.press(key)
      #expect(stage.text.hasPrefix("text\n\n\(key) does nothing here."))
    }
    stage.press("x")
    #expect(stage.text == keys)
    #expect(log.done == ["x"])
  }

  @Test func `nothing waits while a key is typed that others have to follow`() {
    let stage = stage()
    stage.press("g")
    #expect(stage.frame.nextChange == nil)
    stage.advance(by: .seconds(3600))
    stage.press("l")
    #expect(log.done == ["gl"])
  }

  @Test func `pasted text is no keys, and ends those that were typed`() {
    let stage = stage()
    stage.host.paste("gl", in: stage.frame)
    stage.settle()
    #expect(log.done == [])
    stage.press("g")
    stage.host.paste("l", in: stage.frame)
    stage.settle()
    stage.press("l")
    #expect(log.done == [])
  }

  @Test func `a field takes letters as text, and keys that no letter begins`() {
    var text = ""
    let stage = Stage(30, 2) { [log] in
      VStack(alignment: .leading) {
        TextField("name", text: Binding(get: { text }, modify: { $0(&text) }))
          .onKeyPress([
            KeyBinding(sequences: [KeySequence("g", "l")], label: "lists") {
              log.done.append("gl")
            },
            KeyBinding(sequences: [KeySequence(.control("x"), "s")], label: "save") {
              log.done.append("save")
            },
          ])
        KeyFooter()
      }
    }
    stage.press("g", "l", "5")
    #expect(text == "gl5")
    stage.press(.control("x"))
    #expect(stage.text.hasSuffix("Ctrl-X  s save  Esc cancel"))
    stage.press("s")
    #expect(log.done == ["save"])
    #expect(text == "gl5")
  }

  @Test func `of a key and keys that begin with it, the first one in force is typed`() {
    let stage = Stage(40, 2) { [log] in
      VStack(alignment: .leading) {
        Text("text").focusable()
          .onKeyPress([
            KeyBinding(sequences: [KeySequence("g", "g")], label: "top") { log.done.append("gg") }
          ])
        KeyFooter()
      }
      .onKeyPress("g", label: "go") { log.done.append("g") }
      .onKeyPress([
        KeyBinding(sequences: [KeySequence("g", "g")], label: "other") { log.done.append("other") }
      ])
    }
    // A sequence that cannot be typed there is not shown either.
    #expect(stage.text == "text\ng g top")
    stage.press("g", "g")
    #expect(log.done == ["gg"])
  }

  @Test func `more keys than a row has room for are shown above it, and leave it as it was`() {
    let stage = Stage(20, 7) { [log] in
      VStack(alignment: .leading) {
        ForEach(0..<6) { Text("row \($0) of the text") }.focusable()
          .onKeyPress(
            "abcdefg".map { letter in
              KeyBinding(
                sequences: [KeySequence("g", KeyPress(.character(letter)))], label: "to \(letter)"
              ) { log.done.append("\(letter)") }
            })
        KeyFooter()
      }
    }
    let before = stage.frame.cells
    stage.press("g")
    #expect(
      stage.text == """
        row 0 of the text
        row 1 of the text
        row 2 of the text
        row 3 of the text
        g  Esc cancel
        a to a  b to b
        c to c  d to d
        """)
    stage.host.forgetFrames()
    let incremental = stage.frame.cells
    stage.settle()
    #expect(stage.frame.cells == incremental)
    stage.press(.escape)
    #expect(stage.frame.cells == before)
  }

  // MARK: Numbers

  private func list(_ width: Int = 60, keyMap: KeyMap = KeyMap()) -> (Stage, () -> Int) {
    var selection: Int? = 0
    let stage = Stage(width, 6) {
      VStack(alignment: .leading) {
        List(
          (0..<50).map(Row.init), selection: Binding(get: { selection }, modify: { $0(&selection) })
        ) { Text("row \($0.id)") }
        KeyFooter()
      }
      .onKeyPress("1", label: "one") { [log] in log.done.append("1") }
    }
    stage.host.environment.keyMap = keyMap
    stage.settle()
    return (stage, { selection ?? -2 })
  }

  @Test func `a number says how far a key goes`() {
    let (stage, selected) = list()
    stage.press("5", "j")
    #expect(selected() == 5)
    stage.press("3", "k")
    #expect(selected() == 2)
    stage.press("2", "0", .down)
    #expect(selected() == 22)
    stage.press("9", "9", "k")
    #expect(selected() == 0)
  }

  @Test func `a number before first and last is that of a row`() {
    let (stage, selected) = list()
    stage.press("2", "5", "G")
    #expect(selected() == 24)
    stage.press("7", "g")
    #expect(selected() == 6)
    stage.press("9", "9", "9", "9", "9", "9", "9", "9", "9", "G")
    #expect(selected() == 49)
  }

  @Test func `a digit that does something is no number, unless one has begun`() {
    let (stage, selected) = list()
    stage.press("1")
    #expect(log.done == ["1"])
    stage.press("0", "1", "2", "G")
    #expect(selected() == 11)
    stage.press("2", "1", "G")
    #expect(selected() == 20)
  }

  @Test func `a number is shown with the keys that it can stand before, until Esc`() {
    let (stage, selected) = list()
    stage.press("2", "5")
    #expect(
      stage.frame.cells.line(5) == "25  j down  k up  PgDn page down  PgUp page up  Esc cancel")
    stage.press(.escape)
    #expect(!stage.frame.cells.line(5).contains("25"))
    stage.press("j")
    #expect(selected() == 1)
  }

  @Test func `a number before a key that does not count is dropped`() {
    let (stage, selected) = list()
    stage.press("5", "1")
    #expect(stage.frame.cells.line(5).hasPrefix("51  "))
    stage.press(.escape, "0", .escape, "3", .enter, "j")
    #expect(selected() == 1)
  }

  @Test func `a number stands before several keys, too`() {
    let (stage, selected) = list(keyMap: KeyMap([.first: [KeySequence("g", "g")]]))
    stage.press("3", "0", "g")
    #expect(stage.frame.cells.line(5) == "30 g  g first  Esc cancel")
    stage.press("g")
    #expect(selected() == 29)
  }

  @Test func `without anything to count, a digit means nothing`() {
    let stage = stage()
    #expect(!stage.host.press("5", in: stage.frame))
    #expect(stage.text == "text\n\ng l lists  g a b deep  x cut")
  }
}

/// Tests of running several actions in order.
@MainActor
@Suite struct ActionRunTests {
  private static let star = KeyAction("star", keys: "s", label: "star")
  private static let open = KeyAction("open", keys: "o", label: "open")
  private static let shut = KeyAction("shut", keys: "c", label: "shut")

  private final class Model {
    var done: [String] = []
    var isOpen = false
    var isBusy = false
    var stopped: String?
  }

  private let model = Model()

  private func stage(_ actions: [KeyAction]) -> Stage {
    Stage(40, 4) { [model] in
      Screen(model: model, actions: actions)
    }
  }

  private struct Screen: View {
    let model: Model
    let actions: [KeyAction]
    @State private var isOpen = false
    @Environment(\.perform) private var perform

    var body: some View {
      VStack(alignment: .leading) {
        if isOpen {
          Text("open").focusable().onKeyPress(action: ActionRunTests.shut) {
            model.done.append("shut")
            isOpen = false
          }
        } else {
          Text("shut").focusable()
            .onKeyPress(action: ActionRunTests.star) { model.done.append("star") }
            .onKeyPress(action: ActionRunTests.open) {
              model.done.append("open")
              isOpen = true
            }
        }
      }
      .onKeyPress("m", label: "macro") {
        perform?(actions, while: { model.isBusy }) { model.stopped = $0.label }
      }
    }
  }

  @Test func `each action is done on the screen that the one before has left`() {
    let stage = stage([Self.star, Self.open, Self.shut, Self.star])
    stage.press("m")
    #expect(model.done == ["star", "open", "shut", "star"])
    #expect(model.stopped == nil)
  }

  @Test func `an action that cannot be done is named after two seconds, and ends it`() {
    let stage = stage([Self.open, Self.star, Self.shut])
    stage.press("m")
    #expect(model.done == ["open"])
    stage.advance(by: .seconds(1))
    #expect(model.stopped == nil)
    stage.advance(by: .seconds(1))
    #expect(model.stopped == "star")
    #expect(model.done == ["open"])
  }

  @Test func `an action waits for what the one before has begun`() {
    let stage = stage([Self.star, Self.open])
    model.isBusy = true
    stage.press("m")
    #expect(model.done == [])
    model.isBusy = false
    stage.advance(by: .milliseconds(100))
    #expect(model.done == ["star", "open"])
  }

  @Test func `a key ends what is left`() {
    let stage = stage([Self.open, Self.star])
    stage.press("m")
    stage.press("c")
    #expect(model.done == ["open", "shut"])
    stage.advance(by: .seconds(3))
    #expect(model.done == ["open", "shut"])
    #expect(model.stopped == nil)
  }

  @Test func `an action without keys can be done, too`() {
    let stage = stage([Self.star])
    stage.host.environment.keyMap = KeyMap([Self.star: []])
    stage.settle()
    stage.press("m")
    #expect(model.done == ["star"])
  }
}
