/// A type-erased clock whose durations are `Duration`: a system clock, or a manual clock in tests.
public struct AnyClock: Clock, Equatable, Sendable {
  /// An instant, as the time since the reference instant of its clock.
  ///
  /// Compare only instants of the same clock.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time since the clock's reference instant.
    public let offset: Duration

    /// Creates the instant `offset` after the clock's reference instant.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// Returns the instant `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the time from this instant to `other`.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  /// One reference instead of three fields: every resource and every load has a clock.
  private final class Functions: Sendable {
    let minimumResolution: Duration
    let now: @Sendable () -> Instant
    let sleep: @Sendable (Instant, Duration?) async throws -> Void

    init(
      minimumResolution: Duration, now: @escaping @Sendable () -> Instant,
      sleep: @escaping @Sendable (Instant, Duration?) async throws -> Void
    ) {
      self.minimumResolution = minimumResolution
      self.now = now
      self.sleep = sleep
    }
  }

  private let functions: Functions

  /// Wraps `clock`; the reference instant is now.
  public init<Base: Clock>(_ clock: Base) where Base.Duration == Swift.Duration {
    let reference = clock.now
    self.init(
      minimumResolution: clock.minimumResolution,
      now: { Instant(offset: reference.duration(to: clock.now)) },
      sleep: { deadline, tolerance in
        // Clocks count in 64 bits, and trap beyond.
        let offset = min(deadline.offset, .seconds(1 << 61))
        try await clock.sleep(until: reference.advanced(by: offset), tolerance: tolerance)
      })
  }

  /// Creates a clock from two functions; `sleep` throws `CancellationError` when its task is
  /// cancelled.
  public init(
    minimumResolution: Duration = .nanoseconds(1),
    now: @escaping @Sendable () -> Instant,
    sleep: @escaping @Sendable (_ until: Instant, _ tolerance: Duration?) async throws -> Void
  ) {
    functions = Functions(minimumResolution: minimumResolution, now: now, sleep: sleep)
  }

  /// The system's continuous clock; its reference instant is its first use in the process.
  public static let continuous = AnyClock(ContinuousClock())

  /// Whether both are the same clock.
  public static func == (left: AnyClock, right: AnyClock) -> Bool {
    left.functions === right.functions
  }

  /// The smallest difference between two instants that the clock can measure.
  public var minimumResolution: Duration { functions.minimumResolution }

  /// The current instant.
  public var now: Instant { functions.now() }

  /// Waits until `deadline`; throws `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await functions.sleep(deadline, tolerance)
  }
}
