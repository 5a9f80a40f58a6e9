import Loading

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let resource = Resource(loader, clock: clock.any, scheduler: executor.scheduler)
/// clock.advance(by: .seconds(1))
/// ```
public final class ManualClock: Clock, Sendable {
  /// An instant, as the time since the clock's reference instant.
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
    /// The sleeps that were cancelled before they had begun.
    var cancelled: Set<Int> = []
  }

  private let time: Lock<Time>

  /// The smallest difference between two instants that the clock can measure.
  public let minimumResolution = Duration.nanoseconds(1)

  /// Creates a clock that stands at `offset` after its reference instant.
  public init(at offset: Duration = .zero) {
    time = Lock(Time(now: Instant(offset: offset)))
  }

  /// The current instant.
  public var now: Instant { time.withLock { $0.now } }

  /// The clock as an `AnyClock`, with the same instants.
  public var any: AnyClock {
    AnyClock(
      minimumResolution: minimumResolution, now: { self.now },
      sleep: { deadline, tolerance in
        try await self.sleep(until: deadline, tolerance: tolerance)
      })
  }

  /// When the next sleeping task wakes; nil if there is none.
  public var nextDeadline: Instant? {
    time.withLock { $0.sleepers.map(\.deadline).min() }
  }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { time.withLock { $0.sleepers.count } }

  /// Waits until the clock was advanced to `deadline`; throws `CancellationError` when the task is
  /// cancelled.
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
    // A cancellation after the wake-up has inserted the id.
    time.withLock { time in _ = time.cancelled.remove(id) }
  }

  /// Advances the clock and wakes the tasks that are due, the earliest first.
  ///
  /// They continue when their executor runs.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Advances the clock to `instant` and wakes the tasks that are due; an earlier `instant` is
  /// ignored.
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
