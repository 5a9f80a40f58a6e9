/// A change that ``Library/undo()`` undoes.
public struct LibraryChange: Sendable, Hashable, Identifiable {
  public enum Kind: Sendable, Hashable {
    case markedRead, markedUnread, starred, unstarred
    /// Articles got tags, or lost some.
    case tagged
    /// About one feed.
    case addedFeed, removedFeed, arrangedFeed
    /// About several: a list that was imported, a folder that was renamed or removed.
    case importedFeeds, movedFolder, removedFolder
  }

  /// How much of a change ``Library/undo()`` has undone.
  public enum Undoing: Hashable, Sendable {
    /// All of it.
    case all
    /// All but so many articles, which were deleted, or changed again by another program.
    case allBut(Int)
    /// Nothing: all of it was deleted or changed again.
    case nothing
  }

  /// Increases from one change to the next.
  public let id: Int
  public let kind: Kind
  /// How many articles or feeds it was about.
  public let count: Int
  /// The feed that was removed or changed; nil for any other change.
  public let feed: Feed.ID?
  /// The title of the feed that it was about; not sanitised.
  public let feedTitle: String?
  /// The folder that was renamed or removed, by the name that it had before.
  public let folder: FeedFolder?
  /// The articles that were marked; none when it was about a feed.
  ///
  /// Of a change that was undone, the articles whose marks were restored.
  public internal(set) var articles: [Article.ID]
  /// Of a change of tags that was undone, what the articles have again.
  public internal(set) var tags: [Article.ID: [String]] = [:]
  /// What became of a change that was undone.
  public internal(set) var undoing = Undoing.all

  /// - Parameter id: increases from one change to the next.
  public init(
    id: Int, kind: Kind, count: Int = 1, feed: Feed.ID? = nil, feedTitle: String? = nil,
    folder: FeedFolder? = nil, articles: [Article.ID] = []
  ) {
    self.id = id
    self.kind = kind
    self.count = count
    self.feed = feed
    self.feedTitle = feedTitle
    self.folder = folder
    self.articles = articles
  }

  /// The outcome of undoing it, when so many of its articles were restored.
  func undone(_ restored: Int, of count: Int) -> LibraryChange {
    var change = self
    change.undoing =
      restored >= count ? .all : restored == 0 ? .nothing : .allBut(count - restored)
    return change
  }
}

/// The changes of this process that can be undone, newest last.
///
/// Each change is stored with exactly what it changed, and undoing it touches nothing else: another
/// program may have changed the store since.
struct ChangeLog: Sendable {
  enum Step: Sendable {
    case marks([MarkChange])
    /// With how many articles it had.
    case removal(Feed.ID, articles: Int)
    /// Feeds that were added, and those that got another title, folder or tags.
    case feeds(added: [Feed.ID] = [], arranged: [FeedRearrangement] = [])
  }

  /// Older ones are forgotten.
  static let countLimit = 100
  /// How many articles all changes together may concern, since each costs memory.
  static let articleLimit = 1_000_000

  private(set) var entries: [(change: LibraryChange, step: Step)] = []
  private var lastID = 0

  mutating func append(
    _ kind: LibraryChange.Kind, count: Int = 1, feedTitle: String? = nil, folder: FeedFolder? = nil,
    step: Step
  ) {
    lastID += 1
    var marked: [Article.ID] = []
    if case .marks(let changes) = step {
      marked = changes.articles.map(Article.ID.init(rawValue:))
    }
    let feed: Feed.ID? =
      switch (kind, step) {
      case (.removedFeed, .removal(let id, _)): id
      case (.arrangedFeed, .feeds(_, let arranged)): arranged.first?.id
      default: nil
      }
    let change = LibraryChange(
      id: lastID, kind: kind, count: count, feed: feed, feedTitle: feedTitle,
      folder: folder, articles: marked)
    entries.append((change, step))
    var articles = 0
    let kept = entries.reversed().prefix(Self.countLimit).prefix { entry in
      articles += entry.change.count
      // The newest can always be undone.
      return articles <= Self.articleLimit || entry.change.id == lastID
    }
    entries.removeFirst(entries.count - kept.count)
  }

  /// The articles that were marked as read by later changes than this one.
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
