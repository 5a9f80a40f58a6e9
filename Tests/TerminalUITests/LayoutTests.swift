import Testing

@testable import TerminalUI

@MainActor
@Suite struct LayoutTests {
  @Test func `text wraps at words to the room there is`() {
    let frame = Frame(Text("the quick brown fox"), size: Size(width: 10, height: 3))
    #expect(frame.text == "the quick\nbrown fox\n")
  }

  @Test func `text that is too long for its lines ends with an ellipsis`() {
    let frame = Frame(Text("the quick brown fox").lineLimit(1), size: Size(width: 10, height: 1))
    #expect(frame.text == "the quick…")
  }

  @Test func `a spacer takes what the others leave`() {
    let view = HStack {
      Text("left")
      Spacer()
      Text("right")
    }
    #expect(Frame(view, size: Size(width: 20, height: 1)).text == "left           right")
  }

  @Test func `the smallest keep their size when there is too little room`() {
    let view = HStack {
      Text("12")
      Text("a long text that cannot fit").lineLimit(1)
    }
    #expect(Frame(view, size: Size(width: 12, height: 1)).text == "12 a long t…")
  }

  @Test func `a border has its title in its upper edge`() {
    let view = Text("Hi").frame(width: 10).border("Greet")
    #expect(
      Frame(view, size: Size(width: 12, height: 3)).text == """
        ╭─ Greet ──╮
        │    Hi    │
        ╰──────────╯
        """)
  }

  @Test func `redacted text keeps its words and lines`() {
    let view = Text("the quick brown fox").redacted(reason: .placeholder)
    #expect(
      Frame(view, size: Size(width: 10, height: 2)).text == "▇▇▇ ▇▇▇▇▇\n▇▇▇▇▇ ▇▇▇")
  }
}
