import Foundation

/// The result of fetching some feeds.
public struct ReloadReport: Sendable, Hashable {
  /// The result for one feed.
  public struct Entry: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
      /// The feed was fetched and stored, with this many new articles.
      case updated(newArticles: Int)
      /// The feed has not changed.
      case unchanged
      /// The articles before a mistake in the feed are stored; this many of them are new.
      case failed(UserMessage, newArticles: Int = 0)
      /// The user cancelled it.
      case cancelled
    }

    public let feed: Feed
    public let outcome: Outcome

    public init(feed: Feed, outcome: Outcome) {
      self.feed = feed
      self.outcome = outcome
    }

    /// How many articles of the feed are new.
    public var newArticles: Int {
      switch outcome {
      case .updated(let count), .failed(_, let count): count
      case .unchanged, .cancelled: 0
      }
    }
  }

  /// The result for one account; if it was synced, its feeds have entries of their own.
  public struct AccountEntry: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
      case synced(SyncReport)
      case failed(UserMessage)
      /// The user cancelled it.
      case cancelled
    }

    public let account: SyncAccount
    public let outcome: Outcome
    /// How many marks and changes of feeds still wait to be sent.
    public var waitingCount = 0
  }

  /// What is known once one feed, or one account with its feeds, has ended.
  public struct Part: Sendable, Hashable {
    public let entries: [Entry]
    /// Nil for a feed that is fetched from its own server.
    public var account: AccountEntry?
  }

  /// In the order of the feeds, not of their answers.
  public let entries: [Entry]
  /// The accounts that were due.
  public let accounts: [AccountEntry]
  /// How many feeds the list has, including those that were not due.
  public let feedCount: Int
  /// How many of them were not fetched because their servers report that they are gone for good.
  public let goneCount: Int
  /// The old articles that were dropped afterwards.
  public let dropped: DroppedArticles

  /// - Parameter feedCount: nil for the number of entries.
  public init(
    entries: [Entry], accounts: [AccountEntry] = [], feedCount: Int? = nil, goneCount: Int = 0,
    dropped: DroppedArticles = DroppedArticles()
  ) {
    self.entries = entries
    self.accounts = accounts
    self.dropped = dropped
    self.feedCount = feedCount ?? entries.count
    self.goneCount = goneCount
  }

  /// How many new articles all feeds have together.
  public var newArticles: Int {
    entries.reduce(0) { $0 + $1.newArticles }
  }

  /// The failures; nil when there are none.
  public var error: ReloadError? { error(of: entries.count) }

  /// Returns the failures among `feedCount` feeds, some of which were not due; nil when there are
  /// none.
  func error(of feedCount: Int) -> ReloadError? {
    let failures = entries.compactMap { entry -> ReloadError.Failure? in
      guard case .failed(let message, _) = entry.outcome else { return nil }
      return ReloadError.Failure(feed: entry.feed, message: message)
    }
    return failures.isEmpty ? nil : ReloadError(failures: failures, feedCount: feedCount)
  }
}

/// Some feeds could not be fetched.
///
/// Their stored articles are still there.
public struct ReloadError: MessageError, Sendable, Hashable {
  /// A feed and why it failed.
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
  /// How many feeds there were, including those that did not fail.
  public let feedCount: Int

  public init(failures: [Failure], feedCount: Int) {
    self.failures = failures
    self.feedCount = feedCount
  }

  /// The message shown to the user: the only failure, or how many feeds failed, with the first few.
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

  public var isRetryable: Bool { !failures.allSatisfy(\.message.isLasting) }

  /// When the first of the servers allows another request; nil when retrying any of the feeds may
  /// help now.
  public var retryDate: Date? {
    let passing = failures.map(\.message).filter { !$0.isLasting }
    let dates = passing.compactMap(\.retryDate)
    return dates.count == passing.count ? dates.min() : nil
  }
}
