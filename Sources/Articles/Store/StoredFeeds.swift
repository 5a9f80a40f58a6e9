import Foundation
import GRDB
import HTTP

/// A feed with the stored data that a fetch needs.
struct StoredFeed: Sendable {
  let feed: Feed
  let lastAttempt: Date?
  let etag: String?
  let lastModified: String?
  let failure: FeedSummary.Failure?
  /// Whether articles are stored; without them, a "not modified" answer would be useless.
  let hasArticles: Bool
  /// The earliest time of the next automatic fetch.
  let notBefore: Date?
  /// How many attempts in a row have failed.
  let failureCount: Int
  /// Since when the server has reported that the feed is gone for good.
  let goneSince: Date?
  /// The time before which the server allows no other request.
  let retryAfter: Date?
  var credentials: FeedCredentials?
  /// The origin of the feed's address, which decides where a fetch may lead.
  ///
  /// A feed from the public network keeps that origin: its host name must not lead into a private
  /// network one day. But it may lead to a public address of this machine, which can be the server of
  /// the user's own website, unless the server of an account names it. A feed that the user added
  /// from the private network, or that was never fetched, may be there.
  let origin: RequestOrigin
  /// The id of the feed on the server of its account; nil if the server does not have it.
  var remote: String?

  /// Whether it was added to an account whose server does not have it yet, and was never fetched.
  ///
  /// Syncs send it again, but it is no reason for a sync: the server may refuse it each time.
  var isOnlyAdded: Bool { feed.account != nil && remote == nil && feed.lastFetched == nil }

  /// Returns the same feed at another address, as if it had never been fetched.
  func moved(to address: String) -> StoredFeed {
    let mayKeep = FeedCredentials.mayGo(from: feed.address, to: address)
    return StoredFeed(
      feed: Feed(id: feed.id, address: address, title: feed.title), lastAttempt: lastAttempt,
      etag: nil, lastModified: nil, failure: failure, hasArticles: false, notBefore: notBefore,
      failureCount: failureCount, goneSince: goneSince, retryAfter: nil,
      credentials: mayKeep ? credentials : nil, origin: origin)
  }
}

/// The address of a feed, and the credentials that are sent to it.
struct FeedLocation: Sendable, Hashable {
  /// Without a user name and a password.
  let address: String
  let credentials: FeedCredentials?
}

/// The facts of a successful fetch besides the feed's contents.
struct FetchFacts: Sendable {
  var etag: String?
  var lastModified: String?
  /// The earliest time of the next fetch, according to the server.
  var notBefore: Date?
  /// The address that the feed has permanently moved to.
  var newAddress: String?
  /// Whether the first server has an address of the public network; nil for a file.
  var beginsInPublic: Bool?
  /// The origin of the addresses in the articles.
  var contentOrigin = RequestOrigin.publicContent
}

extension RequestOrigin {
  /// Creates the origin of stored content.
  ///
  /// - Parameter privateHost: the private-network host that it came from; nil for the public
  ///   network.
  init(privateHost: String?) {
    self = privateHost.map { .privateContent(host: $0) } ?? .publicContent
  }

  /// The private-network host that content came from; nil for the public network.
  var privateHost: String? {
    if case .privateContent(let host) = self { host } else { nil }
  }
}

