/// A change that ``Library/undo()`` can undo.
public struct LibraryChange: Sendable, Hashable, Identifiable {
  public enum Kind: Sendable, Hashable {
    case markedRead, markedUnread, starred, unstarred
    /// Tags were added to or removed from articles.
    case tagged
    /// Articles were put on the list of those to be read later, or taken off it; no other tag was
    /// changed.
    case markedLater, unmarkedLater
    /// Changes of one feed.
    case addedFeed, removedFeed, arrangedFeed
    /// Changes of several feeds: a list was imported, a folder renamed or removed.
    case importedFeeds, movedFolder, removedFolder
    /// An account was removed, with its feeds or without.
    case removedAccount(name: String)
    /// Changes of a saved search, which the library does not store.
    case savedSearch(name: String), renamedSearch(name: String), removedSearch(name: String)
  }

  /// Whether it is a change of the tags of articles.
  var isOfTags: Bool {
    kind == .tagged || kind == .markedLater || kind == .unmarkedLater
  }

  /// How much of a change ``Library/undo()`` has undone.
  public enum Undoing: Hashable, Sendable {
    /// All of it.
    case all
    /// All except this many articles, which were deleted, or changed again by another program.
    case allBut(Int)
    /// Nothing: everything was deleted or changed again.
    case nothing
  }

  /// Increases from one change to the next.
  public let id: Int
  public let kind: Kind
  /// How many articles or feeds were changed.
  public let count: Int
  /// The feed that was removed or changed; nil for any other change.
  public let feed: Feed.ID?
  /// The title of the feed that was changed; not sanitised.
  public let feedTitle: String?
  /// The folder that was renamed or removed, with its previous name.
  public let folder: FeedFolder?
  /// The account that was removed; nil for any other change.
  public let account: SyncAccount.ID?
  /// The articles that were marked; empty for a change of feeds.
  ///
  /// After undoing, the articles whose marks were restored.
  public internal(set) var articles: [Article.ID]
  /// After undoing a change of tags, the restored tags.
  public internal(set) var tags: [Article.ID: [String]] = [:]
  /// After undoing a mark of one article, its title; not sanitised.
  public internal(set) var articleTitle: String?
  /// How much of the change was undone.
  public internal(set) var undoing = Undoing.all

  /// - Parameter id: increases from one change to the next.
  public init(
    id: Int, kind: Kind, count: Int = 1, feed: Feed.ID? = nil, feedTitle: String? = nil,
    folder: FeedFolder? = nil, account: SyncAccount.ID? = nil, articles: [Article.ID] = [],
    articleTitle: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.count = count
    self.feed = feed
    self.feedTitle = feedTitle
    self.folder = folder
    self.account = account
    self.articles = articles
    self.articleTitle = articleTitle
  }

  /// Returns the change as undone, when `restored` of its articles were restored.
  func undone(_ restored: Int, of count: Int) -> LibraryChange {
    var change = self
    change.undoing =
      restored >= count ? .all : restored == 0 ? .nothing : .allBut(count - restored)
    return change
  }
}

/// The changes of this process that can be undone, newest last.
///
/// Each entry records exactly what it changed, and undoing affects nothing else, because another
/// program may have changed the store since.
struct ChangeLog: Sendable {
  enum Step: Sendable {
    case marks([MarkChange])
    /// `articles` is how many articles the feed had.
    case removal(Feed.ID, articles: Int)
    /// Feeds that were added, and feeds whose settings were changed.
    case feeds(added: [Feed.ID] = [], arranged: [FeedRearrangement] = [])
    /// The address of a feed was changed.
    case address(Feed.ID, was: FormerLocation)
    /// The closure stores the account's password again; nil if none was stored.
    case account(
      SyncAccount.ID, RemovedAccount, restorePassword: (@Sendable () async throws -> Void)?)
    /// A change of something that the library does not store, which the closure undoes.
    case elsewhere(@Sendable () async throws -> Void)
  }

  /// The most changes; older ones are forgotten.
  static let countLimit = 100
  /// The most articles in all changes together, since each takes memory.
  static let articleLimit = 1_000_000

  private(set) var entries: [(change: LibraryChange, step: Step)] = []
  private var lastID = 0

  mutating func append(
    _ kind: LibraryChange.Kind, count: Int = 1, feedTitle: String? = nil, folder: FeedFolder? = nil,
    step: Step
  ) {
    lastID += 1
    let marked = if case .marks(let changes) = step { changes.articles } else { [] as [Article.ID] }
    let feed: Feed.ID? =
      switch (kind, step) {
      case (.removedFeed, .removal(let id, _)): id
      case (.arrangedFeed, .feeds(_, let arranged)): arranged.first?.id
      case (.arrangedFeed, .address(let id, _)): id
      default: nil
      }
    var account: SyncAccount.ID?
    if case .account(let id, _, _) = step { account = id }
    let change = LibraryChange(
      id: lastID, kind: kind, count: count, feed: feed, feedTitle: feedTitle,
      folder: folder, account: account, articles: marked)
    entries.append((change, step))
    var articles = 0
    let kept = entries.reversed().prefix(Self.countLimit).prefix { entry in
      articles += entry.change.count
      // The newest change can always be undone.
      return articles <= Self.articleLimit || entry.change.id == lastID
    }
    entries.removeFirst(entries.count - kept.count)
  }

  /// Returns the articles that were marked as read by changes after this one.
  func articlesRead(after change: LibraryChange.ID) -> [Article.ID] {
    entries.lazy.map(\.change).filter { $0.kind == .markedRead && $0.id > change }
      .flatMap(\.articles)
  }

  mutating func removeLast() -> (change: LibraryChange, step: Step)? { entries.popLast() }

  /// Puts a change back that could not be undone.
  mutating func restore(_ entry: (change: LibraryChange, step: Step)) {
    let place = entries.firstIndex { $0.change.id > entry.change.id } ?? entries.endIndex
    entries.insert(entry, at: place)
  }
}
