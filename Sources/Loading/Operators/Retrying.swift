extension Loader {
  /// Returns a loader that tries up to `limit` times.
  ///
  /// Each attempt begins without progress; whatever an earlier attempt still reports is dropped.
  /// ``Resource/activity`` has the number of the attempt, the limit and the time of the next
  /// attempt. A cancelled load is not tried again. All attempts are available again after a
  /// ``Resource/retry()`` by the user, and to a subscription that delivered a value before it
  /// failed.
  ///
  /// - Parameters:
  ///   - limit: how many attempts there are in total, including the first; less than 1 counts as 1.
  ///   - backoff: how long to wait between attempts, unless the error has a
  ///     ``RetryAdvice/retryAfter``.
  ///   - isRetryable: whether to try again after an error; by default this is
  ///     ``Swift/Error/allowsRetry``.
  public func retrying(
    limit: Int, backoff: Backoff = Backoff(),
    if isRetryable: @escaping @Sendable (any Error) -> Bool = { $0.allowsRetry }
  ) -> Loader {
    let limit = max(1, limit)
    return Loader(of: self) { context, output in
      var attempt = 1
      while true {
        let number = attempt
        let door = Door()
        /// Whether a subscription has delivered a value in this attempt.
        let hasDelivered = Lock(false)
        context.send(.attempt(number, limit: limit))
        do {
          defer { door.close() }
          let part = door.guarding(
            context, attempt: number,
            noting: { signal in
              if case .phase(.live) = signal { hasDelivered.withLock { $0 = true } }
            })
          return try await run(part, door.guarding(output))
        } catch {
          try Task.checkCancellation()
          if hasDelivered.withLock({ $0 }) { attempt = 0 }
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

/// How long to wait before the next attempt: by a function, or exponentially.
///
/// The exponential backoff has full jitter, so that many clients that failed at the same time do
/// not all try again at the same time.
public struct Backoff: Sendable {
  /// Returns how long to wait after an attempt has failed; the first attempt is 1.
  public let delay: @Sendable (_ attempt: Int) -> Duration

  /// Creates a backoff by a function.
  ///
  /// ```swift
  /// let patient = loader.retrying(limit: 5, backoff: Backoff { attempt in .seconds(attempt * 10) })
  /// ```
  ///
  /// - Parameter delay: returns how long to wait after the attempt with this number has failed.
  public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) {
    self.delay = delay
  }

  /// Creates an exponential backoff: each wait is a random part of a limit that grows with each
  /// attempt.
  ///
  /// - Parameters:
  ///   - base: the longest wait before the second attempt.
  ///   - factor: what the longest wait is multiplied by for each further attempt,
  ///     1...1,000.
  ///   - maximum: the longest wait of all.
  ///   - random: returns a number from 0 to 1 that each wait is multiplied by; a test passes a
  ///     fixed one.
  public init(
    base: Duration = .milliseconds(500), factor: Double = 2, maximum: Duration = .seconds(30),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.init { attempt in
      let growth = factor.isFinite ? min(max(1, factor), 1_000) : 1
      var (most, number) = (max(.zero, base), 1)
      while number < attempt, most < maximum, growth > 1, most > .zero {
        most = most * growth
        number += 1
      }
      let part = random()
      // Also for a number that is none.
      return min(most, maximum) * (part >= 0 ? min(part, 1) : 0)
    }
  }

  /// No wait at all.
  public static let none = Backoff { _ in .zero }
}
