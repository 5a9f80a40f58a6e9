import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of which view gets keys first, and where the focus goes when that view is removed.
@MainActor
@Suite struct FocusTests {
  /// A line that shows whether it has the focus.
  struct Field: View {
    let name: String
    var body: some View { Mark(name: name).focusable() }

    private struct Mark: View {
      let name: String
      @Environment(\.isFocused) var isFocused
      var body: some View { Text((isFocused ? ">" : " ") + name) }
    }
  }

  let model = Model()

  @Test func `Tab goes around the places in the order in which they are drawn, Shift-Tab back`() {
    let stage = Stage(10, 3) {
      VStack { ForEach(["a", "b", "c"], id: \.self) { Field(name: $0) } }
    }
    #expect(stage.text == ">a\n b\n c")
    stage.press(.tab)
    #expect(stage.text == " a\n>b\n c")
    stage.press(.tab, .tab)
    #expect(stage.text == ">a\n b\n c")
    stage.press(.backTab)
    #expect(stage.text == " a\n b\n>c")
  }

  @Test func `a view that is nothing but a stack hears of the focus, too`() {
    let view = VStack { Field(name: "a") }
    #expect(ViewHost(view).frame(size: Size(width: 5, height: 1)).text == ">a")
    // Also what stands in no view with a body.
    let text = Text("a").focusable().environment(\.isPlain, true)
    #expect(ViewHost(text).frame(size: Size(width: 5, height: 1)).cursor == Point(x: 0, y: 0))
  }

  @Test func `a screen begins at its default focus`() {
    let stage = Stage(10, 2) {
      VStack {
        Field(name: "a")
        Field(name: "b").defaultFocus()
      }
    }
    #expect(stage.text == " a\n>b")
  }

  @Test func `a default focus that had to be loaded gets the focus, unless a key was pressed`() {
    for pressed in [false, true] {
      model.ids = []
      let stage = Stage(10, 4) { [model] in
        VStack(alignment: .leading) {
          Field(name: "a")
          Field(name: "b")
          ForEach(model.ids, id: \.self) { Field(name: "\($0)").defaultFocus() }
        }
      }
      #expect(stage.text == ">a\n b\n\n")
      if pressed { stage.press("x") }
      model.ids = [1]
      stage.settle()
      #expect(stage.text == (pressed ? ">a\n b\n 1\n" : " a\n b\n>1\n"))
      // Found once, it stays: another one that appears takes nothing away.
      model.ids = [1, 2]
      stage.settle()
      #expect(stage.text == (pressed ? ">a\n b\n 1\n 2" : " a\n b\n>1\n 2"))
    }
  }

  @Test func `a late default focus takes nothing from the view that got the focus back`() {
    model.ids = []
    let stage = Stage(10, 4) { [model] in
      VStack(alignment: .leading) {
        Field(name: "a")
        Field(name: "b").onKeyPress("o", label: "open") { model.item = 1 }
        ForEach(model.ids, id: \.self) { Field(name: "\($0)").defaultFocus() }
      }
      .navigationDestination(item: Binding(model, \.item)) { _ in Field(name: "inside") }
    }
    stage.press(.tab, "o")
    #expect(stage.text.contains(">inside"))
    stage.press(.escape)
    #expect(stage.text == " a\n>b\n\n")
    model.ids = [1]
    stage.settle()
    #expect(stage.text == " a\n>b\n 1\n")
  }

  @Test func `a destination begins at its default focus too`() {
    let stage = Stage(10, 2) { [model] in
      Field(name: "root")
        .onKeyPress(.enter, label: "open") { model.item = 1 }
        .navigationDestination(item: Binding(model, \.item)) { _ in
          VStack {
            Field(name: "a")
            Field(name: "b").defaultFocus()
          }
        }
    }
    stage.press(.enter)
    #expect(stage.text == " a\n>b")
  }

  @Test func `lost focus goes to the next row, and to the one before at the end`() {
    let stage = Stage(10, 5) { [model] in
      VStack(alignment: .leading) {
        Field(name: "top")
        ForEach(model.ids, id: \.self) { Field(name: "\($0)") }
      }
    }
    stage.press(.tab, .tab)
    #expect(stage.text == " top\n 1\n>2\n 3\n")
    model.ids = [1, 3]
    stage.settle()
    #expect(stage.text == " top\n 1\n>3\n\n")
    model.ids = [1]
    stage.settle()
    #expect(stage.text == " top\n>1\n\n\n")
  }

  @Test func `lost focus without neighbours goes to the nearest place around it`() {
    let stage = Stage(10, 3) { [model] in
      VStack {
        Field(name: "far")
        VStack {
          Field(name: "near")
          if model.flag { Field(name: "gone") }
        }
      }
    }
    stage.press(.tab, .tab)
    #expect(stage.text == " far\n near\n>gone")
    model.flag = false
    stage.settle()
    #expect(stage.text == " far\n>near\n")
  }

  @Test func `a click moves the focus`() {
    let stage = Stage(10, 2) {
      VStack(alignment: .leading) {
        Field(name: "a")
        Field(name: "b")
      }
    }
    stage.host.send(MouseEvent(.press, at: Point(x: 1, y: 1)), in: stage.frame)
    stage.settle()
    #expect(stage.text == " a\n>b")
  }

