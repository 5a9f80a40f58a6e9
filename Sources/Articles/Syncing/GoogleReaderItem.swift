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
    case "published": published = JSONReader.time(try reader.text())
    case "canonical": canonical = try Self.address(&reader)
    case "alternate": alternate = try Self.address(&reader)
    case "enclosure": try readAttachments(&reader)
    // Use the longer one: some servers put the full text in one and an extract in the other.
    case "content", "summary":
      let text = try reader.texts(["content"])["content"] ?? ""
      if text.utf8.count > html.utf8.count { html = text }
    case "origin": feed = try reader.texts(["streamId"])["streamId"] ?? feed
    default: try reader.skip()
    }
  }

  /// Returns the first of a list of addresses.
  private static func address(_ reader: inout JSONReader) throws(FeedError) -> String? {
    var first: [String: String]?
    try reader.array { reader throws(FeedError) in
      if first == nil { first = try reader.texts(["href"]) } else { try reader.skip() }
    }
    return first?["href"].flatMap { WebAddress.web($0) }
  }

  private mutating func readAttachments(_ reader: inout JSONReader) throws(FeedError) {
    try reader.array { reader throws(FeedError) in
      let file = try reader.texts(["href", "type", "length"])
      guard attachments.count < Self.attachmentLimit,
        let address = file["href"].flatMap({ WebAddress.web($0) })
      else { return }
      attachments.append(
        Attachment(
          address: address, type: file["type"], byteCount: file["length"].flatMap { Int($0) }))
    }
  }

  private var article: RemoteArticle? {
    guard let id = id.flatMap({ RemoteID($0) }), let feed else { return nil }
    return RemoteArticle(
      id: id, feed: feed, title: title, author: author, link: canonical ?? alternate,
      published: published, html: html, attachments: attachments)
  }
}
