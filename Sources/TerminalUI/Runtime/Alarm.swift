import Loading

/// Calls back on the main actor at an instant of a clock.
@MainActor
final class Alarm {
  private let clock: AnyClock
  private let ring: @MainActor () -> Void
  private var instant: AnyClock.Instant?
  private var task: Task<Void, Never>?

  init(clock: AnyClock, ring: @escaping @MainActor () -> Void) {
    self.clock = clock
    self.ring = ring
  }

  /// Replaces the instant of the alarm; nil turns it off.
  func set(_ instant: AnyClock.Instant?) {
    guard instant != self.instant else { return }
    self.instant = instant
    if MainLoop.isRunning, clock == .terminal { return setInLoop() }
    task?.cancel()
    task = instant.map { instant in
      Task(executorPreference: WorkerPool.shared) { [clock, weak self] in
        guard (try? await clock.sleep(until: instant, tolerance: nil)) != nil else { return }
        await self?.fire()
      }
    }
  }

  /// Uses the alarm of the main thread's loop, which waits by the terminal clock.
  private func setInLoop() {
    MainLoop.setAlarm(
      instant.map { instant in
        (
          ContinuousClock.now + clock.now.duration(to: instant),
          { [weak self] in self?.fire() }
        )
      })
  }

  private func fire() {
    instant = nil
    ring()
  }
}
