import Articles
import Loading

/// Where the reader's screens get what they show: the library, or scripts in demos and tests.
struct ArticleSource: Sendable {
  /// Whether the network is asked as well.
  enum Refresh: Sendable {
    /// For feeds that were not fetched lately.
    case ifDue
    /// For all of them.
    case always
  }

  /// The feeds, as they are stored.
  var feeds: Loader<[FeedSummary]>
  /// The articles of some feeds: the stored ones at once, then what the network has.
  var articles: @Sendable (FeedSelection, Refresh) -> Loader<[Article]>
  /// An article to read.
  var document: @Sendable (Article) -> Loader<ArticleDocument>
  /// Tells that something was stored.
  var changes: @Sendable () -> AsyncStream<Void>
}
