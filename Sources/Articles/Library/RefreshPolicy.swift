import Foundation

/// Which feeds are fetched when articles are loaded.
public enum RefreshPolicy: Sendable, Hashable {
  /// Those that were last fetched longer ago than this, in seconds.
  ///
  /// When the user asked for the load or for a retry, all of them. Otherwise a feed is left alone
  /// for as long as its server wants it, and one whose fetch failed for a while that grows with
  /// every failure; its failure is reported again.
  case ifDue(after: TimeInterval)
  ///
  /// One whose server has said when it may be asked again is left alone until then.
  case always
  /// Those whose time has come to be reloaded by themselves: after their own interval, or else
  /// after this one, in seconds; nil for never.
  ///
  /// A feed is left alone for as long as its server wants it, and one whose fetch failed for a
  /// while that grows with every failure.
  case scheduled(every: TimeInterval?)
  /// None, unless the user asks for it; the failures of the last time are reported again.
  case whenAsked
  case never

  /// Those that were last fetched over an hour ago.
  public static let hourly = RefreshPolicy.ifDue(after: 3_600)

  /// What is done about a feed at `now`.
  func decision(on feed: StoredFeed, now: Date) -> RefreshDecision {
    switch self {
    case .always:
      if feed.goneSince != nil { return .leaveGone }
      if let end = feed.retryAfter, let failure = feed.failure,
        Self.isPausing(from: failure.date, to: end, now: now)
      {
        return .reportAgain(failure.message)
      }
      return .fetch
    case .scheduled(let interval):
      guard let due = Self.nextReload(of: feed, every: interval) else { return .leave }
      return Self.isPausing(from: feed.lastAttempt ?? due, to: due, now: now) ? .leave : .fetch
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

  /// Whether a feed is left alone because a user ended its fetch.
  func leaves(_ feed: Feed, endedAt end: Date, now: Date) -> Bool {
    let interval: TimeInterval
    switch self {
    case .always: return false
    case .ifDue(let after): interval = after
    case .scheduled(let every): interval = Self.interval(of: feed, every: every)
    case .whenAsked, .never: interval = .infinity
    }
    return Self.isPausing(from: end, to: end.addingTimeInterval(interval), now: now)
  }

  /// When a feed is to be reloaded by itself; nil for never.
  ///
  /// - Parameter interval: what is set for all feeds.
  static func nextReload(of feed: StoredFeed, every interval: TimeInterval?) -> Date? {
    let interval = Self.interval(of: feed.feed, every: interval)
    guard interval > 0, feed.goneSince == nil else { return nil }
    guard let last = feed.lastAttempt else { return .distantPast }
    return max(last.addingTimeInterval(interval), feed.notBefore ?? .distantPast)
  }

  /// After how many seconds a feed is reloaded by itself; 0 for never.
  private static func interval(of feed: Feed, every interval: TimeInterval?) -> TimeInterval {
    feed.reloadMinutes.map { Double($0) * 60 } ?? interval ?? 0
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
  case reportAgain(UserMessage)
}
