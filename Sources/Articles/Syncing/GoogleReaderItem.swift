import Foundation

/// An entry of `stream/items/contents`.
struct GoogleReaderItem {
  private static let attachmentLimit = 100

  private var id, title, author, feed, canonical, alternate: String?
  private var published: Date?
  private var html = ""
  private var attachments: [Attachment] = []

  static func read(_ reader: inout JSONReader) throws(FeedError) -> RemoteArticle? {
    var item = GoogleReaderItem()
    try reader.object { reader, name throws(FeedError) in try item.readMember(name, &reader) }
    return item.article
  }

  private mutating func readMember(
    _ name: String, _ reader: inout JSONReader
  ) throws(FeedError) {
    switch name {
    case "id": id = try reader.text()
    case "title": title = try reader.text()
    case "author": author = try reader.text()
    case "published": published = try reader.time()
    case "canonical": canonical = try Self.address(&reader)
    case "alternate": alternate = try Self.address(&reader)
    case "enclosure": try readAttachments(&reader)
    // Use the longer one: some servers put the full text in one and an extract in the other.
    case "content", "summary":
      try reader.object { reader, name throws(FeedError) in
        guard name == "content" else { return try reader.skip() }
        let text = try reader.text() ?? ""
        if text.utf8.count > html.utf8.count { html = text }
      }
    case "origin":
      try reader.object { reader, name throws(FeedError) in
        if name == "streamId" { feed = try reader.text() } else { try reader.skip() }
      }
    default: try reader.skip()
    }
  }

  /// Returns the first of a list of addresses.
  private static func address(_ reader: inout JSONReader) throws(FeedError) -> String? {
    var address: String?
    var isFirst = true
    try reader.array { reader throws(FeedError) in
      try reader.object { reader, name throws(FeedError) in
        guard name == "href", isFirst else { return try reader.skip() }
        address = try reader.text()
      }
      isFirst = false
    }
    return address.flatMap { WebAddress.web($0) }
  }

  private mutating func readAttachments(_ reader: inout JSONReader) throws(FeedError) {
    try reader.array { reader throws(FeedError) in
      var href, type, length: String?
      try reader.object { reader, name throws(FeedError) in
        switch name {
        case "href": href = try reader.text()
        case "type": type = try reader.text()
        case "length": length = try reader.text()
        default: try reader.skip()
        }
      }
      guard attachments.count < Self.attachmentLimit,
        let address = href.flatMap({ WebAddress.web($0) })
      else { return }
      attachments.append(
        Attachment(address: address, type: type, byteCount: length.flatMap { Int($0) }))
    }
  }

  private var article: RemoteArticle? {
    guard let id = id.flatMap({ RemoteID($0) }), let feed else { return nil }
    var article = ParsedArticle()
    article.guid = id.whole
    article.title = PlainText.line(html: title ?? "")
    article.author = author.map { PlainText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    article.link = canonical ?? alternate
    article.published = published
    article.html = html
    article.base = article.link
    article.attachments = attachments
    return RemoteArticle(id: id, feed: feed, content: article)
  }
}
