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
  /// The parts of that time which the processor was needed for.
  public let work: Work

  /// How long the steps between fetching and storing took.
  public struct Work: Sendable, Hashable {
    /// Parsing the document.
    public var parsing = Duration.zero
    /// Deriving what is stored: plain texts, ids, reading times.
    public var preparing = Duration.zero

    public init() {}
  }

  /// A report made by hand, for tests of code that reads reports.
  public init(
    _ subject: Subject, newArticles: Int? = nil, error: (any Error)? = nil,
    elapsed: Duration = .zero, work: Work = Work()
  ) {
    (self.subject, self.newArticles) = (subject, newArticles)
    (self.error, self.elapsed, self.work) = (error, elapsed, work)
  }
}

extension Library {
  /// Fetches or syncs something, and reports what it came to.
  func reporting<Value: Sendable>(
    _ subject: FetchReport.Subject, newArticles: (Value) -> Int?,
    work: (Value) -> FetchReport.Work = { _ in FetchReport.Work() },
    _ fetch: () async throws -> Value
  ) async throws -> Value {
    guard let observer else { return try await fetch() }
    let start = ContinuousClock.now
    do {
      let value = try await fetch()
      observer(
        FetchReport(
          subject, newArticles: newArticles(value), elapsed: start.duration(to: .now),
          work: work(value)))
      return value
    } catch {
      observer(FetchReport(subject, error: error, elapsed: start.duration(to: .now)))
      throw error
    }
  }
}
