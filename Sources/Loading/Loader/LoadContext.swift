/// What a running load is given: its attempt, cause and clock, and the way to report progress.
///
/// It may be used from any task. Once its load or attempt has ended, everything that it reports is
/// dropped. It does not name the type of the value, so Swift can tell that type from what the
/// closure of a ``Loader`` returns.
public struct LoadContext: Sendable {
  /// Which attempt of the load this is, from 1.
  public let attempt: Int
  /// The clock to measure and wait with.
  public let clock: AnyClock
  /// Why the load was started.
  public let cause: LoadActivity.Cause

  /// When the resource's load before this one began; nil for the first.
  let previousStart: AnyClock.Instant?
  let scheduler: LoadScheduler
  /// Whether a subscription ends with its first value, because no more than one is wanted.
  private(set) var endsWhenLive = false
  /// Gives the load's permits back while it only waits, and returns what acquires them again.
  let rest: Rest
  let send: @Sendable (LoadSignal) -> Void

  typealias Rest = @Sendable () -> @Sendable () async throws -> Void

  init(
    attempt: Int = 1, clock: AnyClock, cause: LoadActivity.Cause,
    previousStart: AnyClock.Instant? = nil,
    scheduler: LoadScheduler, rest: @escaping Rest = { {} },
    send: @escaping @Sendable (LoadSignal) -> Void
  ) {
    self.attempt = attempt
    self.clock = clock
    self.cause = cause
    self.previousStart = previousStart
    self.scheduler = scheduler
    self.rest = rest
    self.send = send
  }

  /// Reports how far the load has come.
  ///
  /// Within one attempt a fraction never goes backwards.
  public func report(_ progress: LoadingProgress) {
    send(.progress(progress))
  }

  /// Reports how far the load has come; `fraction` is 0...1.
  public func report(message: String? = nil, fraction: Double? = nil) {
    report(LoadingProgress(message: message, fraction: fraction))
  }

  /// Waits, for example before another attempt, and gives the permit of a ``LoadLimit`` back
  /// meanwhile; throws `CancellationError` when the load is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: clock.now.advanced(by: duration))
  }

  /// Not here: the type of the value belongs to the output.
  @available(
    *, unavailable, message: "Yield to the second parameter: Loader { context, output in … }"
  )
  public func yield<Value>(_ value: Value) {}

  func sleep(until deadline: AnyClock.Instant) async throws {
    let goOn = rest()
    try await clock.sleep(until: deadline)
    try await goOn()
  }

  /// The same load seen by a part of a composed loader.
  func derived(
    attempt: Int? = nil, rest: Rest? = nil, send: @escaping @Sendable (LoadSignal) -> Void
  ) -> LoadContext {
    var derived = LoadContext(
      attempt: attempt ?? self.attempt, clock: clock, cause: cause, previousStart: previousStart,
      scheduler: scheduler, rest: rest ?? self.rest, send: send)
    derived.endsWhenLive = endsWhenLive
    return derived
  }

  /// The same load, of which a subscription ends with its first value.
  var endingWhenLive: LoadContext {
    var context = self
    context.endsWhenLive = true
    return context
  }
}

extension LoadContext {
  /// Where a running load publishes values before it has ended: a part, or an older copy.
  ///
  /// It may be used from any task. Once its load or attempt has ended, what it yields is dropped.
  public struct Output<Value: Sendable>: Sendable {
    private let send: @Sendable (Value) -> Void

    /// An output that passes every value to `send`.
    ///
    /// An operator gives one to the loader that it wraps, to change what that yields.
    public init(_ send: @escaping @Sendable (Value) -> Void) {
      self.send = send
    }

    /// Publishes a value; the load goes on.
    public func yield(_ value: Value) {
      send(value)
    }
  }
}

/// What a running load tells beside its values.
enum LoadSignal: Sendable {
  case progress(LoadingProgress)
  case phase(LoadActivity.Phase)
  /// A new attempt begins: progress starts over.
  case attempt(Int, limit: Int?)
  /// An attempt failed and another follows.
  case attemptFailed(any Error, nextAt: AnyClock.Instant)
  /// A cache has a value, of a load that began then.
  case foundInCache(of: AnyClock.Instant)
}
