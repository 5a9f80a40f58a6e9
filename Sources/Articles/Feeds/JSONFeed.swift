import Foundation
import Limits

/// Parses JSON Feed, versions 1 and 1.1.
///
/// Values are read in a stream: only the articles of a large document are kept in memory.
struct JSONFeed {
  private let address: String
  private let budget: Budget
  private var feed = ParsedFeed()
  private var hasVersion = false
  private var hasTitle = false
  private var hasItems = false
  private var people = People()

  /// The most people of one list that are named.
  private static let peopleLimit = 32

  /// Parses a feed; the bytes must be valid UTF-8.
  static func parse(
    _ bytes: [UInt8], address: String, budget: Budget
  ) throws(FeedError) -> ParsedFeed {
    try JSONReader.read(bytes, budget: budget) { reader throws(FeedError) in
      var document = JSONFeed(address: address, budget: budget)
      return try document.read(&reader)
    }
  }

  private init(address: String, budget: Budget) {
    (self.address, self.budget) = (address, budget)
  }

  private mutating func read(_ reader: inout JSONReader) throws(FeedError) -> ParsedFeed {
    do throws(FeedError) {
      try readMembers(&reader)
    } catch {
      guard isFeed else { throw error }
      nameAuthors()
      return try feed.ending(with: error)
    }
    guard isFeed else { throw .notAFeed(found: .json) }
    nameAuthors()
    return feed
  }

  /// Some feeds omit the version; no other JSON has both of these members.
  private var isFeed: Bool { (hasVersion || hasTitle) && hasItems }

  private mutating func readMembers(_ reader: inout JSONReader) throws(FeedError) {
    try reader.object { reader, name throws(FeedError) in
      // If a name occurs twice, the last member counts.
      switch name {
      case "version": hasVersion = try reader.text()?.contains("jsonfeed.org") == true
      case "title":
        let title = try reader.text()
        hasTitle = title != nil
        feed.title = PlainText.line(title ?? "")
      case "home_page_url": feed.site = webAddress(try reader.text())
      case "author": people.one = try Self.names(&reader)
      case "authors": people.all = try Self.names(ofAll: &reader)
      case "items":
        feed.articles = []
        hasItems = try reader.array { reader throws(FeedError) in
          try readItem(&reader)
          hasItems = true
        }
      default: try reader.skip()
      }
    }
  }

  /// Gives the items without an author that of the feed.
  private mutating func nameAuthors() {
    feed.author = people.line
    for index in feed.articles.indices where feed.articles[index].author == nil {
      feed.articles[index].author = feed.author
    }
  }

  private mutating func readItem(_ reader: inout JSONReader) throws(FeedError) {
    var item = Item()
    let isItem = try reader.object { reader, name throws(FeedError) in
      switch name {
      case "id": item.id = try reader.text()
      case "title": item.title = try reader.text()
      case "url": item.url = try reader.text()
      case "external_url": item.externalURL = try reader.text()
      case "content_html": item.html = try reader.text()
      case "content_text": item.text = try reader.text()
      case "summary": item.summary = try reader.text()
      case "date_published": item.published = try reader.text()
      case "date_modified": item.modified = try reader.text()
      case "image": item.image = try reader.text()
      case "banner_image": item.banner = try reader.text()
      case "author": item.people.one = try Self.names(&reader)
      case "authors": item.people.all = try Self.names(ofAll: &reader)
      case "attachments": item.attachments = try attachments(&reader)
      default: try reader.skip()
      }
    }
    guard isItem else { return }
    feed.articles.append(article(item))
    budget.require(feed.articles.count, atMost: FeedParser.articleLimit, .articles)
  }

  /// The members of an item.
  private struct Item {
    var id, title, url, externalURL, html, text, summary: String?
    var published, modified, image, banner: String?
    var people = People()
    var attachments: [Attachment] = []
  }

  private func article(_ item: Item) -> ParsedArticle {
    var article = ParsedArticle()
    article.guid = item.id?.trimmingWhiteSpace() ?? ""
    article.title = PlainText.line(item.title ?? "")
    article.author = item.people.line
    article.link =
      webAddress(item.url) ?? webAddress(item.externalURL) ?? WebAddress.web(article.guid)
    article.published =
      item.published.flatMap(FeedDate.parse) ?? item.modified.flatMap(FeedDate.parse)
    article.base = article.link ?? address
    // It is stored with each article.
    if article.link == nil { budget.take(address.utf8.count) }
    let text = [item.text, item.summary].lazy.compactMap(\.self).first { !$0.isEmpty }
    article.html =
      item.html.flatMap { $0.isEmpty ? nil : $0 }
      ?? PlainText.html(text ?? "", keepsLines: true)
    let pictures = [item.image, item.banner].compactMap(webAddress)
    article.attachments =
      pictures.map { Attachment(address: $0, type: "image") } + item.attachments
    return article
  }

  private func webAddress(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return WebAddress.web(text, against: address, budget: budget)
  }

  // MARK: People

  /// Version 1 has one author, 1.1 a list of them; some feeds have both.
  private struct People {
    var one: [String] = []
    var all: [String] = []

    var line: String? {
      var names: [String] = []
      for name in all + one where !names.contains(name) { names.append(name) }
      return names.isEmpty ? nil : PlainText.line(names.joined(separator: ", "))
    }
  }

  private static func names(ofAll reader: inout JSONReader) throws(FeedError) -> [String] {
    var names: [String] = []
    try reader.array { reader throws(FeedError) in
      let found = try self.names(&reader)
      if names.count < peopleLimit { names += found }
    }
    return names
  }

  /// Reads one person, which is an object with a name or only the name; empty if there is no name.
  private static func names(_ reader: inout JSONReader) throws(FeedError) -> [String] {
    let name =
      if try reader.isAtObject() { try reader.texts(["name"])["name"] } else { try reader.text() }
    let line = PlainText.line(name ?? "")
    return line.isEmpty ? [] : [line]
  }

  // MARK: Attachments

  private func attachments(_ reader: inout JSONReader) throws(FeedError) -> [Attachment] {
    var attachments: [Attachment] = []
    try reader.array { reader throws(FeedError) in
      let file = try reader.texts(["url", "mime_type", "size_in_bytes", "duration_in_seconds"])
      guard attachments.count < EntryFields.attachmentLimit, let address = webAddress(file["url"])
      else { return }
      attachments.append(
        Attachment(
          address: address, type: file["mime_type"],
          byteCount: file["size_in_bytes"].flatMap { Int($0) },
          seconds: file["duration_in_seconds"].flatMap(Attachment.seconds)))
    }
    return attachments
  }
}
