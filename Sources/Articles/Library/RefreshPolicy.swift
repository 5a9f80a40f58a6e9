import Foundation

/// Which feeds are fetched when articles are loaded.
public enum RefreshPolicy: Sendable, Hashable {
  /// Those that were last fetched longer ago than this, in seconds.
  ///
  /// When a person asked for the load or for a retry, all of them. A feed whose fetch failed is left alone for five minutes otherwise, and
  /// its failure is reported again.
  case ifDue(after: TimeInterval)
  case always
  case never

  /// Those that were last fetched over an hour ago.
  public static let hourly = RefreshPolicy.ifDue(after: 3_600)

  /// How long a feed that failed is left alone unless a person asks.
  static let pauseAfterFailure: TimeInterval = 300

  /// What is done about a feed at `now`.
  func decision(on feed: StoredFeed, now: Date) -> RefreshDecision {
    switch self {
    case .always: return .fetch
    case .never: return .leave
    case .ifDue(let interval):
      // A clock that was set back must not keep a feed from being fetched for years.
      func isOlder(_ date: Date?, than interval: TimeInterval) -> Bool {
        guard let date else { return true }
        return !(0..<interval ~= now.timeIntervalSince(date))
      }
      guard isOlder(feed.feed.lastFetched, than: interval) || feed.failure != nil else {
        return .leave
      }
      if let failure = feed.failure, !isOlder(failure.date, than: Self.pauseAfterFailure) {
        return .reportAgain(failure.message)
      }
      return .fetch
    }
  }
}

enum RefreshDecision: Equatable {
  case fetch, leave
  case reportAgain(PersonMessage)
}
