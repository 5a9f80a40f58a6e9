import Articles
import Loading
import Synchronization

/// The feeds and marks of the demo.
///
/// Every change is reported to the last stream that ``loader`` has started.
final class DemoFeeds: Sendable {
  private struct Board {
    var feeds: [FeedSummary]
    var articles: [Article]
    /// The newest changes, each with the articles as they were before it.
    var past: [(change: LibraryChange, articles: [Article])] = []
    var changeCount = 0
    var follower: AsyncStream<[FeedSummary]>.Continuation?

    /// The feeds, with the numbers of unread articles counted from the marks.
    var counted: [FeedSummary] {
      let unread = Dictionary(grouping: articles.filter { !$0.isRead }, by: \.feedID)
      return feeds.map { summary in
        FeedSummary(
          feed: summary.feed, articleCount: summary.articleCount,
          unreadCount: summary.articleCount == 0 ? 0 : unread[summary.id]?.count ?? 0,
          failure: summary.failure)
      }
    }
  }

  private let board: Mutex<Board>
  /// How many changes can be undone; older ones are dropped.
  private static let undoLimit = 100

  init(_ library: DemoLibrary) {
    board = Mutex(Board(feeds: library.feeds, articles: library.articles))
  }

  var loader: Loader<[FeedSummary]> {
    Loader(sequence: { [self] in
      let (feeds, follower) = AsyncStream.makeStream(of: [FeedSummary].self)
      board.withLock { board in
        follower.yield(board.counted)
        board.follower = follower
      }
      return feeds
    })
  }

  var counts: ArticleCounts {
    board.withLock { board in
      let empty = Set(board.feeds.filter { $0.articleCount == 0 }.map(\.id))
      let unread = board.articles.filter { !$0.isRead && !empty.contains($0.feedID) }
      return ArticleCounts(
        starredUnread: unread.count(where: \.isStarred),
        recentUnread: unread.count(where: \.isOfToday))
    }
  }

  /// Returns the articles of a list as the request arranges them.
  func articles(for request: ListRequest) -> [Article] {
    let arrangement = request.arrangement ?? ListArrangement()
    let kept = request.keptSince.map { articlesRead(after: $0) } ?? []
    let articles = articles(in: request.list, keeping: kept)
    let shown =
      arrangement.isOnlyUnread ? articles.filter { !$0.isRead || kept.contains($0.id) } : articles
    return arrangement.order.sorted(shown)
  }

  private func articlesRead(after change: LibraryChange.ID) -> Set<Article.ID> {
    board.withLock { board in
      let changes = board.past.map(\.change).filter { $0.id > change && $0.kind == .markedRead }
      return Set(changes.flatMap(\.articles))
    }
  }

  /// Returns the articles of a list, newest first; `kept` stay in that of unread articles.
  func articles(in list: ReaderList, keeping kept: Set<Article.ID> = []) -> [Article] {
    board.withLock { board in
      board.articles.filter { article in
        switch list {
        case .unread: !article.isRead || kept.contains(article.id)
        case .starred: article.isStarred
        case .today: article.isOfToday
        case .later: article.tags.contains(ArticleTag.later)
        case .search, .muted: false
        case .feeds(let selection):
          board.feeds.contains { $0.id == article.feedID && selection.contains($0.feed) }
        }
      }
    }
  }

  /// Returns the articles whose titles contain all the words.
  func articles(with text: String) -> [SearchResult] {
    let words = text.lowercased().split(separator: " ")
    guard !words.isEmpty else { return [] }
    return articles(in: .all).filter { article in
      words.allSatisfy(article.title.lowercased().contains)
    }.map { article in
      SearchResult(
        article: article, title: .init(parts: [.init(text: article.title, isMatch: false)]),
        snippet: .init(parts: []))
    }
  }

  /// Removes the failures of fetched feeds, and gives the feeds all of their articles.
  func heal(_ ids: [Feed.ID], in library: DemoLibrary) {
    change { board in
      board.feeds = board.feeds.map { summary in
        guard ids.contains(summary.id) else { return summary }
        let count = library.articles.count { $0.feedID == summary.id }
        return FeedSummary(feed: summary.feed, articleCount: count)
      }
    }
  }

  // MARK: Marks

  var marks: ArticleMarks {
    ArticleMarks(
      setRead: { [self] isRead, ids in
        mark(isRead ? .markedRead : .markedUnread, ids) { $0.isRead = isRead }
      },
      setStarred: { [self] isStarred, id in
        mark(isStarred ? .starred : .unstarred, [id]) { $0.isStarred = isStarred }
      },
      markAllRead: { [self] list, _ in
        mark(.markedRead, articles(in: list).filter { !$0.isRead }.map(\.id)) { $0.isRead = true }
      },
      undo: { [self] in undo() },
      latestChange: { [self] in board.withLock { $0.past.last?.change.id ?? 0 } },
      nextUnread: { [self] id in nextUnread(after: id) })
  }

  private func mark(
    _ kind: LibraryChange.Kind, _ ids: [Article.ID], _ edit: (inout Article) -> Void
  ) {
    change { board in
      board.changeCount += 1
      let change = LibraryChange(
        id: board.changeCount, kind: kind, count: ids.count, articles: ids,
        articleTitle: ids.count == 1 ? board.articles.first { $0.id == ids.first }?.title : nil)
      board.past.append((change, board.articles))
      board.past.removeFirst(max(0, board.past.count - Self.undoLimit))
      for id in ids { board.articles.modify(id: id, edit) }
    }
  }

  private func undo() -> LibraryChange? {
    change { board in
      guard let (change, articles) = board.past.popLast() else { return nil }
      board.articles = articles
      return change
    }
  }

  private func nextUnread(after id: Article.ID?) -> Article? {
    board.withLock { board in
      let place = board.articles.firstIndex { $0.id == id }.map { $0 + 1 } ?? 0
      let order = board.articles[place...] + board.articles[..<place]
      return order.first { !$0.isRead && $0.id != id }
    }
  }

  @discardableResult
  private func change<Result>(_ body: (inout sending Board) -> sending Result) -> sending Result {
    board.withLock { board in
      let result = body(&board)
      board.follower?.yield(board.counted)
      return result
    }
  }
}

extension ArticleOrder {
  /// Sorts articles that are sorted by date, newest first, as the store does.
  fileprivate func sorted(_ articles: [Article]) -> [Article] {
    switch self {
    case .newest: articles
    case .oldest: articles.reversed()
    case .feed:
      articles.sorted { FoldedText.folded($0.feedTitle) < FoldedText.folded($1.feedTitle) }
    case .title: articles.sorted { FoldedText.folded($0.title) < FoldedText.folded($1.title) }
    case .length:
      articles.sorted { ($0.readingMinutes ?? .max) < ($1.readingMinutes ?? .max) }
    }
  }
}

extension Article {
  fileprivate var isOfToday: Bool {
    published.map { $0 >= DayText.demo.dayStart } ?? false
  }
}
