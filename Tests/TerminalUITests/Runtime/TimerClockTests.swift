import Loading
import Testing

@testable import TerminalUI

@Suite struct TimerClockTests {
  @Test func `the clock of a terminal counts from the same instant as that of a resource`() {
    let start = AnyClock.continuous.now
    // Otherwise a clock that counts from its own first use could differ by less than can be seen.
    while start.duration(to: AnyClock.continuous.now) < .milliseconds(1) {}
    let before = AnyClock.continuous.now
    let now = AnyClock.terminal.now
    #expect(before <= now && now <= AnyClock.continuous.now)
  }
}
