import Foundation

/// A row in a list of articles: everything but the text, so that ten thousand of them are cheap.
public struct Article: Sendable, Hashable, Identifiable {
  /// Identifies an article in one store; the ids of bundled articles are negative and never change.
  public struct ID: Sendable, Hashable, RawRepresentable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Whether the article is a bundled one, which is not in a store.
    public var isBundled: Bool { rawValue < 0 }
  }

  public let id: ID
  public let feedID: Feed.ID
  /// The title of the article's feed.
  public let feedTitle: String
  /// Plain text, never HTML; empty if the feed gives no title.
  ///
  /// Not sanitised.
  public let title: String
  /// The article's author, or else the feed's; nil when the feed names neither.
  public let author: String?
  /// Its absolute `http` or `https` address.
  public let link: String?
  /// The date in the feed; nil when it has none that can be parsed.
  public let published: Date?
  /// The date by which lists are sorted: ``published``, or when the article was first seen if that is
  /// earlier or all there is; nil when neither is known.
  ///
  /// A feed may date an article to the future, where it would stay on top of every list.
  public let listed: Date?
  /// The estimated reading time in minutes, at least 1; nil when there is no text.
  public var readingMinutes: Int?
  public var isRead: Bool
  /// Whether it has a star, and is kept forever.
  public var isStarred: Bool
  /// The user's tags; an article with a tag is kept forever, like a starred one.
  public var tags: [String]
  /// The titles of the other feeds that carry the article.
  public var alsoIn: [String] = []

  /// Whether it is part of the program; then nothing about it is stored.
  public var isBundled: Bool { id.isBundled }

  public init(
    id: ID, feedID: Feed.ID, feedTitle: String, title: String, author: String? = nil,
    link: String? = nil, published: Date? = nil, listed: Date? = nil, readingMinutes: Int? = nil,
    isRead: Bool = false, isStarred: Bool = false, tags: [String] = []
  ) {
    self.id = id
    self.feedID = feedID
    self.feedTitle = feedTitle
    self.title = title
    self.author = author
    self.link = link
    self.published = published
    self.listed = listed ?? published
    self.readingMinutes = readingMinutes
    self.isRead = isRead
    self.isStarred = isStarred
    self.tags = tags
  }
}

/// Where the text of an article comes from.
public enum TextSource: String, Sendable, Hashable {
  /// The feed.
  case feed
  /// The article's web page, which was fetched.
  case page
  /// The transcript of the enclosed episode.
  case transcript
}

/// Additional files that a feed names for an article, fetched when the user wants them.
public struct ArticleExtras: Sendable, Hashable {
  /// The files to download and play, those that ``Library/enclosures(of:)`` returns.
  public let enclosures: [Attachment]
  public let hasTranscript: Bool
  public let hasChapters: Bool

  public init(
    enclosures: [Attachment] = [], hasTranscript: Bool = false, hasChapters: Bool = false
  ) {
    self.enclosures = enclosures
    self.hasTranscript = hasTranscript
    self.hasChapters = hasChapters
  }
}

/// An article with its text, as a reader shows it.
public struct ArticleDocument: Sendable, Hashable {
  public let article: Article
  public let document: Document
  /// Where the user stopped reading last time.
  public let position: ReadingPosition?
  /// Whether this is the whole text, or only the beginning of a long one, with the rest to follow.
  public let isWhole: Bool
  /// The private-network host that the text came from, where its pictures may be too; nil for the
  /// public network.
  public let privateHost: String?
  public let textSource: TextSource
  public let extras: ArticleExtras

  public init(
    article: Article, document: Document, position: ReadingPosition? = nil, isWhole: Bool = true,
    privateHost: String? = nil, textSource: TextSource = .feed,
    extras: ArticleExtras = ArticleExtras()
  ) {
    self.article = article
    self.document = document
    self.position = position
    self.isWhole = isWhole
    self.privateHost = privateHost
    self.textSource = textSource
    self.extras = extras
  }
}

/// Where the user stopped reading an article, independent of the width of its lines.
public struct ReadingPosition: Sendable, Hashable {
  /// The index of the block in the document.
  public var block: Int
  /// How many characters of the block precede the position.
  public var offset: Int

  public init(block: Int, offset: Int = 0) {
    self.block = block
    self.offset = offset
  }
}
