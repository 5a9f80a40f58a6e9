import Foundation

/// What an entry of a feed says of itself, before it is known which of it counts.
struct EntryFields {
  /// What its text is relative to.
  var base: String
  var id = ""
  var guidIsLink = false
  var link: String?
  var linkIsPage = false
  var enclosure: String?
  var contentSource: String?
  var author = ""
  private var title: CapturedText?
  private var content = CapturedText()
  private var summary = CapturedText()
  private var published: Date?
  private var updated: Date?

  init(base: String) {
    self.base = base
  }

  mutating func store(_ captured: CapturedText, as name: ElementName, in space: Space) {
    let text = captured.text
    guard !text.isEmpty else { return }
    switch (space, name) {
    case (_, .title): title = title ?? captured
    case (.rss, .guid), (.atom, .id): id = text
    case (.content, .encoded), (.atom, .content): content = captured
    case (.media, .description) where !summary.text.isEmpty: break
    case (_, .description), (_, .summary): summary = captured
    case (_, .pubDate), (_, .published), (_, .issued): published = published ?? FeedDate.parse(text)
    case (_, .updated), (_, .modified): updated = updated ?? FeedDate.parse(text)
    case (_, .date), (_, .created): published = published ?? FeedDate.parse(text)
    case (.rss, .author), (.dublinCore, .creator):
      if author.isEmpty { author = Self.personName(text) }
    default: break
    }
  }

  func article(channelAuthor: String) -> ParsedArticle {
    var article = ParsedArticle()
    article.title = title?.line ?? ""
    let author = author.isEmpty ? channelAuthor : author
    article.author = author.isEmpty ? nil : PlainText.line(html: author)
    article.link = link ?? (guidIsLink || id.hasPrefix("http") ? WebAddress.web(id) : nil)
    for candidate in [contentSource, enclosure] {
      guard article.link == nil, let candidate else { continue }
      article.link = WebAddress.web(candidate, against: base)
    }
    article.published = published ?? updated
    article.updated = updated
    article.html = content.text.isEmpty ? summary.html : content.html
    article.base = base
    article.guid = id
    return article
  }

  /// The name in `mail@example.org (Name)`, which is what RSS asks authors to write.
  private static func personName(_ text: String) -> String {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), text[..<open].contains("@")
    else { return text }
    let name = text[text.index(after: open)...].dropLast()
    return name.isEmpty ? text : String(name)
  }
}