  @Test func `what is disabled cannot have the focus`() {
    let stage = Stage(10, 2) {
      VStack {
        Field(name: "a").disabled(true)
        Field(name: "b")
      }
    }
    #expect(stage.text == " a\n>b")
  }

  @Test func `closing a sheet brings back the focus that it covered`() {
    let stage = Stage(20, 6) { [model] in
      VStack {
        Field(name: "a")
        Field(name: "b").onKeyPress(.enter, label: "open") { model.flag = true }
      }
      .sheet(isPresented: Binding(model, \.flag)) { Field(name: "inside") }
    }
    #expect(stage.text.contains("inside"))
    stage.press(.escape, .tab, .enter)
    #expect(stage.text.contains("inside"))
    stage.press(.escape)
    #expect(stage.text.hasPrefix(" a\n>b"))
  }

  @Test func `Tab goes to what is scrolled away, which then comes`() {
    let stage = Stage(8, 3) {
      ScrollView {
        VStack(alignment: .leading) {
          ForEach(1..<7) { number in
            Mark(name: "\(number)")
            Text("-")
          }
        }
      }
    }
    #expect(stage.text == "[1]    ▐\n-\n2")
    stage.press(.tab, .tab)
    #expect(stage.text == "2      ▐\n-\n[3]")
    stage.press(.tab, .tab)
    #expect(stage.text == "4\n-      ▐\n[5]")
    stage.press(.tab)
    #expect(stage.text == "5\n-      ▐\n[6]")
    // After the last row, the focus goes to what is scrolled as a whole, as before the first row.
    stage.press(.tab, .tab)
    #expect(stage.text == "[1]    ▐\n-\n2")
    stage.press(.backTab, .backTab)
    #expect(stage.text == "5\n-      ▐\n[6]")
  }

  private struct Mark: View {
    let name: String
    @FocusState private var isFocused: Bool

    var body: some View {
      Text(isFocused ? "[\(name)]" : name).focusable().focused($isFocused)
    }
  }

  @Test func `the view with the focus stays in sight when the window becomes smaller`() {
    let stage = Stage(8, 8) {
      ScrollView {
        VStack(alignment: .leading) { ForEach(1..<8) { Mark(name: "\($0)") } }
      }
    }
    stage.press(.backTab)
    #expect(stage.text == "1\n2\n3\n4\n5\n6\n[7]\n")
    stage.resize(8, 3)
    #expect(stage.lines.last == "[7]    ▐")
    stage.resize(8, 1)
    #expect(stage.text == "[7]    ▐")
    stage.resize(8, 8)
    #expect(stage.text == "1\n2\n3\n4\n5\n6\n[7]\n")
    // The user may scroll away from it all the same.
    stage.resize(8, 3)
    stage.send(MouseEvent(.wheelUp, at: Point(x: 0, y: 0)))
    stage.send(MouseEvent(.wheelUp, at: Point(x: 0, y: 0)))
    #expect(stage.lines.first?.first == "1" || stage.lines.first?.hasPrefix("[1]") == true)
  }

  @Test func `a view that had no room for a while gets the focus back`() {
    let stage = Stage(8, 4) {
      VStack(alignment: .leading) {
        Mark(name: "1")
        Text("a\nb").lineLimit(2)
        Mark(name: "2")
      }
    }
    stage.press(.tab)
    #expect(stage.text == "1\na\nb\n[2]")
    stage.resize(8, 2)
    #expect(stage.text.hasPrefix("[1]"))
    stage.resize(8, 4)
    #expect(stage.text == "1\na\nb\n[2]")
    // Once the user goes on elsewhere, the focus stays there.
    stage.resize(8, 2)
    stage.press("x")
    stage.resize(8, 4)
    #expect(stage.text == "[1]\na\nb\n2")
  }

  @Test func `a view that a key has closed does not take the focus back`() {
    let stage = Stage(8, 4) { Closing() }
    stage.press(.tab)
    #expect(stage.text == "1\n[2]\n\n")
    stage.press("x")
    #expect(stage.text == "[1]\n\n\n")
    stage.resize(8, 6)
    #expect(stage.text == "[1]\n2\n\n\n\n")
  }

  /// Two views, of which a key closes the second until there is more room.
  private struct Closing: View {
    @State private var isClosed = false

    var body: some View {
      GeometryReader { size in
        VStack(alignment: .leading) {
          Mark(name: "1")
          if !isClosed || size.height > 4 {
            Mark(name: "2").onKeyPress("x", label: "close") { isClosed = true }
          }
        }
      }
    }
  }

  @Test func `what does not scroll is a stop only when nothing in it is one`() {
    let stage = Stage(8, 3) {
      VStack(alignment: .leading) {
        ScrollView { Mark(name: "1") }.frame(height: 1)
        Mark(name: "2")
      }
    }
    #expect(stage.text == "[1]\n2\n")
    stage.press(.tab)
    #expect(stage.text == "1\n[2]\n")
    stage.press(.tab)
    #expect(stage.text == "[1]\n2\n")
  }
}
