/// What a feed's document says, ready to be stored.
///
/// It is made by pure functions, before the turn to write has come: that is one for all feeds, so the
/// store only writes.
struct PreparedFeed: Sendable, Hashable {
  /// Text, never HTML; empty when the feed gives none.
  let title: String
  /// The absolute address of the web site it belongs to.
  let site: String?
  /// In the order of the document, each id once.
  var articles: [PreparedArticle]

  init(_ feed: ParsedFeed) {
    title = feed.title
    site = feed.site
    articles = StableIDs.unique(feed.articles).map { PreparedArticle($0, site: feed.site) }
  }
}

/// An article of a ``PreparedFeed``.
struct PreparedArticle: Sendable, Hashable {
  /// What the feed says of it.
  ///
  /// One without a title has the first words of its text for one: in a list nobody could tell one
  /// "Untitled" from the next.
  let content: ParsedArticle
  /// A hash of the content without its id, by which it is known whether anything has changed.
  let digest: Int64
  /// Nil when there is nothing to read.
  let readingMinutes: Int?
  /// What it is known by in other feeds that have it, too.
  var keys: [Int64]

  /// - Parameter site: the address of the feed's web site; nil where it is not known.
  init(_ article: ParsedArticle, site: String? = nil) {
    var article = article
    if article.title.isEmpty { article.title = Self.firstWords(of: article.html) }
    content = article
    digest = Self.digest(of: article)
    keys = DuplicateKeys.keys(of: article, site: site)
    readingMinutes = ReadingTime.minutes(html: article.html)
  }

  private static func digest(of article: ParsedArticle) -> Int64 {
    var digest = ContentDigest()
    for text in [article.title, article.author, article.link, article.html, article.base] {
      digest.combine(text)
    }
    digest.combine(article.published?.timeIntervalSince1970.bitPattern ?? 0)
    for attachment in article.attachments {
      digest.combine(attachment.address)
      digest.combine(attachment.type)
      digest.combine(UInt64(attachment.byteCount ?? 0))
      digest.combine(UInt64(attachment.seconds ?? 0))
    }
    return Int64(bitPattern: digest.value)
  }

  private static let titleLength = 80

  /// As many words as are about a line, and at least a part of the first.
  private static func firstWords(of html: String) -> String {
    // Longer, since characters may take four bytes.
    let text = HTMLText.text(html, limit: titleLength * 4)
    let words = text.unicodeScalars.split(separator: " ")
    var title = String.UnicodeScalarView()
    for word in words {
      if title.isEmpty {
        title.append(contentsOf: word.prefix(titleLength))
      } else if title.count + word.count < titleLength {
        title.append(" ")
        title.append(contentsOf: word)
      } else {
        break
      }
    }
    let isWhole = title.count == text.unicodeScalars.count
    return PlainText.line(isWhole ? String(title) : String(title) + "…")
  }
}
