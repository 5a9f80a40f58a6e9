import Articles
import Synchronization

/// The marks that the user gave an article and that are not forgotten; nil for unchanged ones.
struct Marking: Hashable, Sendable {
  var isRead: Mark?
  var isStarred: Mark?
}

/// A mark, and the number of the change that set it; a later change wins.
struct Mark: Hashable, Sendable {
  let value: Bool
  let change: Int
}

/// What was marked since the program started and is not forgotten because the store has it.
struct Markings: Sendable {
  /// The marks of articles that were marked individually.
  private var ofArticles: [Article.ID: Marking] = [:]
  /// The marks that many articles got at once.
  ///
  /// A list may have a million articles, and every later mark copies this value. Therefore each
  /// sweep is a single element, whose articles are ranges.
  private(set) var sweeps: [Sweep] = []
  /// The changes whose sweeps are in effect.
  private var sweepChanges: Set<Int> = []
  /// The tags of articles whose tags were changed.
  private var tags: [Article.ID: [String]] = [:]
  private var lastSwept: Swept?
  /// Whether the marks of the last list are stored, and may be forgotten.
  private var isSweptStored = false
  /// The last change that was undone.
  private(set) var undone: Undone?
  /// The last change of feeds.
  var feedChange: FeedChange?

  /// A mark of many articles.
  struct Sweep: Sendable {
    let articles: ArticleRanges
    let marking: Marking
    let change: Int
    /// The first of the articles.
    let first: ArticleListing.Row?
  }

  /// A list that was marked as read.
  struct Swept: Hashable, Sendable {
    let change: Int
    /// How many of its articles were unread.
    let count: Int
  }

  struct Undone: Hashable, Sendable {
    /// The number of undos so far, so that two equal ones are both reported.
    let count: Int
    /// What was undone; nil if there was nothing to undo.
    let change: LibraryChange?
  }

  /// The last list that was marked as read; nil once that could not be stored.
  var swept: Swept? {
    lastSwept.flatMap { isSweptStored || sweepChanges.contains($0.change) ? $0 : nil }
  }

  /// Whether nothing was marked.
  var isEmpty: Bool { ofArticles.isEmpty && sweeps.isEmpty && tags.isEmpty }

  func sweep(_ change: Int) -> Sweep? { sweeps.last { $0.change == change } }

  func isRead(_ article: Article) -> Bool { mark(\.isRead, article.id)?.value ?? article.isRead }

  func isRead(_ row: ArticleListing.Row) -> Bool { mark(\.isRead, row.id)?.value ?? row.isRead }

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

  /// Adds the articles of a list that is marked as read; they become read once ``show(_:)`` is
  /// called.
  mutating func add(_ unread: UnreadArticles.Found, as change: Int) {
    add(unread.ranges, count: unread.ranges.count, first: unread.first, as: change)
  }

  /// - Parameter count: how many of the articles the user sees as marked.
  mutating func add(
    _ unread: ArticleRanges, count: Int, first: ArticleListing.Row? = nil, as change: Int
  ) {
    (lastSwept, isSweptStored) = (Swept(change: change, count: count), false)
    removeCovered()
    sweeps.append(
      Sweep(
        articles: unread, marking: Marking(isRead: Mark(value: true, change: change)),
        change: change, first: first))
  }

  /// Puts the sweep of a change into effect, whether it was added already or is added later.
  mutating func show(_ change: Int) { sweepChanges.insert(change) }

  mutating func take(back change: LibraryChange?, _ sweep: Sweep?) {
    undone = Undone(count: (undone?.count ?? 0) + 1, change: change)
    tags.merge(change?.tags ?? [:]) { $1 }
    guard let sweep else { return }
    sweeps.append(sweep)
    show(sweep.change)
    removeCovered()
  }

  /// Removes sweeps whose articles all have later marks.
  ///
  /// Otherwise, marking a list as read and undoing that repeatedly would need more memory each
  /// time.
  ///
  /// Sweeps that are not in effect remain: their changes are not stored yet, and could still be
  /// lost.
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

  /// Removes stored marks that were not changed since, except for those of some articles.
  mutating func forget(_ stored: Markings, but kept: Set<Article.ID>) {
    let remaining = kept.map {
      ($0, Marking(isRead: mark(\.isRead, $0), isStarred: mark(\.isStarred, $0)))
    }
    ofArticles = ofArticles.filter { stored.ofArticles[$0] != $1 }
    for (id, marking) in remaining where marking != Marking() { ofArticles[id] = marking }
    tags = tags.filter { kept.contains($0.key) || stored.tags[$0.key] != $0.value }
    if let swept, stored.sweepChanges.contains(swept.change) { isSweptStored = true }
    sweeps.removeAll { stored.sweepChanges.contains($0.change) }
    sweepChanges.subtract(stored.sweepChanges)
  }
}

/// A set of articles, stored as ranges: articles of a feed, or that arrived together, mostly have
/// consecutive numbers.
struct ArticleRanges: Sendable {
  fileprivate let ranges: RangeSet<Int64>
  let count: Int

  init(_ ids: [Article.ID]) {
    count = ids.count
    // Sorted, because appending a range at the end is cheap.
    ranges = RangeSet(ids.map(\.rawValue).sorted().lazy.map { $0..<($0 + 1) })
  }

  func contains(_ id: Article.ID) -> Bool { ranges.contains(id.rawValue) }
}

/// The unread articles of a list, found when they are first needed.
final class UnreadArticles: Sendable {
  struct Found {
    let ids: [Article.ID]
    let ranges: ArticleRanges
    let first: ArticleListing.Row?
    /// The newest article of the whole list.
    let newest: Article.ID?
  }

  private let rows: Slice<ArticleListing>
  private let markings: Markings
  private let memory = Mutex<Found?>(nil)

  init(of rows: Slice<ArticleListing>, _ markings: Markings) {
    self.rows = rows
    self.markings = markings
  }

  var found: Found {
    memory.withLock { found in
      if let found { return found }
      let unread = rows.lazy.filter { [markings] in !$0.id.isBundled && !markings.isRead($0) }
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
  /// Makes the marks that undoing a change restores; nil if it was a change of feeds.
  init?(undoing undone: LibraryChange, as change: Int) {
    let (isRead, isStarred): (Bool?, Bool?) =
      switch undone.kind {
      case .markedRead: (false, nil)
      case .markedUnread: (true, nil)
      case .starred: (nil, false)
      case .unstarred: (nil, true)
      case .tagged, .markedLater, .unmarkedLater, .addedFeed, .removedFeed, .arrangedFeed,
        .importedFeeds, .movedFolder, .removedFolder, .removedAccount, .savedSearch,
        .renamedSearch, .removedSearch:
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
