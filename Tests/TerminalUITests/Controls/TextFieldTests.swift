import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of a field for a line of text.
@MainActor
@Suite struct TextFieldTests {
  let model = Model()

  private func stage(_ text: String = "", width: Int = 12) -> Stage {
    model.text = text
    return Stage(width, 1) { [model] in TextField("Search", text: Binding(model, \.text)) }
  }

  @Test func `an empty field shows its title, and the cursor`() {
    let stage = stage()
    #expect(stage.text == "Search")
    #expect(stage.frame.cursor == Point(x: 0, y: 0))
    #expect(stage.frame.cells[11, 0].style.attributes.contains(.underline))
  }

  @Test func `characters are text and not keys while the field has the focus`() {
    var presses = 0
    let stage = Stage(12, 2) { [model] in
      VStack {
        TextField("Search", text: Binding(model, \.text))
        Text("other").focusable()
      }
      .onKeyPress("r", label: "reload") { presses += 1 }
      .onKeyPress("q", .escape, label: "quit") { presses += 10 }
    }
    stage.press("r", " ", "q")
    #expect(model.text == "r q")
    #expect(presses == 0)
    #expect(stage.footer == ["quit"])
    #expect(stage.frame.bindings.first { $0.label == "quit" }?.keys == [KeySequence(.escape)])
    stage.press(.escape, .tab, "r")
    #expect(presses == 11)
    #expect(model.text == "r q")
  }

  @Test func `a cursor at the end stays there when the program sets another text`() {
    let stage = stage()
    stage.press("a", "b")
    model.text = "a recalled"
    stage.settle()
    #expect(stage.frame.cursor == Point(x: 10, y: 0))
    stage.press("!")
    #expect(model.text == "a recalled!")
  }

  @Test func `the cursor moves and deletes by what the user takes for a character`() {
    let stage = stage("ae\u{301}👩‍👩‍👧字")
    #expect(stage.frame.cursor == Point(x: 6, y: 0))
    stage.press(.left)
    #expect(stage.frame.cursor == Point(x: 4, y: 0))
    stage.press(.left, .left)
    #expect(stage.frame.cursor == Point(x: 1, y: 0))
    stage.press(.delete)
    #expect(model.text == "a👩‍👩‍👧字")
    stage.press(.right, .backspace, .home, "x", .end, "y")
    #expect(model.text == "xa字y")
  }

  @Test func `marks that are typed one after the other do not pile up on a character`() {
    let stage = stage("a")
    for _ in 0..<200 { stage.press("\u{301}") }
    #expect(model.text.unicodeScalars.count == 32)
    stage.press("b")
    #expect(model.text.count == 2)
  }

  @Test func `what was scrolled away comes back as soon as there is room for it`() {
    let stage = stage("Grey wool, darned", width: 8)
    #expect(stage.text == " darned")
    stage.press(.backspace, .backspace)
    #expect(stage.text == "l, darn")
    stage.size.width = 12
    stage.settle()
    #expect(stage.text == " wool, darn")
    stage.size.width = 30
    stage.settle()
    #expect(stage.text == "Grey wool, darn")
  }

  @Test func `an accent that is typed belongs to the character before it`() {
    let stage = stage("e")
    stage.press("\u{301}", "x")
    #expect(model.text == "e\u{301}x")
    #expect(stage.frame.cursor == Point(x: 2, y: 0))
  }

  @Test func `words, the start and the end of the line can be deleted`() {
    let stage = stage("one two  ")
    stage.press(.control("w"))
    #expect(model.text == "one ")
    stage.press(.control("w"), .control("w"), .backspace)
    #expect(model.text == "")
    model.text = "one two"
    stage.settle()
    stage.press(.home, .right, .right, .right, .control("k"))
    #expect(model.text == "one")
    stage.press(.left, .control("u"))
    #expect(model.text == "e")
  }

  @Test func `the cursor moves by words, which end at signs, and words can be deleted`() {
    func word(_ key: KeyPress.Key, _ modifiers: KeyPress.Modifiers = .alt) -> KeyPress {
      KeyPress(key, modifiers: modifiers)
    }
    let stage = stage("https://sock.example/feed.xml", width: 40)
    stage.press(word(.character("b")), word(.left), "<")
    #expect(model.text == "https://sock.example/<feed.xml")
    stage.press(word(.left, .control), ">", word(.character("f")), "|")
    #expect(model.text == "https://sock.>example|/<feed.xml")
    stage.press(word(.backspace), word(.right, .control), word(.right), word(.right), "!")
    #expect(model.text == "https://sock.>/<feed.xml!")
    stage.press(.home, word(.character("d")), .control("d"))
    #expect(model.text == "//sock.>/<feed.xml!")
    stage.press(word(.left), word(.character("b")), "x")
    #expect(model.text == "x//sock.>/<feed.xml!")
    stage.press(.end, word(.character("d")), word(.character("f")), .control("w"), word(.backspace))
    #expect(model.text == "")
  }

