import Loading
import Testing

@testable import TerminalUI

@MainActor
struct ProgressViewTests {
  @Test(arguments: [
    (40, "⠋ 1 of 5 feeds ████░░░░░░░░░░░░░░░░ 20 %"), (25, "⠋ 1 of 5 feeds █░░░░ 20 %"),
    (21, "⠋ 1 of 5 feeds ▏ 20 %"), (19, "⠋ 1 of 5 feeds 20 %"), (14, "⠋ 1 of… ▏ 20 %"),
    (6, "⠋ 20 %"), (4, "⠋ 2…"),
  ])
  func `where room is short, the bar shrinks before a word is cut`(width: Int, line: String) {
    let view = ProgressView(LoadingProgress(message: "1 of 5 feeds", fraction: 0.2))
    #expect(Frame(view, size: Size(width: width, height: 1)).text == line)
  }
}
