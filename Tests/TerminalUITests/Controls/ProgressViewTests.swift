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

  @Test func `a value is a bar that does not move, and no value a spinner`() {
    func frame(_ value: Double?) -> Frame {
      Frame(ProgressView("Ticks", value: value, total: 4), size: Size(width: 20, height: 1))
    }
    #expect(frame(1).text == "Ticks ██▎░░░░░░ 25 %")
    #expect(frame(1).nextChange == nil)
    #expect(frame(nil).text == "⠋ Ticks")
    #expect(frame(nil).nextChange != nil)
  }
}