extension ArticleStore {
  /// Returns the feeds ordered by title.
  ///
  /// - Parameters:
  ///   - reloadInterval: see ``Library/Options/reloadInterval``.
  ///   - now: returns the time; called when the feeds have been read, so that none was fetched later.
  func feedSummaries(
    reloadInterval: TimeInterval? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) async throws -> [FeedSummary] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT * FROM feed WHERE removedAt IS NULL
            ORDER BY COALESCE(customTitle, NULLIF(title, ''), address) COLLATE TITLES, id
            """))
      return try Array(
        rows.map { row in
          let stored = StoredFeed(row)
          return FeedSummary(
            feed: stored.feed,
            articleCount: (row["articleCount"] as Int) - (row["mutedCount"] as Int),
            unreadCount: row["unreadCount"], failure: stored.failure,
            goneSince: stored.goneSince,
            nextReload: RefreshPolicy.nextReload(of: stored, every: reloadInterval, now: now()))
        })
    }
  }

  func feeds(in selection: FeedSelection) async throws -> [StoredFeed] {
    try await read { try Self.feeds(in: selection, $0) }
  }

  static func feeds(in selection: FeedSelection, _ database: Database) throws -> [StoredFeed] {
    let rows = try SQLRequest<Row>(
      literal: "SELECT * FROM feed WHERE \(selection.feedCondition) ORDER BY id", cached: true
    ).fetchCursor(database)
    return try Array(rows.map { StoredFeed($0) })
  }

  func feed(_ id: Feed.ID) async throws -> StoredFeed? { try await feeds(in: .feed(id)).first }

  func hasFeeds() async throws -> Bool {
    try await read { database in
      try database.exists("SELECT 1 FROM feed WHERE removedAt IS NULL")
    }
  }

  /// Adds a feed; nil when its address is already there.
  ///
  /// A recently removed feed is restored.
  ///
  /// - Parameters:
  ///   - address: a user name and a password in it are stored separately.
  ///   - isPublic: whether public content names the address, and not the user.
  func insertFeed(address: String, isPublic: Bool = false) async throws -> Feed? {
    try await write(durability: .disk) { database in
      try Self.insertFeed(address: address, isPublic: isPublic, database)
    }
  }

  private static func insertFeed(
    address: String, isPublic: Bool, _ database: Database
  ) throws -> Feed? {
    let (address, credentials) = FeedCredentials.split(address)
    if try database.changes(
      "INSERT OR IGNORE INTO feed (address, credentials, beginsInPublic) VALUES (?, ?, ?)",
      [address, credentials?.text, isPublic ? true : nil])
    {
      return Feed(
        id: Feed.ID(rawValue: database.lastInsertedRowID), address: address, title: address)
    }
    // A server may have named the address before, but what the user adds is the user's.
    return try Row.fetchOne(
      database,
      sql: """
        UPDATE feed SET removedAt = NULL, credentials = COALESCE(?2, credentials),
          beginsInPublic = CASE WHEN ?3 THEN beginsInPublic END
        WHERE address = ?1 AND removedAt IS NOT NULL RETURNING *
        """, arguments: [address, credentials?.text, isPublic]
    ).map { Feed($0) }
  }

  /// Returns the feed at an address that is there already, if it should be fetched again: because the
  /// address comes with other credentials, which the result has, or because its last fetch failed.
  ///
  /// Nil also while its server asks to wait, and for a feed of an account.
  func feedToFetchAgain(address: String, at date: Date) async throws -> StoredFeed? {
    let (address, credentials) = FeedCredentials.split(address)
    let id = try await write(durability: .disk) { database in
      // A server may have named the address before, but now it is the user's.
      try Feed.ID.fetchOne(
        database,
        sql: """
          UPDATE feed SET beginsInPublic = NULL
          WHERE address = ?1 AND removedAt IS NULL AND accountID IS NULL
            AND COALESCE(retryAfter, 0) <= ?3
            AND (failureDate IS NOT NULL OR COALESCE(?2, credentials) IS NOT credentials)
          RETURNING id
          """, arguments: [address, credentials?.text, date.timeIntervalSince1970])
    }
    guard let id, var feed = try await feed(id) else { return nil }
    if let credentials { feed.credentials = credentials }
    return feed
  }

  /// Stores the credentials that a feed was fetched with, also if it has moved meanwhile to an
  /// address that they may be sent to.
  func setCredentials(_ credentials: FeedCredentials?, from address: String, of id: Feed.ID)
    async throws
  {
    try await write(durability: .disk) { database in
      guard let current = try Self.address(of: id, database),
        FeedCredentials.mayGo(from: address, to: current)
      else { return }
      try database.run(
        "UPDATE feed SET credentials = ? WHERE id = ?", [credentials?.text, id])
    }
  }

  private static func address(of id: Feed.ID, _ database: Database) throws -> String? {
    try String.fetchOne(database, sql: "SELECT address FROM feed WHERE id = ?", arguments: [id])
  }

  /// Whether a feed with an address was removed that was one of an account, whose server has its
  /// articles, or was not.
  func isRemovedFeed(address: String, ofAccount: Bool) async throws -> Bool {
    try await read { database in
      try database.exists(
        """
        SELECT 1 FROM feed
        WHERE address = ? AND removedAt IS NOT NULL AND (accountID IS NOT NULL) = ?
        """, arguments: [FeedCredentials.split(address).address, ofAccount])
    }
  }

  /// Adds a feed of an account; a feed without an account at the same address joins the account.
  ///
  /// A feed that had the address before, such as that of its web page, counts as one with it. One that
  /// was removed from another account joins this one once that server knows of it.
  ///
  /// - Returns: the feed, and whether it was the user's without an account before; nil when it is in
  ///   an account already.
  /// - Throws: ``SyncError/noSuchAccount``, ``SyncError/unsupported`` or ``StoreError``.
  func insertFeed(
    address: String, of account: SyncAccount.ID
  ) async throws -> (id: Feed.ID, joins: Bool)? {
    try await write(durability: .disk) { database in
      try Self.require(account, database)
      let typed = address
      let address = try Self.currentLocation(
        of: FeedLocation(address: typed, credentials: nil), database
      ).address
      let joins = try database.exists(
        "SELECT 1 FROM feed WHERE address = ? AND accountID IS NULL AND removedAt IS NULL",
        arguments: [address])
      let id = try Feed.ID.fetchOne(
        database,
        sql: """
          INSERT INTO feed (address, accountID) VALUES (?1, ?2)
          ON CONFLICT (address) DO UPDATE
            SET removedAt = NULL, accountID = ?2,
              beginsInPublic =
                CASE WHEN ?3 THEN NULLIF(beginsInPublic, ?4) ELSE beginsInPublic END
            WHERE accountID IS NULL
              OR removedAt IS NOT NULL AND (accountID = ?2 OR remoteID IS NULL)
          RETURNING id
          """, arguments: [address, account, address == typed, StoredFeed.namedByServer])
      guard let id else { return nil }
      try Self.requireSendable([id], database)
      return (id, joins)
    }
  }

  /// Records that a feed could not be fetched, or has a mistake.
  ///
  /// Another password at the same address makes no difference: what a fetch with the old one has
  /// found is recorded, until the next fetch.
  ///
  /// - Parameters:
  ///   - address: where it was fetched; nothing is recorded if the user has changed it meanwhile.
  ///   - notBefore: the earliest time of the next automatic fetch.
  ///   - retryAfter: the time before which the server allows no other request.
  ///   - isGone: whether the server reports that the feed is gone for good.
  ///   - counts: whether the feed has failed once more, which makes its next pause longer.
  func recordFailure(
    _ message: UserMessage, of id: Feed.ID, from address: String?, at date: Date,
    notBefore: Date? = nil, retryAfter: Date? = nil, isGone: Bool = false, counts: Bool = true
  ) async throws {
    try await write { database in
      let seconds = date.timeIntervalSince1970
      try database.cachedStatement(
        literal: """
          UPDATE feed SET lastAttempt = \(seconds), failureDate = \(seconds),
            failureWhat = \(message.what), failureAdvice = \(message.advice),
            failureDetail = \(message.detail), failureCount = failureCount + \(counts),
            notBefore = \(notBefore?.timeIntervalSince1970),
            goneSince = CASE WHEN \(isGone) THEN COALESCE(goneSince, \(seconds)) END,
            retryAfter = \(retryAfter?.timeIntervalSince1970),
            failureIsLasting = \(message.isLasting)
          WHERE \(Self.isFeed(id, fetchedFrom: address))
          """
      ).execute()
    }
  }

  /// Records that the feed was fetched and has nothing new.
  ///
  /// - Parameter address: where it was fetched; nothing is recorded if the user has changed it
  ///   meanwhile.
  func recordUnchanged(
    _ id: Feed.ID, from address: String?, at date: Date, notBefore: Date? = nil
  ) async throws {
    try await write {
      try Self.recordSuccess(
        $0, at: date, notBefore: notBefore, where: Self.isFeed(id, fetchedFrom: address))
    }
  }

  /// Records that the feeds with this condition were fetched, unless they are removed.
  ///
  /// - Parameter values: further columns with their new values, each with a comma after it.
  static func recordSuccess(
    _ database: Database, at date: Date, notBefore: Date? = nil, setting values: SQL = "",
    where condition: SQL
  ) throws {
    let seconds = date.timeIntervalSince1970
    try database.cachedStatement(
      literal: """
        UPDATE feed SET \(values) lastFetched = \(seconds), lastAttempt = \(seconds),
          failureDate = NULL, failureWhat = NULL, failureAdvice = NULL, failureDetail = NULL,
          failureCount = 0, notBefore = \(notBefore?.timeIntervalSince1970), goneSince = NULL,
          retryAfter = NULL
        WHERE \(condition) AND removedAt IS NULL
        """
    ).execute()
  }

  /// Gives the feed of a page the address that the page links to.
  ///
  /// If a removed feed has the address, it is restored in place of the page's feed, which has no
  /// articles and is removed.
  ///
  /// - Parameter isPublic: whether the new address is in the public network.
  /// - Returns: the feed that has the address now; nil, without a change, when there is one already
  ///   or the page's feed has articles.
  func movePage(
    _ id: Feed.ID, to address: String, isPublic: Bool, at date: Date
  ) async throws -> Feed.ID? {
    try await write { database in
      if try Self.changeAddress(database, of: id, to: address, isPublic: isPublic) { return id }
      let isEmpty = try !database.exists(
        "SELECT 1 FROM article WHERE feedID = ?", arguments: [id])
      guard isEmpty,
        let restored = try Self.insertFeed(address: address, isPublic: isPublic, database)
      else { return nil }
      _ = try Self.removeFeed(id, at: date, database)
      if let page = try Self.address(of: id, database) {
        try Self.remember(formerAddress: page, of: restored.id, database)
      }
      return restored.id
    }
  }

  /// Restores the feed of a page, and removes the feed that was restored in its place.
  func takeBackMove(of page: Feed.ID, to restored: Feed.ID, at date: Date) async throws {
    try await write(durability: .disk) { database in
      _ = try Self.removeFeed(restored, at: date, database)
      try database.run("UPDATE feed SET removedAt = NULL WHERE id = ?", [page])
    }
  }

  /// Changes a feed's address; its credentials stay only if they may be sent to the new address
  /// too.
  ///
  /// - Parameters:
  ///   - isPublic: whether the new address is in the public network; nil if that is not known.
  ///   - isOfServer: whether the server of an account names it.
  /// - Returns: false when another feed has the address, or there is no such feed.
  static func changeAddress(
    _ database: Database, of id: Feed.ID, to address: String, isPublic: Bool?,
    isOfServer: Bool = false
  ) throws -> Bool {
    // Credentials that the server put into the address are not the user's.
    let address = FeedCredentials.split(address).address
    guard let old = try Self.address(of: id, database) else { return false }
    let isChanged = try database.changes(
      """
      UPDATE OR IGNORE feed SET address = ?1,
        beginsInPublic = CASE WHEN ?5 OR beginsInPublic = ?6 THEN ?6 ELSE ?2 END,
        credentials = CASE WHEN ?3 THEN credentials END WHERE id = ?4
      """,
      [
        address, isPublic, FeedCredentials.mayGo(from: old, to: address), id, isOfServer,
        StoredFeed.namedByServer,
      ])
    if isChanged, address != old { try remember(formerAddress: old, of: id, database) }
    return isChanged
  }
}

extension StoredFeed {
  /// The value of `beginsInPublic` for an address that the server of an account has named: it stays
  /// public content when the feed leaves the account.
  static let namedByServer = 2

  fileprivate init(_ row: Row) {
    self.init(
      feed: Feed(row), lastAttempt: Date(seconds: row["lastAttempt"]), etag: row["etag"],
      lastModified: row["lastModified"], failure: FeedSummary.Failure(row),
      hasArticles: (row["articleCount"] as Int) > 0, notBefore: Date(seconds: row["notBefore"]),
      failureCount: row["failureCount"], goneSince: Date(seconds: row["goneSince"]),
      retryAfter: Date(seconds: row["retryAfter"]),
      credentials: (row["credentials"] as String?).map(FeedCredentials.init),
      origin: Self.origin(of: row),
      remote: row["remoteID"])
  }

  private static func origin(of row: Row) -> RequestOrigin {
    switch row["beginsInPublic"] as Int? {
    case nil, 0: .user
    case namedByServer: .publicContent
    default: (row["accountID"] as Int64?) == nil ? .userInPublic : .publicContent
    }
  }
}

extension Feed {
  fileprivate init(_ row: Row) {
    let address: String = row["address"]
    let title: String = row["title"]
    let customTitle: String? = row["customTitle"]
    self.init(
      id: row["id"], address: address,
      title: customTitle ?? (title.isEmpty ? address : title), customTitle: customTitle,
      folder: FeedFolder(stored: row["folder"]),
      tags: NameList.names(row["tags"]), site: row["site"],
      lastFetched: Date(seconds: row["lastFetched"]), reloadMinutes: row["reloadMinutes"],
      fullText: row["fullText"],
      account: row["accountID"])
  }
}

extension FeedSummary.Failure {
  fileprivate init?(_ row: Row) {
    guard let date = Date(seconds: row["failureDate"]), let message = UserMessage(failureIn: row)
    else { return nil }
    self.init(message: message, date: date, nextAttempt: Date(seconds: row["notBefore"]))
  }
}

extension UserMessage {
  /// Creates the message in the failure columns of a feed, an account or a download; nil when there
  /// is none.
  init?(failureIn row: Row) {
    guard let what = row["failureWhat"] as String? else { return nil }
    self.init(
      what: what, advice: row["failureAdvice"] ?? "", detail: row["failureDetail"],
      isLasting: row["failureIsLasting"], retryDate: Date(seconds: row["retryAfter"]))
  }
}

extension Date {
  /// Creates a date from a column that may be null.
  init?(seconds: Double?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}

extension Database {
  /// Whether a query has any rows.
  func exists(_ query: String, arguments: StatementArguments = []) throws -> Bool {
    try Row.fetchOne(cachedStatement(sql: "\(query) LIMIT 1"), arguments: arguments) != nil
  }
}
