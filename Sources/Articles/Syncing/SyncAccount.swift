import Foundation

/// An account on a server that stores feeds and marks for several readers.
public struct SyncAccount: Sendable, Hashable, Identifiable {
  /// Identifies an account in one store; never reused.
  public struct ID: Sendable, Hashable, RawRepresentable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// The API of a server.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The API of Google Reader.
    case googleReader = "greader"
    /// The API of Fever.
    case fever
  }

  public let id: ID
  public let kind: Kind
  /// The address of the server's API.
  public let address: String
  /// The user name on the server.
  public let user: String
  /// The program that prints the password, with its arguments; nil if the password is stored.
  public let passwordCommand: [String]?

  public init(
    id: ID, kind: Kind, address: String, user: String, passwordCommand: [String]? = nil
  ) {
    self.id = id
    self.kind = kind
    self.address = address
    self.user = user
    self.passwordCommand = passwordCommand
  }

  /// The account's name: user and server.
  public var name: String { "\(user)@\(server)" }

  /// The name of the server, with its port.
  public var server: String { WebAddress.Parts(address).authority ?? address }
}

/// A row in the list of accounts.
public struct AccountSummary: Sendable, Hashable, Identifiable {
  public let account: SyncAccount
  public let feedCount: Int
  /// The number of unread articles in all its feeds.
  public let unreadCount: Int
  /// How many marks and changes of feeds have not been sent to the server yet.
  public let waitingCount: Int
  /// When everything was last exchanged.
  public let lastSynced: Date?
  /// Since when the server cannot be reached; waiting changes are sent automatically when it can.
  public let offlineSince: Date?
  /// Why the last sync failed; nil if it did not fail, or if the server could not be reached.
  public let failure: UserMessage?
  /// When a failed sync is tried again automatically; nil if there was no failure.
  ///
  /// A year later, if the server does not accept the password.
  public let nextAttempt: Date?
  /// When it is synced automatically although it has no feeds; nil for never, and for an account with
  /// feeds, which is synced when one of them is reloaded.
  public let nextReload: Date?

  public var id: SyncAccount.ID { account.id }

  public init(
    account: SyncAccount, feedCount: Int = 0, unreadCount: Int = 0, waitingCount: Int = 0,
    lastSynced: Date? = nil, offlineSince: Date? = nil, failure: UserMessage? = nil,
    nextAttempt: Date? = nil, nextReload: Date? = nil
  ) {
    self.account = account
    self.feedCount = feedCount
    self.unreadCount = unreadCount
    self.waitingCount = waitingCount
    self.lastSynced = lastSynced
    self.offlineSince = offlineSince
    self.failure = failure
    self.nextAttempt = nextAttempt
    self.nextReload = nextReload
  }
}

/// The result of a sync.
public struct SyncReport: Sendable, Hashable {
  /// How many marks were sent.
  public var sentMarks = 0
  /// How many changes of feeds were sent.
  public var sentFeeds = 0
  /// How many marks the server refused; they wait, and keep their local values.
  public var refusedMarks = 0
  /// The tags among the refused marks that have the name of a folder on the server.
  public var tagsOfFolders: Set<String> = []
  /// How many local marks were changed to the server's values.
  public var receivedMarks = 0
  /// How many articles are new, by feed.
  public var newArticles: [Feed.ID: Int] = [:]
  /// The titles of added feeds.
  public var addedFeeds: [String] = []
  /// The titles of feeds that are no longer on the server.
  public var removedFeeds: [String] = []
  /// Feeds whose changes the server refused; a change that it has no request for was undone.
  ///
  /// A feed that had been fetched without the account is outside it again. If the server only had a
  /// problem with it, it stays in the account, the next sync sends it again, and until the server has
  /// it, reloads fetch it from its own server.
  public var refusedFeeds: [RefusedFeed] = []

  public init() {}

  /// A feed whose change the server refused, with the server's reason.
  public struct RefusedFeed: Sendable, Hashable {
    public let id: Feed.ID
    public let title: String
    public let reason: String
    /// Whether it was to be added to the account.
    public let isAddition: Bool
    /// The problem of the server after which the next sync sends the change again; nil if the server
    /// has decided.
    let passing: SyncError?
  }

  /// How many articles are new in all feeds.
  public var newArticleCount: Int { newArticles.values.reduce(0, +) }
}
