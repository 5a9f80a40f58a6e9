/// Any clock that counts in `Duration`: the real one, or a manual one in tests and stills.
///
/// Two are equal if they are one and the same clock.
public struct AnyClock: Clock, Equatable, Sendable {
  /// A moment, as the time since its clock's own reference; comparable within one clock only.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time since the clock's reference.
    public let offset: Duration

    /// The moment `offset` after the clock's reference.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The moment `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from this moment to `other`.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether `left` is the earlier one.
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

  /// Wraps `clock`; its reference is the moment of wrapping.
  public init<Base: Clock>(_ clock: Base) where Base.Duration == Swift.Duration {
    let reference = clock.now
    self.init(
      minimumResolution: clock.minimumResolution,
      now: { Instant(offset: reference.duration(to: clock.now)) },
      sleep: { deadline, tolerance in
        try await clock.sleep(until: reference.advanced(by: deadline.offset), tolerance: tolerance)
      })
  }

  /// A clock made of its two functions; `sleep` throws `CancellationError` when cancelled.
  public init(
    minimumResolution: Duration = .nanoseconds(1),
    now: @escaping @Sendable () -> Instant,
    sleep: @escaping @Sendable (_ until: Instant, _ tolerance: Duration?) async throws -> Void
  ) {
    functions = Functions(minimumResolution: minimumResolution, now: now, sleep: sleep)
  }

  /// The system's continuous clock; its reference is the process's first use of it.
  public static let continuous = AnyClock(ContinuousClock())

  /// Whether both are one and the same clock.
  public static func == (left: AnyClock, right: AnyClock) -> Bool {
    left.functions === right.functions
  }

  /// The shortest time that the clock can tell apart.
  public var minimumResolution: Duration { functions.minimumResolution }

  /// The moment that it is.
  public var now: Instant { functions.now() }

  /// Waits until `deadline`; throws `CancellationError` when cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await functions.sleep(deadline, tolerance)
  }
}
