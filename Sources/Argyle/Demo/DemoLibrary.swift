import Articles
import Foundation
import Loading

/// Feeds and articles in memory: the handbook, and a few invented ones.
struct DemoLibrary: Sendable {
  var feeds: [FeedSummary]
  /// The articles, newest first.
  let articles: [Article]
  private let documents: [Article.ID: ArticleDocument]

  /// The library of a first start, which has only the handbook.
  static let handbook = DemoLibrary(of: [])
  /// A library with a few feeds.
  static let full = DemoLibrary(of: DemoArticle.feeds)

  private init(of invented: [(title: String, articles: [DemoArticle])]) {
    var feeds: [FeedSummary] = []
    var documents: [ArticleDocument] = []
    // The handbook is part of the executable, and a test checks that it can be read.
    if let handbook = try? BundledFeed(Assets.handbook) {
      feeds.append(handbook.summary)
      documents += handbook.articles.compactMap { handbook.articleDocument(of: $0.id) }
    }
    for (index, (title, articles)) in invented.enumerated() {
      let feed = Feed(
        id: Feed.ID(rawValue: Int64(index + 1)), address: "https://demo.invalid/\(index + 1).xml",
        title: title)
      feeds.append(FeedSummary(feed: feed, articleCount: articles.count))
      documents += articles.enumerated().map { number, article in
        article.document(id: Int64(index * 100 + number + 1), in: feed)
      }
    }
    self.feeds = feeds.sorted { $0.feed.title < $1.feed.title }
    articles = documents.map(\.article).sorted {
      ($0.published ?? .distantPast) > ($1.published ?? .distantPast)
    }
    self.documents = Dictionary(documents.map { ($0.article.id, $0) }) { first, _ in first }
  }

  /// Returns the library with a failed last fetch for its first `count` feeds.
  func failing(_ count: Int, message: UserMessage, isEmpty: Bool = false) -> DemoLibrary {
    var library = self
    library.feeds = feeds.enumerated().map { index, summary in
      let failure = FeedSummary.Failure(message: message, date: DayText.demo.now())
      return FeedSummary(
        feed: summary.feed, articleCount: isEmpty ? 0 : summary.articleCount,
        failure: index < count ? failure : nil)
    }
    return library
  }

  func document(of id: Article.ID) throws -> ArticleDocument {
    guard let document = documents[id] else { throw LibraryError.articleGone }
    return document
  }
}

extension DemoArticle {
  fileprivate func document(id: Int64, in feed: Feed) -> ArticleDocument {
    let words = html.split(separator: " ").count
    return ArticleDocument(
      article: Article(
        id: Article.ID(rawValue: id), feedID: feed.id, feedTitle: feed.title, title: title,
        author: author, link: "https://demo.invalid/\(id)",
        published: DayText.demo.now() - hoursAgo * 3600,
        readingMinutes: max(1, words / 230), isRead: isRead, isStarred: isStarred),
      document: HTMLRenderer.document(html: html))
  }
}

extension DayText {
  /// The evening of the same day in every time zone.
  static let demo = DayText(offset: { _ in 0 }, now: { Date(timeIntervalSince1970: 1_795_294_800) })
}
