import Foundation

/// Which feeds are fetched when articles are loaded.
public enum RefreshPolicy: Sendable, Hashable {
  /// Those that were last fetched longer ago than this, in seconds.
  ///
  /// When a person asked for the load or for a retry, all of them. Otherwise a feed is left alone
  /// for as long as its server wants it, and one whose fetch failed for a while that grows with
  /// every failure; its failure is reported again.
  case ifDue(after: TimeInterval)
  case always
  /// None, unless a person asks for it; the failures of the last time are reported again.
  case whenAsked
  case never

  /// Those that were last fetched over an hour ago.
  public static let hourly = RefreshPolicy.ifDue(after: 3_600)

  /// What is done about a feed at `now`.
  func decision(on feed: StoredFeed, now: Date) -> RefreshDecision {
    switch self {
    case .always: return feed.goneSince == nil ? .fetch : .leaveGone
    case .whenAsked:
      if feed.goneSince != nil { return .leaveGone }
      return feed.failure.map { .reportAgain($0.message) } ?? .leave
    case .never: return .leave
    case .ifDue(let interval):
      if feed.goneSince != nil { return .leaveGone }
      if let failure = feed.failure {
        let end = feed.notBefore ?? failure.date.addingTimeInterval(FailurePause.first)
        return Self.isPausing(from: failure.date, to: end, now: now)
          ? .reportAgain(failure.message) : .fetch
      }
      guard let last = feed.feed.lastFetched else { return .fetch }
      let due = max(last.addingTimeInterval(interval), feed.notBefore ?? .distantPast)
      return Self.isPausing(from: last, to: due, now: now) ? .leave : .fetch
    }
  }

  /// A clock that was set back must not keep a feed from being fetched for years.
  private static func isPausing(from start: Date, to end: Date, now: Date) -> Bool {
    start <= now && now < end
  }
}

enum RefreshDecision: Equatable {
  case fetch, leave
  /// Its server says that it is gone for good.
  case leaveGone
  case reportAgain(PersonMessage)
}
