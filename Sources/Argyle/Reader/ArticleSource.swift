import Articles
import Foundation
import Loading

/// Where the reader's screens get what they show: the library, or scripts in demos and tests.
struct ArticleSource: Sendable {
  /// The feeds, as they are stored.
  var feeds: Loader<[FeedSummary]>
  /// How many articles the lists across all feeds have.
  var counts: @Sendable () -> Loader<ArticleCounts>
  /// The articles of a list: the stored ones at once, then what the network has, for feeds that are
  /// due, or for all of them when a person asks.
  var articles: @Sendable (ReaderList) -> Loader<[Article]>
  /// An article to read.
  var document: @Sendable (Article.ID) -> Loader<ArticleDocument>
  /// The articles that have some words, best first.
  var search: @Sendable (String) -> Loader<[SearchResult]>
  /// What a person does with articles.
  var marks: ArticleMarks
  /// Tells that something was stored.
  var changes: @Sendable () -> AsyncStream<Void>
}

/// What a person does with articles; each call returns when it is on the disk.
struct ArticleMarks: Sendable {
  var setRead: @Sendable (Bool, Article.ID) async throws -> Void
  var setStarred: @Sendable (Bool, Article.ID) async throws -> Void
  /// Marks all of a list as read that is not newer than an article of it.
  var markAllRead: @Sendable (ReaderList, Article.ID?) async throws -> Void
  /// Takes the latest of these back; nil when there is none.
  var undo: @Sendable () async throws -> LibraryChange?
  /// What to read after an article, wherever it is.
  var nextUnread: @Sendable (Article.ID?) async throws -> Article?
}

extension ArticleSource {
  /// - Parameter dayStart: when this day began, asked for each time.
  init(_ library: Library, freshness: Double, dayStart: @escaping @Sendable () -> Date) {
    feeds = library.feeds()
    counts = { library.counts(since: dayStart()) }
    articles = { list in
      library.articles(
        matching: list.query(dayStart: dayStart()), refresh: .ifDue(after: freshness))
    }
    document = { library.document(of: $0) }
    search = { library.search($0) }
    marks = ArticleMarks(
      setRead: { try await library.setRead($0, of: [$1]) },
      setStarred: { try await library.setStarred($0, of: [$1]) },
      markAllRead: { list, newest in
        try await library.markRead(list.query(dayStart: dayStart()), newest: newest)
      },
      undo: { try await library.undo() },
      nextUnread: { try await library.nextUnread(after: $0) })
    changes = { library.changes() }
  }
}
