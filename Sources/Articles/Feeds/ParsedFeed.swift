import Foundation

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

  public init() {}
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
  /// When the entry was last changed; nil when it does not say.
  public var updated: Date?
  /// The most complete text of the entry, as HTML.
  public var html = ""
  /// The base of relative addresses in ``html``.
  public var base: String?
  /// The attachments, in the order of the document.
  public var attachments: [Attachment] = []

  public init() {}
}
