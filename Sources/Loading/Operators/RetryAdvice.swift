/// An error that says whether and when to try again, for example from a server's `Retry-After`
/// header.
public protocol RetryAdvice: Error {
  /// Whether another attempt can help.
  var isRetryable: Bool { get }
  /// How long to wait before the next attempt, instead of the backoff; nil for the backoff.
  ///
  /// A resource that loads again automatically, see ``Refreshing``, waits as long, too. Loads by the
  /// user and those that follow an invalidation do not wait.
  var retryAfter: Duration? { get }
}

extension RetryAdvice {
  /// True: another attempt can help.
  public var isRetryable: Bool { true }
  /// Nil: the backoff decides.
  public var retryAfter: Duration? { nil }
}

extension Error {
  /// Whether another attempt can help: as the error's ``RetryAdvice`` says, or true if it has none.
  ///
  /// Used by ``Loader/retrying(limit:backoff:if:)`` and by views that offer a retry.
  public var allowsRetry: Bool { (self as? any RetryAdvice)?.isRetryable ?? true }
}
