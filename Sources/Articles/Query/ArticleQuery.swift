import Foundation

/// Which articles a list shows.
///
/// ```swift
/// let today = ArticleQuery(since: calendar.startOfDay(for: now))
/// let articles = Resource(library.articles(matching: today))
/// ```
public struct ArticleQuery: Sendable, Hashable {
  public var feeds: FeedSelection
  /// Nil for read and unread ones.
  public var isRead: Bool?
  /// Nil for both.
  public var isStarred: Bool?
  /// Only those dated, or first seen where that was earlier, at this time or later.
  public var since: Date?
  /// What else they must be; nil for nothing.
  public var `where`: ArticleCondition?
  public var order: ArticleOrder
  /// In a list of unread articles: those stay that this program has marked as read after this change,
  /// see ``Library/latestChange``; nil for none.
  ///
  /// An article that is read does not vanish while the list is looked at.
  public var keptSince: LibraryChange.ID?
  /// At most so many; nil for all.
  public var limit: Int?
  /// Whether an article that several feeds have is there once for each of them, and not once for all.
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

  /// Whether every article is meant, but for the limit.
  var isEverything: Bool {
    feeds == .all && isRead == nil && isStarred == nil && since == nil && self.where == nil
  }

  /// Whether words are looked for, for which the index of the search is needed.
  var hasWords: Bool { self.where?.hasWords ?? false }

  /// What it means that a list has no articles.
  enum Emptiness {
    /// Nothing was ever loaded: if all of its feeds failed, that is why.
    case failure
    /// None of those that are stored is meant; one that is being fetched may be.
    case possible
    /// None is meant, and none that is being fetched will be.
    case final
  }

  var emptiness: Emptiness {
    if isStarred == true || self.where == .isMuted || self.where == Self.later.where {
      return .final
    }
    return isRead == nil && since == nil && self.where == nil ? .failure : .possible
  }

  /// Everything that was not read yet.
  public static let unread = ArticleQuery(isRead: false)
  /// Everything with a star.
  public static let starred = ArticleQuery(isStarred: true)
  /// Everything that a rule has muted.
  public static let muted = ArticleQuery(where: .isMuted)
  /// Everything that is to be read later.
  public static let later = ArticleQuery(where: .tagged(ArticleTag.later))

  /// Only those that were not read.
  var unread: ArticleQuery {
    var query = self
    query.isRead = false
    return query
  }
}

/// How many articles the lists across all feeds have.
public struct ArticleCounts: Sendable, Hashable {
  public var all: Int
  public var unread: Int
  public var starred: Int
  /// Of ``starred``.
  public var starredUnread: Int
  /// Since the time that was asked for.
  public var recent: Int
  /// Of ``recent``.
  public var recentUnread: Int
  /// Those that are in no other list.
  public var muted: Int
  /// What is to be read later.
  public var later: Int
  /// Of ``later``.
  public var laterUnread: Int
  /// How many unread articles each set of feeds has in common: lists across these have them once.
  public var unreadCopies: [Set<Feed.ID>: Int]

  public init(
    all: Int = 0, unread: Int = 0, starred: Int = 0, starredUnread: Int = 0, recent: Int = 0,
    recentUnread: Int = 0, muted: Int = 0, later: Int = 0, laterUnread: Int = 0,
    unreadCopies: [Set<Feed.ID>: Int] = [:]
  ) {
    self.all = all
    self.unread = unread
    self.starred = starred
    self.starredUnread = starredUnread
    self.recent = recent
    self.recentUnread = recentUnread
    self.muted = muted
    self.later = later
    self.laterUnread = laterUnread
    self.unreadCopies = unreadCopies
  }

  /// How many of the unread articles of some feeds are copies of others of them.
  public func unreadCopies(in feeds: Set<Feed.ID>) -> Int {
    unreadCopies.reduce(0) { $0 + max(0, $1.key.count(where: feeds.contains) - 1) * $1.value }
  }
}
