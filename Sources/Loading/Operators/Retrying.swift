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
