import Foundation

/// An article in a Fever answer.
struct FeverItem {
  let id: Int64
  let isSaved: Bool
  let article: RemoteArticle

  /// Reads an article; nil when it has no id or no feed.
  static func read(_ reader: inout JSONReader) throws(FeedError) -> FeverItem? {
    var id, feed: Int64?
    var isSaved = false
    var title, author, html, url: String?
    var published: Date?
    try reader.object { reader, name throws(FeedError) in
      switch name {
      case "id": id = try reader.number()
      case "feed_id": feed = try reader.number()
      case "title": title = try reader.text()
      case "author": author = try reader.text()
      case "html": html = try reader.text()
      case "url": url = try reader.text()
      case "is_saved": isSaved = try reader.number() == 1
      case "created_on_time": published = try reader.time()
      default: try reader.skip()
      }
    }
    guard let id, let feed else { return nil }
    let remote = RemoteID(number: id)
    var article = ParsedArticle()
    article.guid = remote.whole
    article.title = PlainText.line(html: title ?? "")
    article.author = author.map { PlainText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    article.link = url.flatMap { WebAddress.web($0) }
    article.published = published
    article.html = html ?? ""
    article.base = article.link
    return FeverItem(
      id: id, isSaved: isSaved,
      article: RemoteArticle(id: remote, feed: String(feed), content: article))
  }
}
