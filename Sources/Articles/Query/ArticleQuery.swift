import Foundation

/// Which articles a list shows.
///
/// ```swift
/// let today = ArticleQuery(since: days.start(of: days.number(of: now)))
/// let articles = Resource(library.listing(matching: today, refresh: .hourly))
/// ```
public struct ArticleQuery: Sendable, Hashable {
  public var feeds: FeedSelection
  /// Read or unread articles only; nil for both.
  public var isRead: Bool?
  /// Starred or unstarred articles only; nil for both.
  public var isStarred: Bool?
  /// Only articles whose date, or first appearance if earlier, is this time or later.
  public var since: Date?
  /// A further condition; nil for none.
  public var `where`: ArticleCondition?
  public var order: ArticleOrder
  /// In a list of unread articles, those that this program has marked as read after this change
  /// stay, see ``Library/latestChange``; nil for none.
  ///
  /// This way, an article that the user reads does not disappear from the list on the screen.
  public var keptSince: LibraryChange.ID?
  /// The most articles; nil for all.
  public var limit: Int?
  /// Whether an article that several feeds carry is listed once for each of them.
  public var showsCopies = false

  public init(
    _ feeds: FeedSelection = .all, isRead: Bool? = nil, isStarred: Bool? = nil, since: Date? = nil,
    where condition: ArticleCondition? = nil, order: ArticleOrder = .newest, limit: Int? = nil
  ) {
    self.feeds = feeds
    self.isRead = isRead
    self.isStarred = isStarred
    self.since = since
    self.where = condition
    self.order = order
    self.limit = limit
  }

  /// Whether the query selects all articles, apart from the limit.
  var isEverything: Bool { isRead == nil && isNarrowedOnlyByRead }

  /// Whether nothing but ``isRead`` and the limit leaves articles out.
  var isNarrowedOnlyByRead: Bool {
    feeds == .all && isStarred == nil && since == nil && self.where == nil
  }

  /// Whether it searches for words, which needs the search index.
  var hasWords: Bool { self.where?.hasWords ?? false }

  /// The meaning of a list without articles.
  enum Emptiness {
    /// Nothing was ever loaded: if all feeds have failed, that is the reason.
    case failure
    /// No stored article matches, but one that is being fetched may.
    case possible
    /// No article matches, and none that is being fetched will.
    case final
  }

  var emptiness: Emptiness {
    if isStarred == true || self.where == .isMuted || self.where == Self.later.where {
      return .final
    }
    return isRead == nil && since == nil && self.where == nil ? .failure : .possible
  }

  /// All unread articles.
  public static let unread = ArticleQuery(isRead: false)
  /// All starred articles.
  public static let starred = ArticleQuery(isStarred: true)
  /// All muted articles.
  public static let muted = ArticleQuery(where: .isMuted)
  /// All articles tagged to be read later.
  public static let later = ArticleQuery(where: .tagged(ArticleTag.later))

  /// The same query for unread articles only.
  var unread: ArticleQuery {
    var query = self
    query.isRead = false
    return query
  }
}

/// How many articles the lists across all feeds have, without those that ``FeedSummary`` counts.
public struct ArticleCounts: Sendable, Hashable {
  /// How many starred articles are unread.
  public var starredUnread: Int
  /// How many unread articles are recent: since the requested time.
  public var recentUnread: Int
  /// How many are muted; these are in no other list.
  public var muted: Int
  /// How many are tagged to be read later.
  public var later: Int
  /// How many of ``later`` are unread.
  public var laterUnread: Int
  /// How many unread articles each set of feeds has in common; lists across these feeds show them
  /// once.
  public var unreadCopies: [Set<Feed.ID>: Int]

  public init(
    starredUnread: Int = 0, recentUnread: Int = 0, muted: Int = 0, later: Int = 0,
    laterUnread: Int = 0, unreadCopies: [Set<Feed.ID>: Int] = [:]
  ) {
    self.starredUnread = starredUnread
    self.recentUnread = recentUnread
    self.muted = muted
    self.later = later
    self.laterUnread = laterUnread
    self.unreadCopies = unreadCopies
  }

  /// Counts the unread articles of some feeds that are copies of other articles in these feeds.
  public func unreadCopies(in feeds: Set<Feed.ID>) -> Int {
    unreadCopies.reduce(0) { $0 + max(0, $1.key.count(where: feeds.contains) - 1) * $1.value }
  }
}
