import Articles
import Synchronization

/// The marks that the user gave an article since the program started; nil for those left as they were.
struct Marking: Hashable, Sendable {
  var isRead: Mark?
  var isStarred: Mark?
}

/// A mark, and the number of the change that set it: of two, the one of the later change counts.
struct Mark: Hashable, Sendable {
  let value: Bool
  let change: Int
}

/// All that was marked since the program started.
struct Markings: Sendable {
  /// The marks of articles that were marked one by one.
  private var ofArticles: [Article.ID: Marking] = [:]
  /// The marks that many articles were given at once.
  ///
  /// A list may have a million articles, and every mark that is made later starts from a copy of this
  /// value: so each is one element, whose articles are ranges.
  private var sweeps: [Sweep] = []
  /// The changes whose sweeps count.
  private var sweepChanges: Set<Int> = []
  /// The tags of articles whose tags were changed.
  private var tags: [Article.ID: [String]] = [:]
  /// The last list that was marked as read.
  private(set) var swept: Swept?
  /// The last mark that was undone.
  private(set) var undone: Undone?
  /// The last change of feeds.
  var feedChange: FeedChange?

  /// A mark of many articles.
  struct Sweep: Sendable {
    let articles: ArticleRanges
    let marking: Marking
    let change: Int
    /// One of them.
    let first: Article?
  }

  /// A list that was marked as read.
  struct Swept: Hashable, Sendable {
    let change: Int
    /// How many of its articles were unread.
    let count: Int
  }

  struct Undone: Hashable, Sendable {
    /// Counts the undos, so that two equal ones are both reported.
    let count: Int
    /// Nil when there was nothing.
    let change: LibraryChange?
  }

  /// Whether nothing was marked.
  var isEmpty: Bool { ofArticles.isEmpty && sweeps.isEmpty && tags.isEmpty }

  /// How many parts it has, which a copy of it may cost.
  var size: Int {
    ofArticles.count + tags.count + sweeps.reduce(0) { $0 + max(1, $1.articles.size) }
  }

  func sweep(_ change: Int) -> Sweep? { sweeps.last { $0.change == change } }

  func isRead(_ article: Article) -> Bool { mark(\.isRead, article.id)?.value ?? article.isRead }

  func isStarred(_ article: Article) -> Bool {
    mark(\.isStarred, article.id)?.value ?? article.isStarred
  }

  func tags(of article: Article) -> [String] { tags[article.id] ?? article.tags }

  private func mark(_ mark: KeyPath<Marking, Mark?>, _ id: Article.ID) -> Mark? {
    var latest = ofArticles[id]?[keyPath: mark]
    for sweep in sweeps where sweepChanges.contains(sweep.change) {
      guard let swept = sweep.marking[keyPath: mark], swept.change > latest?.change ?? 0,
        sweep.articles.contains(id)
      else { continue }
      latest = swept
    }
    return latest
  }

  // MARK: Changes

  /// Sets a mark of one article.
  mutating func set(_ mark: WritableKeyPath<Marking, Mark?>, of id: Article.ID, to value: Mark) {
    ofArticles[id, default: Marking()][keyPath: mark] = value
  }

  mutating func setTags(_ tags: [String], of id: Article.ID) { self.tags[id] = tags }

  /// Adds the articles of a list that is marked as read; they are read once ``show(_:)`` says so.
  mutating func add(_ unread: UnreadArticles.Found, as change: Int) {
    add(unread.ranges, first: unread.first, as: change)
  }

  mutating func add(_ unread: ArticleRanges, first: Article? = nil, as change: Int) {
    swept = Swept(change: change, count: unread.count)
    removeCovered()
    sweeps.append(
      Sweep(
        articles: unread, marking: Marking(isRead: Mark(value: true, change: change)),
        change: change, first: first))
  }

  /// Makes the sweep of a change count, whether it is there yet or is added later.
  mutating func show(_ change: Int) { sweepChanges.insert(change) }

  mutating func take(back change: LibraryChange?, _ sweep: Sweep?) {
    undone = Undone(count: (undone?.count ?? 0) + 1, change: change)
    tags.merge(change?.tags ?? [:]) { $1 }
    guard let sweep else { return }
    sweeps.append(sweep)
    show(sweep.change)
    removeCovered()
  }

