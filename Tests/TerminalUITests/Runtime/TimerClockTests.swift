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

  @Test func `a sleep ends when its instant has come`() async throws {
    let clock = AnyClock.terminal
    try await clock.sleep(until: clock.now, tolerance: nil)
    let instant = clock.now.advanced(by: .milliseconds(1))
    try await clock.sleep(until: instant, tolerance: nil)
    #expect(clock.now >= instant)
  }

  @Test func `a sleep whose task is cancelled ends at once`() async {
    let task = Task {
      let clock = AnyClock.terminal
      try await clock.sleep(until: clock.now.advanced(by: .seconds(100_000)), tolerance: nil)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
