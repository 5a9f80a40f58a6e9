import Foundation

/// Which feeds are fetched when articles are loaded.
public enum RefreshPolicy: Sendable, Hashable {
  /// The feeds that were last fetched longer ago than this, in seconds.
  ///
  /// All feeds, if the user requested the load or a retry. Otherwise a feed is not fetched before
  /// the time that its server gives, and a failed one not before a pause that grows with every
  /// failure; its failure is reported again.
  case ifDue(after: TimeInterval)
  /// All feeds, except those that are gone for good, and those whose server, or the server of whose
  /// account, has given a time before which it allows no request.
  case always
  /// The feeds that are due for an automatic reload: after their own interval, or otherwise after
  /// this one, in seconds; nil for never.
  ///
  /// A feed is not fetched before the time that its server gives, and a failed one not before a
  /// pause that grows with every failure. Feeds that are gone for good are not fetched.
  case scheduled(every: TimeInterval?)
  /// None, unless the user requests it; earlier failures are reported again.
  case whenAsked
  case never

  /// The feeds that were last fetched over an hour ago.
  public static let hourly = RefreshPolicy.ifDue(after: 3_600)

  /// Decides what to do with a feed at `now`.
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
      guard let due = Self.nextReload(of: feed, every: interval, now: now) else { return .leave }
      return now < due ? .leave : .fetch
    case .whenAsked:
      if feed.goneSince != nil { return .leaveGone }
      return feed.failure.map { .reportAgain($0.message) } ?? .leave
    case .never: return .leave
    case .ifDue(let interval):
      if feed.goneSince != nil { return .leaveGone }
      if feed.isOnlyAdded { return .leave }
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

  /// Decides whether an account is synced, of which no feed is due.
  ///
  /// An account is due when the first of its feeds is. One that has none is due as a feed would be
  /// that was fetched with its last sync, and one that was never synced is due.
  ///
  /// - Parameter hasFeeds: whether it has feeds, without those that were only added.
  func isDue(_ account: StoredAccount, hasFeeds: Bool, now: Date) -> Bool {
    let isNew = account.lastAttempt == nil
    switch self {
    case .always: return true
    case .whenAsked, .never: return false
    case .ifDue(let interval):
      let last = account.lastSynced ?? .distantPast
      let end = last.addingTimeInterval(interval)
      return isNew || !hasFeeds && !Self.isPausing(from: last, to: end, now: now)
    case .scheduled(let interval):
      let next = Self.nextReload(of: account, every: interval, now: now) ?? .distantFuture
      return isNew || !hasFeeds && next <= now
    }
  }

  /// Whether a feed is not fetched because the user cancelled its fetch at `end`.
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

  /// Returns when a feed is reloaded automatically; nil for never.
  ///
  /// A feed that was last fetched in the future, by a clock that was ahead, is due.
  ///
  /// - Parameter interval: the interval for feeds without their own.
  static func nextReload(
    of feed: StoredFeed, every interval: TimeInterval?, now: Date
  ) -> Date? {
    let interval = Self.interval(of: feed.feed, every: interval)
    guard interval > 0, feed.goneSince == nil, !feed.isOnlyAdded else { return nil }
    guard let last = feed.lastAttempt, last <= now else { return .distantPast }
    return max(last.addingTimeInterval(interval), feed.notBefore ?? .distantPast)
  }

  /// Returns when an account without feeds is synced automatically; nil for never.
  static func nextReload(
    of account: StoredAccount, every interval: TimeInterval?, now: Date
  ) -> Date? {
    guard let interval, interval > 0 else { return nil }
    guard let last = account.lastAttempt, last <= now else { return .distantPast }
    return max(last.addingTimeInterval(interval), account.nextAttempt ?? .distantPast)
  }

  /// Returns the interval in seconds after which a feed is reloaded automatically; 0 for never.
  private static func interval(of feed: Feed, every interval: TimeInterval?) -> TimeInterval {
    feed.reloadMinutes.map { Double($0) * 60 } ?? interval ?? 0
  }

  /// Whether now is between two dates.
  ///
  /// A clock that was set back must not keep a feed or an account from being fetched for years.
  static func isPausing(from start: Date, to end: Date, now: Date) -> Bool {
    start <= now && now < end
  }
}

enum RefreshDecision: Equatable {
  case fetch, leave
  /// The server reports that the feed is gone for good.
  case leaveGone
  case reportAgain(UserMessage)
}

/// Computes how long a failing feed is not fetched.
enum FailurePause {
  static let first: TimeInterval = 300
  static let longest: TimeInterval = 86_400

  /// Returns the pause in seconds, which doubles with every failure.
  ///
  /// - Parameter chance: in 0..<1. Makes the pause up to a quarter shorter or longer, so that feeds
  ///   which failed together, for example without a network, are not all fetched together again.
  static func seconds(
    failures: Int, chance: Double, first: TimeInterval = first
  ) -> TimeInterval {
    let doublings = min(max(failures, 1) - 1, 20)
    return min(first * Double(1 << doublings), longest) * (0.75 + chance / 2)
  }
}
