import Foundation

/// An entry of `stream/items/contents`.
struct GoogleReaderItem: Decodable {
  struct Link: Decodable {
    let href: String?
    let type: String?
    let length: Int?

    enum CodingKeys: CodingKey { case href, type, length }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      href = try? container.decode(String.self, forKey: .href)
      type = try? container.decode(String.self, forKey: .type)
      // A number, or a text with one.
      length =
        (try? container.decode(Int.self, forKey: .length))
        ?? (try? container.decode(String.self, forKey: .length)).flatMap { Int($0) }
    }
  }
  struct Text: Decodable {
    let content: String?
  }
  struct Origin: Decodable {
    let streamId: String?
  }
  let id: String
  let title: String?
  let author: String?
  let published: Double?
  let canonical: [Link]?
  let alternate: [Link]?
  let enclosure: [Link]?
  let summary: Text?
  let content: Text?
  let origin: Origin?

  var article: RemoteArticle? {
    guard let id = RemoteID(id), let feed = origin?.streamId else { return nil }
    var article = ParsedArticle()
    article.guid = id.whole
    article.title = PlainText.line(html: title ?? "")
    article.author = author.map { PlainText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    article.link =
      [canonical, alternate].lazy.compactMap { $0?.first?.href }
      .compactMap { WebAddress.web($0) }.first
    article.published = published.flatMap { $0 > 0 ? Date(timeIntervalSince1970: $0) : nil }
    // Whichever says more: some have the whole text in one and an extract in the other.
    article.html =
      [content?.content ?? "", summary?.content ?? ""]
      .max { $0.utf8.count < $1.utf8.count } ?? ""
    article.base = article.link
    article.attachments = (enclosure ?? []).prefix(100).compactMap { link in
      link.href.flatMap { WebAddress.web($0) }.map {
        Attachment(address: $0, type: link.type, byteCount: link.length)
      }
    }
    return RemoteArticle(id: id, feed: feed, content: article)
  }
}
