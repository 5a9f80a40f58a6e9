import Foundation

/// What came of fetching some feeds.
public struct ReloadReport: Sendable, Hashable {
  /// One feed's part.
  public struct Entry: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
      /// Fetched and kept; with how many articles that were not there before.
      case updated(newArticles: Int)
      /// The server said that nothing has changed.
      case unchanged
      case failed(UserMessage)
      /// The user ended it.
      case cancelled
    }

    public let feed: Feed
    public let outcome: Outcome

    public init(feed: Feed, outcome: Outcome) {
      self.feed = feed
      self.outcome = outcome
    }
  }

  /// One account's part, whose feeds are among the others when it was synced.
  public struct AccountEntry: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
      case synced(SyncReport)
      case failed(UserMessage)
      /// The user ended it.
      case cancelled
    }

    public let account: SyncAccount
    public let outcome: Outcome

    public init(account: SyncAccount, outcome: Outcome) {
      self.account = account
      self.outcome = outcome
    }
  }

  /// In the order of the feeds, not of their answers.
  public let entries: [Entry]
  /// The accounts that were to be synced.
  public let accounts: [AccountEntry]
  /// How many feeds there are in the list, also those that were not due.
  public let feedCount: Int

  /// - Parameter feedCount: as many as there are entries unless told otherwise.
  public init(entries: [Entry], accounts: [AccountEntry] = [], feedCount: Int? = nil) {
    self.entries = entries
    self.accounts = accounts
    self.feedCount = feedCount ?? entries.count
  }

  /// Of all feeds together.
  public var newArticles: Int {
    entries.reduce(0) {
      if case .updated(let count) = $1.outcome { $0 + count } else { $0 }
    }
  }

  /// What failed; nil when nothing did.
  public var error: ReloadError? { error(of: entries.count) }

  /// The same of so many feeds, some of which were not due.
  func error(of feedCount: Int) -> ReloadError? {
    let failures = entries.compactMap { entry -> ReloadError.Failure? in
      guard case .failed(let message) = entry.outcome else { return nil }
      return ReloadError.Failure(feed: entry.feed, message: message)
    }
    return failures.isEmpty ? nil : ReloadError(failures: failures, feedCount: feedCount)
  }
}

/// Some feeds could not be loaded.
///
/// What was stored of them before is still there.
public struct ReloadError: Error, Sendable, Hashable {
  /// Which feed, and why.
  public struct Failure: Sendable, Hashable {
    public let feed: Feed
    public let message: UserMessage

    public init(feed: Feed, message: UserMessage) {
      self.feed = feed
      self.message = message
    }
  }

  /// Never empty.
  public let failures: [Failure]
  /// Of how many feeds.
  public let feedCount: Int

  public init(failures: [Failure], feedCount: Int) {
    self.failures = failures
    self.feedCount = feedCount
  }

  /// What the user is told: the one reason, or how many feeds it concerns with the first few.
  public var message: UserMessage {
    if let only = failures.first, failures.count == 1 {
      let detail = [only.feed.title, only.message.detail].compactMap { $0 }
      return UserMessage(
        what: feedCount == 1
          ? only.message.what
          : "\(UserMessage.cleaned(only.feed.shownTitle)): \(only.message.what)",
        advice: only.message.advice, detail: detail.joined(separator: ": "),
        isLasting: !isRetryable, retryDate: retryDate)
    }
    let shown = failures.prefix(3).map {
      "\(UserMessage.cleaned($0.feed.shownTitle, limit: 40)): \($0.message.what)"
    }
    return UserMessage(
      what: "\(failures.count) of \(feedCount) feeds failed.",
      advice: "The list of feeds says why.",
      detail: (shown + (failures.count > 3 ? ["…"] : [])).joined(separator: " "),
      isLasting: !isRetryable, retryDate: retryDate)
  }

  /// When the first of the servers may be asked again; nil when a retry of any feed may help now.
  private var retryDate: Date? {
    let passing = failures.map(\.message).filter { !$0.isLasting }
    let dates = passing.compactMap(\.retryDate)
    return dates.count == passing.count ? dates.min() : nil
  }
}
