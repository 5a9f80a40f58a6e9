/// What fetching a feed or syncing an account came to, for a log.
public struct FetchReport: Sendable {
  /// What was fetched.
  public enum Subject: Sendable, Hashable {
    /// A feed, by its address, which may hold a password.
    case feed(String)
    /// An account, by its name.
    case account(String)
  }

  public let subject: Subject
  /// How many articles were new; nil if there was nothing to store, and after a failure.
  public let newArticles: Int?
  /// Why it failed: `CancellationError` if it was cancelled; nil if it succeeded.
  public let error: (any Error)?
  /// From the start, which includes waiting for other feeds, until everything was stored.
  public let elapsed: Duration

  /// A report made by hand, for tests of code that reads reports.
  public init(
    _ subject: Subject, newArticles: Int? = nil, error: (any Error)? = nil,
    elapsed: Duration = .zero
  ) {
    (self.subject, self.newArticles) = (subject, newArticles)
    (self.error, self.elapsed) = (error, elapsed)
  }
}

extension Library {
  /// Fetches or syncs something, and reports what it came to.
  func reporting<Value: Sendable>(
    _ subject: FetchReport.Subject, newArticles: (Value) -> Int?,
    _ fetch: () async throws -> Value
  ) async throws -> Value {
    guard let observer else { return try await fetch() }
    let start = ContinuousClock.now
    do {
      let value = try await fetch()
      observer(
        FetchReport(
          subject, newArticles: newArticles(value), elapsed: start.duration(to: .now)))
      return value
    } catch {
      observer(FetchReport(subject, error: error, elapsed: start.duration(to: .now)))
      throw error
    }
  }
}
