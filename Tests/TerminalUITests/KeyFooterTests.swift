import Testing

@testable import TerminalUI

/// The line of keys uses its width: as many hints as fit, those that matter most first.
@MainActor
@Suite struct KeyFooterTests {
  private func footer(_ width: Int) -> String {
    let view = VStack(alignment: .leading) {
      Text("list").focusable()
        .onKeyPress("n", label: "next", inFooter: false) {}
        .onKeyPress("m", label: "mark read", inFooter: false) {}
        .onKeyPress(.enter, label: "open") {}
      KeyFooter()
    }
    .onKeyPress("r", label: "reload") {}
    .onKeyPress("/", label: "search", inFooter: false) {}
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

  @Test func `moving is in no footer, and Tab is where there is another pane`() {
    struct Item: Identifiable { let id: Int }
    let view = VStack(alignment: .leading) {
      List((0..<2).map(Item.init)) { Text("row \($0.id)") }
      Button("Save") {}
      KeyFooter()
    }
    #expect(
      Frame(view, size: Size(width: 60, height: 6)).cells.line(5) == "Tab next pane")
  }
}
