import Foundation

/// An account on a server that keeps feeds and marks for several readers.
public struct SyncAccount: Sendable, Hashable, Identifiable {
  /// Names an account in one store; never given out again.
  public struct ID: Sendable, Hashable, RawRepresentable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// How a server is spoken to.
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
  /// The name that the user has there.
  public let user: String
  /// The program that prints the password, with its arguments; nil where the password is kept.
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

  /// What it is called: the name of the user and of the server.
  public var name: String {
    let authority = WebAddress.Parts(address).authority ?? address
    return "\(user)@\(authority)"
  }
}

/// A row in the list of accounts.
public struct AccountSummary: Sendable, Hashable, Identifiable {
  public let account: SyncAccount
  public let feedCount: Int
  /// Of all its feeds.
  public let unreadCount: Int
  /// How many marks and changes of feeds its server does not know yet.
  public let waitingCount: Int
  /// When everything was last exchanged.
  public let lastSynced: Date?
  /// Since when the server cannot be reached: what waits goes on by itself when it can.
  public let offlineSince: Date?
  /// Why the last sync failed; nil when it did not, and where the server could not be reached.
  public let failure: UserMessage?
  /// When it is tried again by itself after a failure: in a year where that cannot help; nil where there
  /// was none.
  public let nextAttempt: Date?

  public var id: SyncAccount.ID { account.id }

  public init(
    account: SyncAccount, feedCount: Int = 0, unreadCount: Int = 0, waitingCount: Int = 0,
    lastSynced: Date? = nil, offlineSince: Date? = nil, failure: UserMessage? = nil,
    nextAttempt: Date? = nil
  ) {
    self.account = account
    self.feedCount = feedCount
    self.unreadCount = unreadCount
    self.waitingCount = waitingCount
    self.lastSynced = lastSynced
    self.offlineSince = offlineSince
    self.failure = failure
    self.nextAttempt = nextAttempt
  }
}

/// What came of a sync.
public struct SyncReport: Sendable, Hashable {
  /// How many marks the server was told of.
  public var sentMarks = 0
  /// How many it refuses; they wait, and nothing of theirs is overwritten here.
  public var refusedMarks = 0
  /// How many marks became what they are on the server.
  public var receivedMarks = 0
  /// How many articles are new, by feed.
  public var newArticles: [Feed.ID: Int] = [:]
  /// Feeds that came, by their titles.
  public var addedFeeds: [String] = []
  /// Feeds that are not on the server any more.
  public var removedFeeds: [String] = []
  /// Feeds of which the server refused a change.
  public var refusedFeeds: [RefusedFeed] = []

  /// A feed of which the server refused a change, with what it said.
  public struct RefusedFeed: Sendable, Hashable {
    public let id: Feed.ID
    public let title: String
    public let reason: String

    public init(id: Feed.ID, title: String, reason: String) {
      (self.id, self.title, self.reason) = (id, title, reason)
    }
  }

  public init() {}

  /// Of all feeds.
  public var newArticleCount: Int { newArticles.values.reduce(0, +) }
}
