import Loading

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let resource = Resource(loader, clock: clock.any, scheduler: executor.scheduler)
/// clock.advance(by: .seconds(1))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment, as the time since the clock was made.
  public typealias Instant = AnyClock.Instant

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Time {
    var now: Instant
    var nextID = 0
    var sleepers: [Sleeper] = []
    /// Sleeps that were cancelled before they had begun.
    var cancelled: Set<Int> = []
  }

  private let time: Lock<Time>

  /// The shortest time that the clock can tell apart.
  public let minimumResolution = Duration.nanoseconds(1)

  /// A clock that stands at `offset` after its reference.
  public init(at offset: Duration = .zero) {
    time = Lock(Time(now: Instant(offset: offset)))
  }

  /// The moment at which the clock stands.
  public var now: Instant { time.withLock { $0.now } }

  /// The clock as everything in `Loading` takes it; its instants are this clock's.
  public var any: AnyClock {
    AnyClock(
      minimumResolution: minimumResolution, now: { self.now },
      sleep: { deadline, tolerance in
        try await self.sleep(until: deadline, tolerance: tolerance)
      })
  }

  /// When the next sleeper wakes; nil when there is none.
  public var nextDeadline: Instant? {
    time.withLock { $0.sleepers.map(\.deadline).min() }
  }

  /// How many tasks sleep.
  public var sleeperCount: Int { time.withLock { $0.sleepers.count } }

  /// Waits until the clock was moved to `deadline`; throws `CancellationError` when cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = time.withLock { time in
      time.nextID += 1
      return time.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = time.withLock { time in
          if time.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if deadline <= time.now { return .success(()) }
          time.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper: Sleeper? = time.withLock { time in
        guard let index = time.sleepers.firstIndex(where: { $0.id == id }) else {
          time.cancelled.insert(id)
          return nil
        }
        return time.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    // A cancellation that came after the wake-up left its mark behind.
    time.withLock { time in _ = time.cancelled.remove(id) }
  }

  /// Moves the time and wakes the sleepers that are due, the earliest first.
  ///
  /// What they then do happens when their executor runs.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves the time forward to `instant` and wakes the sleepers that are due.
  public func advance(to instant: Instant) {
    let due = time.withLock { time in
      time.now = max(time.now, instant)
      let now = time.now
      let due = time.sleepers.filter { $0.deadline <= now }
        .sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
      time.sleepers.removeAll { $0.deadline <= now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
