import Loading
import Testing

@testable import TerminalUI

@Suite struct TimerClockTests {
  @Test func `the clock of a terminal counts from the same instant as that of a resource`() {
    let before = AnyClock.continuous.now
    let now = AnyClock.terminal.now
    #expect(before <= now && now <= AnyClock.continuous.now)
  }
}
