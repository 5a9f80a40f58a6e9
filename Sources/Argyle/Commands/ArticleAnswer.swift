import Articles
import Foundation

/// The JSON of an article.
struct ArticleAnswer: Encodable {
  let id: Int64
  let feed: String
  let feedID: Int64
  /// The titles of the other feeds that contain the article, too.
  let alsoIn: [String]
  let title: String
  let link: String?
  let author: String?
  let published: Date?
  let read: Bool
  let starred: Bool
  let tags: [String]
  let readingMinutes: Int?
  let snippet: String?
  let text: String?
  /// Where the text comes from: "feed" or "page".
  let textSource: String?

  init(
    _ article: Article, snippet: String? = nil, text: String? = nil, textSource: TextSource? = nil
  ) {
    id = article.id.rawValue
    feed = article.feedTitle
    feedID = article.feedID.rawValue
    alsoIn = article.alsoIn
    title = article.title
    link = article.link
    author = article.author
    published = article.published
    read = article.isRead
    starred = article.isStarred
    tags = article.tags
    readingMinutes = article.readingMinutes
    self.snippet = snippet
    self.text = text
    self.textSource = textSource?.rawValue
  }
}
