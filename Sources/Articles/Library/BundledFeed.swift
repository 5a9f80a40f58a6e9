import Foundation

/// The feed that is part of the program: it is shown while the user has no other feed, and is never
/// stored or fetched.
public struct BundledFeed: Sendable {
  /// Stored feeds and articles have positive ids.
  static let feedID = Feed.ID(rawValue: -1)
  private static let address = "argyle://handbook/"

  /// Its row in the list of feeds.
  public let summary: FeedSummary
  /// Its articles, newest first.
  public let articles: [Article]
  private let texts: [Article.ID: StoredText]
  let prepared: PreparedFeed

  /// Reads the feed's document.
  public init(_ bytes: [UInt8]) throws(FeedError) {
    let prepared = PreparedFeed(try FeedParser.parse(bytes, address: Self.address))
    let feed = Feed(
      id: Self.feedID, address: Self.address, title: prepared.title, site: prepared.site)
    var articles: [Article] = []
    var texts: [Article.ID: StoredText] = [:]
    for article in prepared.articles {
      let content = article.content
      let id = Self.articleID(content.guid)
      articles.append(
        Article(
          id: id, feedID: feed.id, feedTitle: feed.title, title: content.title,
          author: content.author, link: content.link, published: content.published,
          readingMinutes: ReadingTime.minutes(html: content.html), isRead: true))
      texts[id] = StoredText(
        html: content.html, base: content.base, attachments: content.attachments)
    }
    self.summary = FeedSummary(feed: feed, articleCount: articles.count)
    // In the order of the store: newest first, then as in the document.
    self.articles = articles.enumerated().sorted {
      let dates = [$0, $1].map { $0.element.published ?? .distantPast }
      return dates[0] == dates[1] ? $0.offset < $1.offset : dates[0] > dates[1]
    }.map(\.element)
    self.texts = texts
    self.prepared = prepared
  }

  /// Returns the bundled part of a list; bundled articles have no marks, and so count as read and
  /// unstarred.
  func articles(matching query: ArticleQuery) -> [Article] {
    guard query.feeds.contains(summary.feed), query.isRead != false, query.isStarred != true else {
      return []
    }
    let found = articles.filter { article in
      query.since.map { article.published ?? .distantPast >= $0 } ?? true
    }
    return Array(found.prefix(query.limit ?? found.count))
  }

  /// Returns an article with its text; nil when it is not a bundled one.
  public func articleDocument(of id: Article.ID) -> ArticleDocument? {
    document(of: id).map { article, text in
      ArticleDocument(article: article, document: Document(text))
    }
  }

  func document(of id: Article.ID) -> (Article, StoredText)? {
    guard let article = articles.first(where: { $0.id == id }), let text = texts[id] else {
      return nil
    }
    return (article, text)
  }

  /// Derives an article's id from its entry's id, so that it stays the same when the bundled feed
  /// gets more entries.
  ///
  /// It is negative, and fits into 63 bits, since an ``ArticleListing`` uses one bit of each row.
  static func articleID(_ guid: String) -> Article.ID {
    Article.ID(rawValue: Int64(bitPattern: StableIDs.fnv1a([guid]) | 3 << 62))
  }
}
