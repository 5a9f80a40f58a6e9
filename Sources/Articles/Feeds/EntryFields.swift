import Foundation
import Limits

/// The fields of a feed entry, collected before it is known which of them are used.
struct EntryFields {
  /// The base of relative addresses in its text.
  var base: String
  var id = ""
  var guidIsLink = false
  var link: String?
  var linkIsPage = false
  var contentSource: String?
  var author = ""
  private(set) var attachments: [Attachment] = []
  private var podcastAuthor = ""
  private var seconds: Int?
  private var title: CapturedText?
  private var mediaTitle: CapturedText?
  private var text = CapturedText()
  private var textRank = TextRank.none
  private var published: Date?
  private var updated: Date?

  /// Ranks the texts of an entry: the one most likely to be complete is shown.
  private enum TextRank: Int {
    case none, podcastSummary, mediaDescription, summary, body, content
  }

  /// The chapters of an episode, which are shown below its text.
  var chapters = FeedChapters()

  /// The base of the addresses of attachments.
  private let fileBase: String
  private let budget: Budget

  /// The most attachments of one entry.
  static let attachmentLimit = 16

  init(base: String, fileBase: String, budget: Budget) {
    (self.base, self.fileBase, self.budget) = (base, fileBase, budget)
  }

  mutating func store(_ captured: CapturedText, as name: ElementName, in space: Space) {
    let text = captured.text
    guard !text.isEmpty else { return }
    switch (space, name) {
    case (.media, .title): mediaTitle = mediaTitle ?? captured
    case (.itunes, .title): break
    case (_, .title): title = title ?? captured
    case (.rss, .guid), (.atom, .id): id = text
    case (.content, .encoded), (.atom, .content): keep(captured, as: .content)
    case (_, .body), (_, .fullitem): keep(captured, as: .body)
    case (.media, .description): keep(captured, as: .mediaDescription)
    case (.itunes, .summary): keep(captured, as: .podcastSummary)
    case (_, .description), (_, .summary), (_, .abstract): keep(captured, as: .summary)
    case (.itunes, .duration): seconds = seconds ?? Attachment.seconds(text)
    case (.itunes, .author): podcastAuthor = captured.name
    case (.rss, .author), (.dublinCore, .creator), (.dublinCore, .author):
      if author.isEmpty { author = captured.name }
    default: storeDate(text, name)
    }
  }

  mutating func noteUpdate(_ text: String) {
    updated = FeedDate.parse(text) ?? updated
  }

  /// Adds an attachment; each address only once.
  mutating func attach(
    _ reference: String?, type: String? = nil, byteCount: String? = nil, seconds: String? = nil
  ) {
    guard let reference, attachments.count < Self.attachmentLimit,
      let address = WebAddress.web(reference, against: fileBase, budget: budget),
      !attachments.contains(where: { $0.address == address })
    else { return }
    attachments.append(
      Attachment(
        address: address, type: type, byteCount: byteCount.flatMap { Int($0) },
        seconds: seconds.flatMap(Attachment.seconds)))
  }

  func article(channelAuthor: String) -> ParsedArticle {
    var article = ParsedArticle()
    article.title = (title ?? mediaTitle)?.line(budget: budget) ?? ""
    let author = [author, podcastAuthor, channelAuthor].first { !$0.isEmpty } ?? ""
    article.author =
      author.isEmpty ? nil : PlainText.line(html: PersonName.name(in: author), budget: budget)
    article.attachments = playing
    article.link =
      link ?? (guidIsLink || id.utf8.starts(with: "http".utf8) ? WebAddress.web(id) : nil)
    article.link =
      article.link ?? contentSource.flatMap { WebAddress.web($0, against: base, budget: budget) }
      ?? attachments.first { $0.isEnclosure }?.address
    article.published = published ?? updated
    // What is written about a video has lists, line by line; elsewhere, lines may end wherever the
    // document's do.
    article.html = text.html(keepsLines: textRank == .mediaDescription) + chapters.html
    article.base = base
    // It is stored with each article.
    budget.take(base.utf8.count)
    article.guid = id
    return article
  }

  private mutating func keep(_ captured: CapturedText, as rank: TextRank) {
    guard rank.rawValue > textRank.rawValue else { return }
    text = captured
    textRank = rank
  }

  private mutating func storeDate(_ text: String, _ name: ElementName) {
    switch name {
    case .pubDate, .published, .issued, .date, .created:
      published = FeedDate.parse(text) ?? published
    case .updated, .modified: noteUpdate(text)
    default: break
    }
  }

  /// The attachments with the episode's duration, which feeds give for the entry and not for the
  /// file.
  private var playing: [Attachment] {
    var attachments = attachments
    let first = attachments.firstIndex { $0.kind == .audio || $0.kind == .video }
    if let first, let seconds, attachments[first].seconds == nil {
      attachments[first].seconds = seconds
    }
    return attachments
  }
}

/// Extracts the name from a feed's description of a person: `mail@example.org (Name)` as RSS
/// specifies, `Name (mail@example.org)`, `Name <mail@example.org>`, or only the name.
enum PersonName {
  static func name(in text: String) -> String {
    for (open, close) in [("(", ")"), ("<", ">")] as [(Character, Character)] {
      guard text.last == close, let start = text.lastIndex(of: open) else { continue }
      let inside = String(text[text.index(after: start)...].dropLast()).trimmingWhiteSpace()
      let outside = String(text[..<start]).trimmingWhiteSpace()
      // Other parentheses belong to the name: "Ann (on holiday)".
      if outside.contains("@"), !inside.isEmpty { return inside }
      if inside.contains("@"), !outside.isEmpty { return outside }
    }
    return text
  }
}
