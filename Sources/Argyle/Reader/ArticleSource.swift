import Articles
import Loading

/// Where the reader's screens get what they show: the library, or scripts in demos and tests.
struct ArticleSource: Sendable {
  /// The feeds, as they are stored.
  var feeds: Loader<[FeedSummary]>
  /// The articles of some feeds: the stored ones at once, then what the network has, for feeds that
  /// are due, or for all of them when a person asks.
  var articles: @Sendable (FeedSelection) -> Loader<[Article]>
  /// An article to read.
  var document: @Sendable (Article) -> Loader<ArticleDocument>
  /// Tells that something was stored.
  var changes: @Sendable () -> AsyncStream<Void>
}

extension ArticleSource {
  init(_ library: Library, freshness: Double) {
    feeds = library.feeds()
    articles = { library.articles(in: $0, refresh: .ifDue(after: freshness)) }
    document = { library.document(of: $0.id) }
    changes = { library.changes() }
  }
}
