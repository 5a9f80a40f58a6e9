import Limits

/// Parses RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed 1 and 1.1.
///
/// ```swift
/// let feed = try FeedParser.parse(bytes, address: "https://example.org/feed.xml")
/// for article in feed.articles { print(article.title) }
/// ```
///
/// It tolerates common mistakes that have only one possible meaning: a wrong or missing encoding,
/// leading white space, HTML entities, bare ampersands, forbidden characters, undeclared prefixes
/// and all kinds of dates. It refuses others: a truncated document is an error, so that half a feed
/// is never stored.
public enum FeedParser {
  /// The largest document that is parsed, in bytes.
  public static let sizeLimit = 32 << 20
  /// The most articles of one feed.
  public static let articleLimit = 50_000

  /// Parses a document; nothing outside of it is ever loaded.
  ///
  /// - Parameters:
  ///   - bytes: the document in any encoding.
  ///   - address: the document's address, the base of its relative links.
  ///   - charset: the encoding that the server claims, if any.
  public static func parse(
    _ bytes: [UInt8], address: String, charset: String? = nil
  ) throws(FeedError) -> ParsedFeed {
    try parse(bytes, address: address, charset: charset, chunkSize: XMLSource.defaultChunkSize)
  }

  static func parse(
    _ bytes: [UInt8], address: String, charset: String?, chunkSize: Int, budget: Budget? = nil
  ) throws(FeedError) -> ParsedFeed {
    guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    let budget = budget ?? Budget(bytes: bytes.count)
    let text = SourceText.utf8(bytes, charset: charset)
    budget.spend(text.count)
    let feed =
      if isJSON(text) {
        try JSONFeed.parse(text, address: address, budget: budget)
      } else {
        try parseXML(text, address: address, chunkSize: chunkSize, budget: budget)
      }
    // A result that was cut short by the budget must not pass for complete.
    if let end = budget.end { throw FeedError(end) }
    return feed
  }

  private static func isJSON(_ text: [UInt8]) -> Bool {
    let first = text.first { !isWhiteSpace($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func parseXML(
    _ text: [UInt8], address: String, chunkSize: Int, budget: Budget
  ) throws(FeedError) -> ParsedFeed {
    try check(text)
    var builder = FeedBuilder(address: address, budget: budget)
    try XMLSource.parse(
      try XMLRepair.repair(text, budget: budget), into: &builder, chunkSize: chunkSize,
      budget: budget)
    return builder.feed
  }

  /// Recognises documents that cannot be XML, and reports what they are more clearly than an XML
  /// parser would.
  private static func check(_ text: [UInt8]) throws(FeedError) {
    let body = text[...].drop(while: isWhiteSpace)
    guard let first = body.first else { throw .empty }
    let head = body.prefix(512)
    if first == UInt8(ascii: "<") {
      let start = String(decoding: head.prefix(15), as: UTF8.self).lowercased()
      if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
        throw .notAFeed(found: .html)
      }
      return
    }
    let isBinary =
      head.contains { $0 < 0x09 || (0x0E...0x1A).contains($0) }
      || String(decoding: head, as: UTF8.self).unicodeScalars.dropLast().contains("\u{FFFD}")
    throw .notAFeed(found: isBinary ? .binary : .text)
  }
}
