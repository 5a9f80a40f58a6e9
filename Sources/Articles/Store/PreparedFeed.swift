/// The contents of a feed's document, ready to be compared with what is stored.
///
/// Pure functions prepare it, and the ``ArticleDetails`` of its new articles, before the write
/// begins: all feeds share one writer, so the write transaction should only write.
struct PreparedFeed: Sendable, Hashable {
  /// Plain text, never HTML; empty if the feed has none.
  let title: String
  /// The absolute address of the feed's web site.
  let site: String?
  /// The duplicate key of the web site, which identifies none of the articles.
  let home: Int64?
  /// In the order of the document, with unique ids.
  var articles: [PreparedArticle]
  /// Whether the document was read to its end, so that what is not in ``articles`` is not in the
  /// feed.
  let isWhole: Bool

  init(_ feed: ParsedFeed) {
    isWhole = feed.mistake == nil
    title = feed.title
    site = feed.site
    home = feed.site.flatMap(DuplicateKeys.key(ofLink:))
    articles = StableIDs.unique(feed.articles).map(PreparedArticle.init)
  }
}

/// An article of a ``PreparedFeed``.
struct PreparedArticle: Sendable, Hashable {
  /// The article's content.
  ///
  /// An article without a title gets the first words of its text as a title: otherwise a list would
  /// show several indistinguishable "Untitled" rows.
  let content: ParsedArticle
  /// A hash of the content without its id, which shows whether the article has changed.
  let digest: Int64

  init(_ article: ParsedArticle) {
    var article = article
    if article.title.isEmpty { article.title = Self.firstWords(of: article.html) }
    content = article
    digest = Self.digest(of: article)
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

  /// Returns about one line of words, and at least a part of the first word.
  private static func firstWords(of html: String) -> String {
    // In bytes: a character takes up to four.
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

/// What is computed of an article's text if the article is new or has changed: most articles of a
/// fetched feed are neither.
struct ArticleDetails: Sendable {
  /// Nil when there is no text.
  let readingMinutes: Int?
  /// The keys by which it is recognised in other feeds.
  let keys: [Int64]
  /// Nil if no rule looks for words.
  let words: SearchWords?

  /// - Parameter home: the duplicate key of the feed's web site; nil if it is not known.
  init(_ article: PreparedArticle, home: Int64?, rules: RulesInForce) {
    readingMinutes = ReadingTime.minutes(html: article.content.html)
    keys = DuplicateKeys.keys(of: article.content, home: home)
    words = rules.haveWords ? SearchWords(article.content) : nil
  }
}

/// A hash of an article's content, which shows whether the article has changed.
///
/// Every article of a feed is hashed at every fetch, so the hash takes eight bytes at a time.
/// Hashes are stored: a different algorithm would make all articles look changed.
struct ContentDigest {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ number: UInt64) {
    // Folded, so that the upper bits, which the product mixes best, affect the lower ones.
    let product = (value ^ number).multipliedFullWidth(by: Self.multiplier)
    value = product.high ^ product.low &+ 1
  }

  mutating func combine(_ text: String?) {
    // Nil has to differ from an empty text.
    guard var text else { return combine(UInt64.max) }
    text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
  }

  private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(UInt64(bytes.count))
    var position = 0
    while position + 8 <= bytes.count {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position += 8
    }
    guard position < bytes.count else { return }
    combine(bytes[position...].reduce(0) { $0 << 8 | UInt64($1) })
  }
}
