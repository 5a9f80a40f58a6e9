import Foundation

/// A row in a list of articles: everything but the text, so that ten thousand of them are cheap.
public struct Article: Sendable, Hashable, Identifiable {
  /// Names an article in one store; those of the bundled feed are negative and always the same.
  public struct ID: Sendable, Hashable, RawRepresentable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Whether it is of the bundled feed, which is in no store.
    public var isBundled: Bool { rawValue < 0 }
  }

  public let id: ID
  public let feedID: Feed.ID
  /// The title of the feed it came with.
  public let feedTitle: String
  /// Text, never HTML; empty when the feed gives none.
  ///
  /// Not sanitised.
  public let title: String
  /// Who wrote it, or else who writes the feed; nil when neither is said.
  public let author: String?
  /// Its absolute `http` or `https` address.
  public let link: String?
  /// As the feed says; nil when it says none that can be read.
  public let published: Date?
  /// An estimate of the time it takes to read, at least 1; nil when there is no text to read.
  public var readingMinutes: Int?
  public var isRead: Bool
  /// Whether it is kept for ever.
  public var isStarred: Bool
  /// What the user calls it: it is kept as long as it has one, as with a star.
  public var tags: [String]
  /// The titles of the other feeds that have it, too.
  public var alsoIn: [String] = []

  /// Whether it came with the program: then nothing about it is stored.
  public var isBundled: Bool { id.isBundled }

  public init(
    id: ID, feedID: Feed.ID, feedTitle: String, title: String, author: String? = nil,
    link: String? = nil, published: Date? = nil, readingMinutes: Int? = nil, isRead: Bool = false,
    isStarred: Bool = false, tags: [String] = []
  ) {
    self.id = id
    self.feedID = feedID
    self.feedTitle = feedTitle
    self.title = title
    self.author = author
    self.link = link
    self.published = published
    self.readingMinutes = readingMinutes
    self.isRead = isRead
    self.isStarred = isStarred
    self.tags = tags
  }
}

/// Where the text of an article is from.
public enum TextSource: String, Sendable, Hashable {
  /// What its feed says.
  case feed
  /// The article on its web page, which was fetched.
  case page
  /// What is said in the episode that is enclosed with the article, in words.
  case transcript
}

/// What feeds name for an episode, and what is fetched when the user wants to see it.
public struct ArticleExtras: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let transcript = ArticleExtras(rawValue: 1)
  public static let chapters = ArticleExtras(rawValue: 2)
}

/// An article with its text, as a reader shows it.
public struct ArticleDocument: Sendable, Hashable {
  public let article: Article
  public let document: Document
  /// Where it was left last time.
  public let position: ReadingPosition?
  /// Whether it is all of the text; else it is what a long one begins with, and the rest follows.
  public let isWhole: Bool
  /// The host of a private network that it came from, where its pictures may be too; nil for the
  /// public network.
  public let privateHost: String?
  public let textSource: TextSource
  public let extras: ArticleExtras

  public init(
    article: Article, document: Document, position: ReadingPosition? = nil, isWhole: Bool = true,
    privateHost: String? = nil, textSource: TextSource = .feed, extras: ArticleExtras = []
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
