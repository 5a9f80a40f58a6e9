/// The outcome of fetching a feed, syncing an account or dropping old articles, for a log.
public struct FetchReport: Sendable {
  /// What was done.
  public enum Subject: Sendable, Hashable {
    /// A feed, by its address, which contains no user name or password but may contain a token.
    case feed(String)
    /// An account, by its name.
    case account(String)
    /// Articles that are not kept any longer.
    case dropping(DroppedArticles)
  }

  public let subject: Subject
  /// How many articles were new and not muted; nil if there was nothing to store.
  public let newArticles: Int?
  /// Why it failed: `CancellationError` if it was cancelled; nil if it succeeded.
  public let error: (any Error)?
  /// The time from the start until everything was stored, including the wait for other feeds.
  public let elapsed: Duration
  /// The steps between fetching and storing; zero for an account, and if nothing was stored.
  public let work: Work

  /// How long each step between fetching and storing took.
  public struct Work: Sendable, Hashable {
    /// Parsing the document.
    public var parsing = Duration.zero
    /// Deriving the stored values: plain texts, ids, reading times.
    public var preparing = Duration.zero

    public init() {}
  }

  /// Creates a report for tests of code that reads reports.
  public init(
    _ subject: Subject, newArticles: Int? = nil, error: (any Error)? = nil,
    elapsed: Duration = .zero, work: Work = Work()
  ) {
    (self.subject, self.newArticles) = (subject, newArticles)
    (self.error, self.elapsed, self.work) = (error, elapsed, work)
  }
}

extension Library {
  /// Runs a fetch or a sync, and reports its outcome.
  func reporting<Value: Sendable>(
    _ subject: FetchReport.Subject, newArticles: (Value) -> Int?,
    error: (Value) -> (any Error)? = { _ in nil },
    work: (Value) -> FetchReport.Work = { _ in FetchReport.Work() },
    _ fetch: () async throws -> Value
  ) async throws -> Value {
    guard let observer else { return try await fetch() }
    let start = ContinuousClock.now
    do {
      let value = try await fetch()
      observer(
        FetchReport(
          subject, newArticles: newArticles(value), error: error(value),
          elapsed: start.duration(to: .now), work: work(value)))
      return value
    } catch {
      observer(FetchReport(subject, error: error, elapsed: start.duration(to: .now)))
      throw error
    }
  }
}
