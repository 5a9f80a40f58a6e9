import Foundation

/// What a feed's document says: the answer of ``FeedParser``.
public struct ParsedFeed: Sendable, Hashable {
  /// Text, never HTML; empty when the feed gives none.
  public var title = ""
  /// The absolute address of the web site it belongs to.
  public var site: String?
  /// Who writes it: the author of every entry that names none.
  public var author: String?
  /// In the order of the document.
  public var articles: [ParsedArticle] = []

  public init() {}
}

/// One entry of a feed's document.
public struct ParsedArticle: Sendable, Hashable {
  /// The entry's own id; it may be empty, or that of other entries too.
  public var guid = ""
  /// Text, never HTML.
  public var title = ""
  /// Who wrote it, or else the feed's author.
  public var author: String?
  /// Absolute, `http` or `https`.
  public var link: String?
  /// Nil when the entry has no date that can be read.
  public var published: Date?
  /// When it was changed last; nil when the entry does not say.
  public var updated: Date?
  /// The longest text that the entry carries, as HTML.
  public var html = ""
  /// What relative addresses in ``html`` are relative to.
  public var base: String?
  /// What comes with it, in the order of the document.
  public var attachments: [Attachment] = []

  public init() {}
}
