import Loading

/// Calls the main actor at a time of a clock.
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

  /// Is due at `instant`, and at no other time; never where there is none.
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

  /// The clock of a program on a terminal is the one that the main thread's loop waits by.
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
