/// An error that says whether and when to try again, such as a server's `Retry-After`.
public protocol RetryAdvice: Error {
  /// Whether another attempt can help.
  var isRetryable: Bool { get }
  /// How long to wait before it, if that was said; it replaces the backoff.
  var retryAfter: Duration? { get }
}

extension RetryAdvice {
  /// Another attempt can help.
  public var isRetryable: Bool { true }
  /// Nothing was said.
  public var retryAfter: Duration? { nil }
}

extension Error {
  /// Whether another attempt can help: what its ``RetryAdvice`` says, and true without one.
  ///
  /// ``Loader/retrying(limit:backoff:if:)`` goes by it, and views that offer a retry do.
  public var allowsRetry: Bool { (self as? any RetryAdvice)?.isRetryable ?? true }
}

extension Loader {
  /// The loader tried up to `limit` times.
  ///
  /// Each attempt begins with no progress, and what an earlier one still reports is dropped. The
  /// attempt and its limit are seen in ``Resource/activity``, and so is the time of the next. A
  /// cancelled load is not tried again. A ``Resource/retry()`` by the user gets all attempts again, and
  /// so has a subscription that delivered before it failed.
  ///
  /// - Parameters:
  ///   - limit: how many attempts there are in all, at least 1.
  ///   - backoff: how long to wait between them; an error's ``RetryAdvice`` comes first.
  ///   - isRetryable: whether an error is worth another attempt; by default its
  ///     ``RetryAdvice`` decides, and one without advice is.
  public func retrying(
    limit: Int, backoff: Backoff = Backoff(),
    if isRetryable: @escaping @Sendable (any Error) -> Bool = { $0.allowsRetry }
  ) -> Loader {
    Loader(of: self) { context, output in
      var attempt = 1
      while true {
        let number = attempt
        let door = Door()
        let delivery = Delivery()
        context.send(.attempt(number, limit: limit))
        do {
          defer { door.close() }
          return try await run(
            context.derived(attempt: number) { signal in
              door.pass {
                if case .phase(.live) = signal { delivery.note() }
                context.send(signal)
              }
            }, door.guarding(output))
        } catch {
          try Task.checkCancellation()
          if delivery.wasMade { attempt = 0 }
          guard attempt < limit, isRetryable(error) else { throw error }
          let delay =
            (error as? any RetryAdvice)?.retryAfter ?? backoff.delay(max(1, attempt))
          let next = context.clock.now.advanced(by: max(.zero, delay))
          context.send(.attemptFailed(error, nextAt: next))
          try await context.sleep(until: next)
          attempt += 1
        }
      }
    }
  }
}

/// Whether a subscription has delivered.
private final class Delivery: Sendable {
  private let door = Door()

  var wasMade: Bool {
    var isOpen = false
    door.pass { isOpen = true }
    return !isOpen
  }

  func note() { door.close() }
}

/// How long to wait before the next attempt: exponential, with full jitter, so that many clients
/// that failed together do not come back together; or by a function.
public struct Backoff: Sendable {
  /// How long to wait after the given attempt, counted from 1, has failed.
  public let delay: @Sendable (_ attempt: Int) -> Duration

  /// Waits as long as a function says.
  ///
  /// ```swift
  /// let patient = loader.retrying(limit: 5, backoff: Backoff { attempt in .seconds(attempt * 10) })
  /// ```
  ///
  /// - Parameter delay: given the number of the attempt that failed, from 1, how long to wait.
  public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) {
    self.delay = delay
  }

  /// - Parameters:
  ///   - base: the most that is waited before the second attempt.
  ///   - factor: by what the most grows with each attempt.
  ///   - maximum: the most that is ever waited.
  ///   - random: gives a random number in 0..<1; a test gives a known one.
  public init(
    base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(30),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.init { attempt in
      var most = base
      for _ in 1..<max(1, attempt) where most < maximum { most = most * factor }
      return min(most, maximum) * min(max(random(), 0), 1)
    }
  }

  /// No wait at all.
  public static let none = Backoff { _ in .zero }
}
