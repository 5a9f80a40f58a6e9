import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the focus as a value that views read and write.
@MainActor
@Suite struct FocusStateTests {
  struct Form: View {
    enum Field: String, CaseIterable { case name, place, note }
    let model: Model
    @FocusState private var focus: Field?

    var body: some View {
      VStack(alignment: .leading) {
        Text("focus: \(focus?.rawValue ?? "none")")
        Text("here").focusable()
        ForEach(Field.allCases, id: \.self) { field in
          if field != .note || model.flag {
            Text(focus == field ? "> \(field.rawValue)" : field.rawValue)
              .focusable().focused($focus, equals: field)
          }
        }
      }
      .onKeyPress("p", label: "place") { focus = .place }
      .onKeyPress("n", label: "note") {
        model.flag = true
        focus = .note
      }
      .onKeyPress("l", label: "later") { focus = .note }
      .onKeyPress("x", label: "leave") { focus = nil }
    }
  }

  let model = Model()

  /// A view that does not depend on the model.
  private struct Field: View {
    @FocusState private var isFocused: Bool

    var body: some View { Text(isFocused ? "in" : "out").focusable().focused($isFocused) }
  }

  @Test func `a view that stays as it is declares its focus once`() {
    let stage = Stage(14, 5) { [model] in
      VStack {
        Text("\(model.ids.count)")
        Field()
      }
    }
    let count = stage.frame.declarations.actions(.focusLink, .focusSettled).count
    for number in 10..<15 {
      model.ids.append(number)
      stage.settle()
    }
    stage.size = Size(width: 13, height: 5)
    stage.settle()
    #expect(stage.frame.declarations.actions(.focusLink, .focusSettled).count == count)
  }

  private func form() -> Stage {
    model.flag = false
    return Stage(14, 5) { [model] in Form(model: model) }
  }

  @Test func `it follows the focus`() {
    let stage = form()
    #expect(stage.text == "focus: none\nhere\nname\nplace\n")
    stage.press(.tab)
    #expect(stage.text == "focus: name\nhere\n> name\nplace\n")
    stage.press(.tab, .tab)
    #expect(stage.text == "focus: none\nhere\nname\nplace\n")
  }

  @Test func `writing it moves the focus`() {
    let stage = form()
    stage.press("p")
    #expect(stage.text == "focus: place\nhere\nname\n> place\n")
  }

  @Test func `what comes on the screen with the write gets the focus`() {
    let stage = form()
    stage.press("n")
    #expect(stage.text == "focus: note\nhere\nname\nplace\n> note")
    model.flag = false
    stage.settle()
    #expect(stage.text == "focus: place\nhere\nname\n> place\n")
  }

  @Test func `what comes on the screen after the write gets the focus, unless a key was pressed`() {
    let stage = form()
    stage.press("l")
    stage.settle()
    #expect(stage.text.hasPrefix("focus: none"))
    model.flag = true
    stage.settle()
    #expect(stage.text == "focus: note\nhere\nname\nplace\n> note")

    let other = form()
    other.press("l", "?")
    model.flag = true
    other.settle()
    #expect(other.text == "focus: none\nhere\nname\nplace\nnote")
  }

  private struct Opening: View {
    let model: Model
    @FocusState private var isFocused: Bool

    var body: some View {
      VStack(alignment: .leading) {
        Button("open") { isFocused = true }
        if model.flag { Text(isFocused ? "> field" : "field").focusable().focused($isFocused) }
      }
    }
  }

  @Test func `what comes on the screen after a click gets the focus that the click asked for`() {
    model.flag = false
    let stage = Stage(14, 2) { [model] in Opening(model: model) }
    let place = Point(x: 2, y: 0)
    stage.send(MouseEvent(.press, at: place))
    stage.send(MouseEvent(.release, at: place))
    model.flag = true
    stage.settle()
    #expect(stage.text == "[ open ]\n> field")
  }

  struct LongForm: View {
    @FocusState private var focus: Int?

    var body: some View {
      ScrollView {
        VStack(alignment: .leading) {
          ForEach(0..<10, id: { $0 }) { field in
            Text(focus == field ? "> \(field)" : "\(field)").focusable()
              .focused($focus, equals: field)
            if field == 2 { Text("(below 2)") }
          }
        }
      }
      .onKeyPress("x", label: "seven") { focus = 7 }
      .onKeyPress("y", label: "two") { focus = 2 }
      .onKeyPress("z", label: "none such") { focus = 70 }
    }
  }

  @Test func `what is scrolled away is scrolled to, with what stands below it`() {
    let stage = Stage(16, 2) { LongForm() }
    stage.press("x")
    #expect(stage.frame.text.split(separator: "\n").map { $0.prefix(3) } == ["> 7", "8"])
    stage.press("y")
    #expect(stage.frame.text.split(separator: "\n").map { $0.prefix(3) } == ["> 2", "(be"])
    stage.press("z")
    #expect(stage.frame.text.hasPrefix("> 2"))
  }

  @Test func `writing nil leaves it to a neighbour that is not bound`() {
    let stage = form()
    stage.press("p", "x")
    #expect(stage.text.hasPrefix("focus: none"))
  }

  @Test func `a frame shows where the focus is in that very frame`() {
    let stage = form()
    stage.host.press(.tab, in: stage.frame)
    let frame = stage.host.frame(size: stage.size)
    #expect(frame.text == "focus: name\nhere\n> name\nplace\n")
    #expect(stage.host.frame(size: stage.size).cells == frame.cells)
  }

  struct Search: View {
    @State private var text = ""
    @FocusState private var isTyping: Bool

    var body: some View {
      VStack(alignment: .leading) {
        Button(isTyping ? "typing" : "search") { isTyping = true }
        TextField("Query", text: $text).focused($isTyping)
          .onSubmit { isTyping = false }
      }
    }
  }

  @Test func `of one view it says whether it has the focus`() {
    let stage = Stage(14, 2) { Search() }
    #expect(stage.text == "[ search ]\nQuery")
    stage.press(.enter, "a")
    #expect(stage.text == "[ typing ]\na")
    stage.press(.enter)
    #expect(stage.text == "[ search ]\na")
  }

  struct Greeting: View {
    @FocusState private var isFocused: Bool

    var body: some View {
      VStack {
        Text("first").focusable()
        Text(isFocused ? "second!" : "second").focusable().focused($isFocused)
      }
      .onAppear { isFocused = true }
    }
  }

  @Test func `it can be set when a screen appears`() {
    #expect(Stage(14, 2) { Greeting() }.text == " first\nsecond!")
  }

  @Test func `one view value at two places has the focus of each`() {
    let stage = Stage(14, 4) {
      let search = Search()
      VStack(alignment: .leading) {
        search
        search
      }
    }
    stage.press(.tab, .tab, .enter)
    #expect(stage.text == "[ search ]\nQuery\n[ typing ]\nQuery")
  }
}
