/// What a running load is given: its attempt, cause and clock, and a way to report progress.
///
/// It can be used from any task. Everything that is reported after the load or attempt has ended is
/// dropped. The type of the value is not a part of this type, so Swift can infer it from what the
/// closure of a ``Loader`` returns.
public struct LoadContext: Sendable {
  /// The number of the attempt; the first is 1.
  public let attempt: Int
  /// The clock to measure and wait with.
  public var clock: AnyClock { origin.clock }
  /// Why the load was started.
  public var cause: LoadActivity.Cause { origin.cause }

  let origin: Origin
  /// Whether a subscription ends after its first value, because only one is wanted.
  private(set) var endsWhenLive = false
  /// The tags of the loaders around this one, see ``Loader/tagged(_:)``.
  private(set) var tags: Set<MutationKey> = []
  /// Gives the load's permits back while it waits, and returns a function that acquires them again.
  let rest: Rest
  let send: @Sendable (LoadSignal) -> Void

  typealias Rest = @Sendable () -> @Sendable () async throws -> Void

  /// What all contexts of one load have in common; a ``LoadRun`` if a resource loads.
  ///
  /// Each load has its own: loads on several threads would otherwise count the references to the
  /// same clock and scheduler, and wait for each other.
  // Unchecked, because the compiler cannot check a class that is not final; its state is constant.
  class Origin: @unchecked Sendable {
    let clock: AnyClock
    let cause: LoadActivity.Cause
    /// When the resource's previous load began; nil for the first load.
    let previousStart: AnyClock.Instant?
    let scheduler: LoadScheduler

    init(
      clock: AnyClock, cause: LoadActivity.Cause, previousStart: AnyClock.Instant? = nil,
      scheduler: LoadScheduler
    ) {
      self.clock = clock
      self.cause = cause
      self.previousStart = previousStart
      self.scheduler = scheduler
    }
  }

  init(
    _ origin: Origin, attempt: Int = 1, rest: @escaping Rest = { {} },
    send: @escaping @Sendable (LoadSignal) -> Void
  ) {
    self.origin = origin
    self.attempt = attempt
    self.rest = rest
    self.send = send
  }

  /// Reports how far the load has come.
  ///
  /// A ``Resource`` ignores a fraction that is lower than an earlier one of the same attempt, and
  /// keeps a message until the attempt reports another one. An empty message removes it.
  public func report(_ progress: LoadingProgress) {
    send(.progress(progress))
  }

  /// Reports how far the load has come; `fraction` is 0...1.
  public func report(message: String? = nil, fraction: Double? = nil) {
    report(LoadingProgress(message: message, fraction: fraction))
  }

  /// Waits, for example before another attempt.
  ///
  /// Meanwhile the load gives back its permit of a ``LoadLimit``.
  ///
  /// - Throws: `CancellationError` when the load is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleep(until: clock.now.advanced(by: duration))
  }

  /// Unavailable: values are yielded to the closure's second parameter.
  @available(
    *, unavailable, message: "Yield to the second parameter: Loader { context, output in … }"
  )
  public func yield<Value>(_ value: Value) {}

  func sleep(until deadline: AnyClock.Instant) async throws {
    let goOn = rest()
    try await clock.sleep(until: deadline)
    try await goOn()
  }

  /// Returns the context for a part of a composed loader.
  func derived(
    attempt: Int? = nil, rest: Rest? = nil, send: @escaping @Sendable (LoadSignal) -> Void
  ) -> LoadContext {
    var derived = LoadContext(
      origin, attempt: attempt ?? self.attempt, rest: rest ?? self.rest, send: send)
    derived.endsWhenLive = endsWhenLive
    derived.tags = tags
    return derived
  }

  /// Returns the same context for a loader inside one with these tags.
  func tagged(_ more: Set<MutationKey>) -> LoadContext {
    var context = self
    context.tags.formUnion(more)
    return context
  }

  /// The same context, in which a subscription ends after its first value.
  var endingWhenLive: LoadContext {
    var context = self
    context.endsWhenLive = true
    return context
  }
}

extension LoadContext {
  /// Publishes values of a running load before it has ended, such as a part or an older copy.
  ///
  /// It can be used from any task. Values that are yielded after the load or attempt has ended are
  /// dropped.
  public struct Output<Value: Sendable>: Sendable {
    private let send: @Sendable (Value) -> Void

    /// Creates an output that passes every value to `send`.
    ///
    /// An operator creates one for the loader that it wraps, to change what that loader yields.
    public init(_ send: @escaping @Sendable (Value) -> Void) {
      self.send = send
    }

    /// Publishes a value; the load continues.
    public func yield(_ value: Value) {
      send(value)
    }
  }
}

/// What a running load reports besides its values.
enum LoadSignal: Sendable {
  case progress(LoadingProgress)
  case phase(LoadActivity.Phase)
  /// A new attempt begins: progress starts over.
  case attempt(Int, limit: Int?)
  /// An attempt failed, and another follows.
  case attemptFailed(any Error, nextAt: AnyClock.Instant)
  /// A cache has a value, from a load that began at this time.
  case foundInCache(of: AnyClock.Instant)
}
