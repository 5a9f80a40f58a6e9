import Foundation

/// A feed that the user has added.
public struct Feed: Sendable, Hashable, Identifiable {
  /// Identifies a feed in one store; the id of the bundled feed is negative and never changes.
  public struct ID: Sendable, Hashable, RawRepresentable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  public let id: ID
  /// The address that it is fetched from: an `http`, `https` or `file` URL.
  public let address: String
  /// The title: the user's, or else the feed's own, or its address before the first fetch.
  ///
  /// Plain text, never HTML; not sanitised.
  public let title: String
  /// The title that the user gave the feed; nil for the feed's own.
  public let customTitle: String?
  /// The folder it is in; nil at the top level.
  public let folder: FeedFolder?
  public let tags: [String]
  /// The address of the feed's web site.
  public let site: String?
  /// When it was last fetched successfully.
  public let lastFetched: Date?
  /// The interval in minutes of automatic reloads: 0 for never, nil for
  /// ``Library/Options/reloadInterval``.
  public let reloadMinutes: Int?
  /// Whether the full text of its articles is fetched from their web pages; nil for
  /// ``Library/Options/fullText``.
  public let fullText: Bool?
  /// The account whose server fetches the feed; nil if this program does.
  public let account: SyncAccount.ID?

  public init(
    id: ID, address: String, title: String, customTitle: String? = nil, folder: FeedFolder? = nil,
    tags: [String] = [], site: String? = nil, lastFetched: Date? = nil, reloadMinutes: Int? = nil,
    fullText: Bool? = nil, account: SyncAccount.ID? = nil
  ) {
    self.id = id
    self.address = address
    self.title = title
    self.customTitle = customTitle
    self.folder = folder
    self.tags = tags
    self.site = site
    self.lastFetched = lastFetched
    self.reloadMinutes = reloadMinutes
    self.fullText = fullText
    self.account = account
  }
}

extension Feed {
  /// The title, or the address without its scheme if there is no title.
  ///
  /// Before the first fetch the title is the address, whose scheme would waste space.
  public var shownTitle: String {
    guard title.isEmpty || title == address else { return title }
    let scheme = ["https://", "http://", "file://"].first(where: address.hasPrefix)
    return String(address.dropFirst(scheme?.count ?? 0))
  }
}

/// A row in the list of feeds.
public struct FeedSummary: Sendable, Hashable, Identifiable {
  /// Why and when the last fetch failed.
  ///
  /// The next successful fetch removes it.
  public struct Failure: Sendable, Hashable {
    /// The message shown to the user.
    public let message: UserMessage
    /// When it failed.
    public let date: Date
    /// When it may be fetched again automatically.
    public let nextAttempt: Date?

    public init(message: UserMessage, date: Date, nextAttempt: Date? = nil) {
      self.message = message
      self.date = date
      self.nextAttempt = nextAttempt
    }
  }

  public let feed: Feed
  /// The number of stored articles that are not muted.
  public let articleCount: Int
  public let unreadCount: Int
  /// The failure of the last fetch; nil when it succeeded, and before the first one.
  public let failure: Failure?
  /// Since when the server has reported that the feed is gone for good.
  ///
  /// It is not fetched again unless the user reloads only feeds that are gone, such as this one.
  public let goneSince: Date?
  /// When it is reloaded automatically; nil for never.
  public let nextReload: Date?

  public var id: Feed.ID { feed.id }

  public init(
    feed: Feed, articleCount: Int, unreadCount: Int = 0, failure: Failure? = nil,
    goneSince: Date? = nil, nextReload: Date? = nil
  ) {
    self.feed = feed
    self.articleCount = articleCount
    self.unreadCount = unreadCount
    self.failure = failure
    self.goneSince = goneSince
    self.nextReload = nextReload
  }
}

/// A selection of feeds.
public enum FeedSelection: Sendable, Hashable {
  case all
  case feed(Feed.ID)
  /// The feeds of a folder and of its subfolders.
  case folder(FeedFolder)
  /// The feeds of an account.
  case account(SyncAccount.ID)

  /// Whether the selection includes this feed.
  public func contains(_ feed: Feed) -> Bool {
    switch self {
    case .all: true
    case .feed(let id): feed.id == id
    case .folder(let folder): feed.folder?.isWithin(folder) ?? false
    case .account(let id): feed.account == id
    }
  }
}