  /// Removes the sweeps of which each article has a later mark: without this, marking a list as read
  /// and undoing it again and again would need more memory each time.
  ///
  /// Those that do not count stay: their changes are not stored, and could still be lost.
  private mutating func removeCovered() {
    var (read, starred) = (RangeSet<Int64>(), RangeSet<Int64>())
    var kept: [Sweep] = []
    for sweep in sweeps.sorted(by: { $0.change > $1.change }) {
      let (marking, ranges) = (sweep.marking, sweep.articles.ranges)
      if !sweepChanges.contains(sweep.change) {
        kept.append(sweep)
      } else if (marking.isRead == nil || read.isSuperset(of: ranges))
        && (marking.isStarred == nil || starred.isSuperset(of: ranges))
      {
        sweepChanges.remove(sweep.change)
      } else {
        if marking.isRead != nil { read.formUnion(ranges) }
        if marking.isStarred != nil { starred.formUnion(ranges) }
        kept.append(sweep)
      }
    }
    sweeps = kept.reversed()
  }

  /// Forgets marks that were not changed since; all but those of one article.
  mutating func forget(_ stored: Markings, but kept: Article.ID?) {
    let marking = kept.map {
      Marking(isRead: mark(\.isRead, $0), isStarred: mark(\.isStarred, $0))
    }
    ofArticles = ofArticles.filter { stored.ofArticles[$0] != $1 }
    tags = tags.filter { $0 == kept || stored.tags[$0] != $1 }
    sweeps.removeAll { stored.sweepChanges.contains($0.change) }
    sweepChanges.subtract(stored.sweepChanges)
    if let kept, let marking, marking != Marking() { ofArticles[kept] = marking }
  }
}

/// Some articles: those of a feed, and those that came together, mostly have numbers in a row.
struct ArticleRanges: Sendable {
  fileprivate let ranges: RangeSet<Int64>
  let count: Int

  init(_ ids: [Article.ID]) {
    count = ids.count
    // Sorted, since a range is added at the end at no cost.
    ranges = RangeSet(ids.map(\.rawValue).sorted().lazy.map { $0..<($0 + 1) })
  }

  func contains(_ id: Article.ID) -> Bool { ranges.contains(id.rawValue) }

  /// How many ranges there are.
  var size: Int { ranges.ranges.count }
}

/// The unread articles of a list, which are looked for when they are needed first.
final class UnreadArticles: Sendable {
  struct Found {
    let ids: [Article.ID]
    let ranges: ArticleRanges
    let first: Article?
    /// The newest of the whole list.
    let newest: Article.ID?
  }

  private let rows: ArraySlice<Article>
  private let markings: Markings
  private let memory = Mutex<Found?>(nil)

  init(of rows: ArraySlice<Article>, _ markings: Markings) {
    self.rows = rows
    self.markings = markings
  }

  var found: Found {
    memory.withLock { found in
      if let found { return found }
      let unread = rows.lazy.filter { [markings] in !$0.isBundled && !markings.isRead($0) }
      let ids = unread.map(\.id) as [Article.ID]
      let new = Found(
        ids: ids, ranges: ArticleRanges(ids), first: unread.first,
        newest: rows.lazy.map(\.id.rawValue).max().map(Article.ID.init(rawValue:)))
      found = new
      return new
    }
  }
}

extension Markings.Sweep {
  /// What articles are marked with again; nil when it was about a feed.
  init?(undoing undone: LibraryChange, as change: Int) {
    let (isRead, isStarred): (Bool?, Bool?) =
      switch undone.kind {
      case .markedRead: (false, nil)
      case .markedUnread: (true, nil)
      case .starred: (nil, false)
      case .unstarred: (nil, true)
      case .tagged, .addedFeed, .removedFeed, .arrangedFeed, .importedFeeds, .movedFolder,
        .removedFolder:
        (nil, nil)
      }
    guard isRead != nil || isStarred != nil else { return nil }
    self.init(
      articles: ArticleRanges(undone.articles),
      marking: Marking(
        isRead: isRead.map { Mark(value: $0, change: change) },
        isStarred: isStarred.map { Mark(value: $0, change: change) }),
      change: change, first: nil)
  }
}
