import Foundation
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
/// and all kinds of dates. After other mistakes, and where a document ends in the middle, only the
/// entries before that are read, and ``ParsedFeed/mistake`` says so; without any, it is an error.
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
    let repaired = try XMLRepair.repair(text, budget: budget)
    do throws(FeedError) {
      try XMLSource.parse(repaired, into: &builder, chunkSize: chunkSize, budget: budget)
      return builder.feed
    } catch {
      return try builder.feed.ending(with: error)
    }
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

/// The contents of a feed's document; the result of ``FeedParser``.
public struct ParsedFeed: Sendable, Hashable {
  /// Plain text, never HTML; empty if the feed has no title.
  public var title = ""
  /// The absolute address of the feed's web site.
  public var site: String?
  /// The feed's author, who is also the author of entries that name none.
  public var author: String?
  /// In the order of the document.
  public var articles: [ParsedArticle] = []
  /// Why the document could not be read further than the last of ``articles``; nil when it was read
  /// to its end.
  public var mistake: FeedError?

  /// Returns the feed up to a mistake.
  ///
  /// - Throws: the error itself if no entry comes before it, or if it says that the document is
  ///   refused.
  func ending(with error: FeedError) throws(FeedError) -> ParsedFeed {
    guard error.leavesWhatComesBefore, !articles.isEmpty else { throw error }
    var feed = self
    feed.mistake = error
    return feed
  }
}

/// One entry of a feed's document.
public struct ParsedArticle: Sendable, Hashable {
  /// The entry's own id; it may be empty or the same as that of other entries.
  public var guid = ""
  /// Plain text, never HTML.
  public var title = ""
  /// The entry's author, or else the feed's.
  public var author: String?
  /// Absolute, `http` or `https`.
  public var link: String?
  /// Nil when the entry has no date that can be parsed.
  public var published: Date?
  /// The most complete text of the entry, as HTML.
  public var html = ""
  /// The base of relative addresses in ``html``.
  public var base: String?
  /// The attachments, in the order of the document.
  public var attachments: [Attachment] = []
}

/// Why a document is not a feed, or is one only up to a mistake.
public enum FeedError: Error, Sendable, Hashable {
  /// What a document is when it is not a feed.
  public enum Kind: Sendable, Hashable {
    case html, json, text, binary
    /// Other XML, with the name of its outermost element.
    case xml(root: String)
  }

  case empty
  case notAFeed(found: Kind)
  /// The document ends before its outermost element.
  case truncated(line: Int)
  case malformed(line: Int, reason: String)
  /// It uses an entity defined in its own DOCTYPE, which is how entity bombs work and how local
  /// files can be read.
  case ownEntity(name: String)
  case tooDeep(line: Int)
  case tooLarge(limit: Int)
  /// It has too much of something, or would take too long to parse.
  case tooMuch(Excess)
  /// The task that parsed it was cancelled.
  case cancelled

  /// Whether the entries before the mistake can be used; otherwise the document may do harm, or is
  /// no feed at all.
  var leavesWhatComesBefore: Bool {
    switch self {
    case .truncated, .malformed: true
    default: false
    }
  }

  init(_ end: Budget.End) {
    switch end {
    case .cancelled: self = .cancelled
    case .tooMuch(let excess): self = .tooMuch(excess)
    }
  }
}
