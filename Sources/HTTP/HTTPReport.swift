/// What a request came to, for a log.
public struct HTTPReport: Sendable {
  /// The address that was asked for, as it was written: it may hold a password.
  public let url: String
  /// Whether something was posted.
  public let isPost: Bool
  /// How often the server sent us on.
  public let redirects: Int
  /// The status of the answer; nil if there was none.
  public let status: Int?
  /// Why there was no answer, or no whole body: an ``HTTPError``, or `CancellationError` if the task was
  /// cancelled.
  ///
  /// A reader that leaves before the end of the body is no failure.
  public let error: (any Error)?
  /// The bytes of all bodies on the wire, before decompression.
  public let received: Int
  /// From the first byte of work to the last; waiting for a permit is not in it.
  public let elapsed: Duration

  /// A report made by hand, for tests of code that reads reports.
  public init(
    url: String, isPost: Bool = false, redirects: Int = 0, status: Int?, error: (any Error)? = nil,
    received: Int = 0, elapsed: Duration = .zero
  ) {
    (self.url, self.isPost, self.redirects) = (url, isPost, redirects)
    (self.status, self.error) = (status, error)
    (self.received, self.elapsed) = (received, elapsed)
  }
}
