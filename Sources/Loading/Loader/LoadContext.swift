/// What a running load can ask for, report and yield.
///
/// It may be used from any task. Once its load or attempt has ended, everything that it reports or
/// yields is dropped.
public struct LoadContext<Value: Sendable>: Sendable {
  /// Which attempt of the load this is, from 1.
  public let attempt: Int
  /// The clock to measure and wait with.
  public let clock: AnyClock
  /// Why the load was started.
  public let cause: LoadCause

  /// When the resource's load before this one began; nil for the first.
  let previousStart: AnyClock.Instant?
  let scheduler: LoadScheduler
  /// Gives the load's permits back while it only waits, and returns what acquires them again.
  var rest: Rest = { {} }
  let send: @Sendable (LoadSignal<Value>) -> Void

  typealias Rest = @Sendable () -> @Sendable () async throws -> Void

  /// The part of it that does not depend on what is loaded.
  public var reporter: LoadReporter {
    LoadReporter(attempt: attempt, clock: clock, cause: cause) { send(.progress($0)) }
  }

  /// Reports how far the load has come.
  ///
  /// Within one attempt a fraction never goes backwards.
  public func report(_ progress: LoadingProgress) {
    reporter.report(progress)
  }

  /// Reports how far the load has come; `fraction` is 0...1.
  public func report(message: String? = nil, fraction: Double? = nil) {
    reporter.report(message: message, fraction: fraction)
  }

  /// Publishes a value before the load has ended: a part, or an older copy.
  public func yield(_ value: Value) {
    send(.value(value))
  }

  /// The same load seen by a part of a composed loader.
  func derived<Part: Sendable>(
    attempt: Int? = nil, rest: Rest? = nil,
    send: @escaping @Sendable (LoadSignal<Part>) -> Void
  ) -> LoadContext<Part> {
    LoadContext<Part>(
      attempt: attempt ?? self.attempt, clock: clock, cause: cause, previousStart: previousStart,
      scheduler: scheduler, rest: rest ?? self.rest, send: send)
  }

  /// Waits until `deadline`, and gives the load's permits back meanwhile.
  func pause(until deadline: AnyClock.Instant) async throws {
    let goOn = rest()
    try await clock.sleep(until: deadline)
    try await goOn()
  }
}

/// What the closure of a ``Loader`` is given that loads one value: its attempt, cause and clock, and
/// the way to report progress.
///
/// Its type does not name the value's, so that Swift can tell that type from what the closure of a
/// ``Loader`` returns.
public struct LoadReporter: Sendable {
  /// Which attempt of the load this is, from 1.
  public let attempt: Int
  /// The clock to measure and wait with.
  public let clock: AnyClock
  /// Why the load was started.
  public let cause: LoadCause

  let send: @Sendable (LoadingProgress) -> Void

  /// Reports how far the load has come.
  ///
  /// Within one attempt a fraction never goes backwards.
  public func report(_ progress: LoadingProgress) {
    send(progress)
  }

  /// Reports how far the load has come; `fraction` is 0...1.
  public func report(message: String? = nil, fraction: Double? = nil) {
    report(LoadingProgress(message: message, fraction: fraction))
  }
}

/// What a running load sends to its resource before it ends.
enum LoadSignal<Value: Sendable>: Sendable {
  case progress(LoadingProgress)
  case value(Value)
  case phase(LoadPhase)
  /// A new attempt begins: progress starts over.
  case attempt(Int, limit: Int?)
  /// An attempt failed and another follows.
  case attemptFailed(any Error, nextAt: AnyClock.Instant)

  /// The same signal of a transformed value.
  func map<Other>(_ transform: (Value) -> Other) -> LoadSignal<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .progress(let progress): .progress(progress)
    case .phase(let phase): .phase(phase)
    case .attempt(let number, let limit): .attempt(number, limit: limit)
    case .attemptFailed(let error, let nextAt): .attemptFailed(error, nextAt: nextAt)
    }
  }
}