  @Test func `what was deleted by more than a character can be inserted again`() {
    let stage = stage("one two three")
    stage.press(.control("w"), .backspace, .control("y"), .control("y"))
    #expect(model.text == "one twothreethree")
    stage.press(.control("u"), "a", .control("k"), .control("y"))
    #expect(model.text == "aone twothreethree")
    stage.press(.home, KeyPress(.delete, modifiers: .control))
    #expect(model.text == " twothreethree")
    stage.press(.end, KeyPress(.backspace, modifiers: .control))
    #expect(model.text == " ")
  }

  @Test func `the cursor stays where it is when the program refuses a character`() {
    let stage = Stage(12, 1) { [model] in
      TextField(
        "Number",
        text: Binding(
          get: { model.text },
          set: { if $0.allSatisfy(\.isWholeNumber) { model.text = $0 } }))
    }
    model.text = "123"
    stage.settle()
    stage.press(.left, .left, "x", "y")
    #expect(stage.frame.cursor == Point(x: 1, y: 0))
    stage.press("7")
    #expect(model.text == "1723")
    #expect(stage.frame.cursor == Point(x: 2, y: 0))
  }

  @Test func `what has no glyph is left out of a pasted text`() {
    let stage = stage()
    stage.host.paste("\u{FEFF}a\u{200B}b\u{202E}c\u{2066}👩‍👧", in: stage.frame)
    stage.settle()
    #expect(model.text == "abc👩‍👧")
  }

  @Test func `pasted text becomes one line without controls`() {
    let stage = stage("ab")
    stage.press(.left)
    stage.host.paste("1\r\n2\t3\u{1B}[31m", in: stage.frame)
    stage.settle()
    #expect(model.text == "a1 2 3[31mb")
    #expect(stage.frame.cursor == Point(x: 10, y: 0))
  }

  @Test func `where a sign stands for line ends, Alt-Enter types it, and pasted ones become it`() {
    let stage = Stage(12, 1) { [model] in
      TextField("Notes", text: Binding(model, \.text)).lineBreak("↵")
    }
    stage.press("a", KeyPress(.enter, modifiers: .alt), "b")
    #expect(stage.text == "a↵b")
    #expect(stage.footer == ["new line"])
    stage.host.paste("\r\n1\n\n2", in: stage.frame)
    #expect(model.text == "a↵b↵1↵↵2")
  }

  @Test func `pasting where no field has the focus does nothing`() {
    let stage = Stage(12, 1) { Text("x").focusable() }
    #expect(!stage.host.paste("text", in: stage.frame))
  }

  @Test func `a view takes what is pasted unless a field has the focus or a sheet covers it`() {
    let model = Model()
    var taken: [String] = []
    let stage = Stage(20, 6) {
      VStack {
        Text("x").focusable()
        TextField("Name", text: Binding(model, \.text))
      }
      .onPaste { taken.append($0) }
      .sheet(isPresented: Binding(model, \.flag)) { Text("in front") }
    }
    model.flag = false
    stage.settle()
    #expect(stage.host.paste("one", in: stage.frame))
    stage.press(.tab)
    #expect(stage.host.paste("two", in: stage.frame))
    #expect(taken == ["one"])
    #expect(model.text == "two")
    model.flag = true
    stage.settle()
    #expect(!stage.host.paste("three", in: stage.frame))
    #expect(taken == ["one"])
  }

  @Test func `a long text scrolls as far as the cursor needs`() {
    let stage = stage("0123456789abcdef")
    #expect(stage.text == "56789abcdef")
    #expect(stage.frame.cursor == Point(x: 11, y: 0))
    stage.press(.home)
    #expect(stage.text == "0123456789ab")
    #expect(stage.frame.cursor == Point(x: 0, y: 0))
  }

  @Test func `a click puts the cursor where it was`() {
    let stage = stage("a字b")
    stage.host.send(MouseEvent(.press, at: Point(x: 2, y: 0)), in: stage.frame)
    stage.settle()
    stage.press("x")
    #expect(model.text == "ax字b")
  }

  @Test func `Enter submits`() {
    var submitted: [String] = []
    let stage = Stage(12, 1) { [model] in
      TextField("Search", text: Binding(model, \.text)).onSubmit { submitted.append(model.text) }
    }
    stage.press("h", "i", .enter)
    #expect(submitted == ["hi"])
    #expect(stage.footer == ["done"])
  }

  @Test func `keys typed faster than frames are drawn are all there, in order`() {
    let stage = stage()
    let frame = stage.frame
    for key in ["a", "b", "c"] as [KeyPress] { stage.host.press(key, in: frame) }
    stage.settle()
    #expect(model.text == "abc")
  }
}
