import Foundation
import GRDB
import HTTP

/// What a store knows of a feed, for fetching it.
struct StoredFeed: Sendable {
  let feed: Feed
  let lastAttempt: Date?
  let etag: String?
  let lastModified: String?
  let failure: FeedSummary.Failure?
  /// Whether there are articles that an answer of "not modified" would refer to.
  let hasArticles: Bool
  /// Not fetched by itself before.
  let notBefore: Date?
  /// In a row, up to now.
  let failureCount: Int
  /// Since when the server says that it is gone for good.
  let goneSince: Date?
  /// Until when the server, which was asked too often, allows no other request.
  let retryAfter: Date?
  let credentials: FeedCredentials?
  /// Who may be taken to have named its address.
  ///
  /// A feed of the public network stays one: its name must not lead to this machine one day. One that
  /// the user added at home, or that was never fetched, may be there.
  let origin: RequestOrigin
  /// The same feed at another address, as if it had never been fetched.
  func moved(to address: String) -> StoredFeed {
    let mayKeep = FeedCredentials.mayGo(from: feed.address, to: address)
    return StoredFeed(
      feed: Feed(id: feed.id, address: address, title: feed.title), lastAttempt: lastAttempt,
      etag: nil, lastModified: nil, failure: failure, hasArticles: false, notBefore: notBefore,
      failureCount: failureCount, goneSince: goneSince, retryAfter: nil,
      credentials: mayKeep ? credentials : nil, origin: origin)
  }
}

/// What a successful fetch tells beyond the feed's contents.
struct FetchFacts: Sendable {
  var etag: String?
  var lastModified: String?
  /// The server's word on when to come back.
  var notBefore: Date?
  /// Where the feed has moved for good.
  var newAddress: String?
  /// Whether the server that was asked first is one of the public network; nil for a file.
  var beginsInPublic: Bool?
  /// What the addresses in the articles have as their origin.
  var contentOrigin = RequestOrigin.publicContent
}

extension RequestOrigin {
  /// The private host that content came from; nil for the public network.
  var privateHost: String? {
    if case .privateContent(let host) = self { host } else { nil }
  }
}

extension ArticleStore {
  /// The feeds in the order of their titles.
  ///
  /// - Parameter reloadInterval: see ``Library/Options/reloadInterval``.
  func feedSummaries(reloadInterval: TimeInterval? = nil) async throws -> [FeedSummary] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT * FROM feed WHERE removedAt IS NULL
          ORDER BY COALESCE(customTitle, NULLIF(title, ''), address) COLLATE NOCASE, id
          """)
      var summaries: [FeedSummary] = []
      while let row = try rows.next() {
        let stored = StoredFeed(row)
        summaries.append(
          FeedSummary(
            feed: stored.feed,
            articleCount: (row["articleCount"] as Int) - (row["mutedCount"] as Int),
            unreadCount: row["unreadCount"], failure: stored.failure,
            goneSince: stored.goneSince,
            nextReload: RefreshPolicy.nextReload(of: stored, every: reloadInterval)))
      }
      return summaries
    }
  }

  func feeds(in selection: FeedSelection) async throws -> [StoredFeed] {
    try await read { database in
      let rows = try SQLRequest<Row>(
        literal: "SELECT * FROM feed WHERE \(selection.feedCondition) ORDER BY id"
      ).fetchCursor(database)
      var feeds: [StoredFeed] = []
      while let row = try rows.next() {
        feeds.append(StoredFeed(row))
      }
      return feeds
    }
  }

  func hasFeeds() async throws -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM feed WHERE removedAt IS NULL)") ?? false
    }
  }

  /// Nil when the address is there already; one that was removed a while ago is as it was.
  ///
  /// - Parameter address: a name and a password in it are kept apart.
  func insertFeed(address: String) async throws -> Feed? {
    let (address, credentials) = FeedCredentials.split(address)
    return try await write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO feed (address, credentials) VALUES (?, ?)",
        arguments: [address, credentials?.text])
      if database.changesCount > 0 {
        return Feed(
          id: Feed.ID(rawValue: database.lastInsertedRowID), address: address, title: address)
      }
      return try Row.fetchOne(
        database,
        sql: """
          UPDATE feed SET removedAt = NULL, credentials = COALESCE(?2, credentials)
          WHERE address = ?1 AND removedAt IS NOT NULL RETURNING *
          """, arguments: [address, credentials?.text]
      ).map { Feed($0) }
    }
  }

  /// The same for a feed of an account; one that is here without an account becomes one of it.
  func insertFeed(address: String, of account: SyncAccount.ID) async throws -> Feed.ID? {
    try await write { database in
      try Int64.fetchOne(
        database,
        sql: """
          INSERT INTO feed (address, accountID) VALUES (?1, ?2)
          ON CONFLICT (address) DO UPDATE SET removedAt = NULL, accountID = ?2
            WHERE accountID IS NULL OR accountID = ?2 AND removedAt IS NOT NULL
          RETURNING id
          """, arguments: [address, account.rawValue]
      ).map(Feed.ID.init(rawValue:))
    }
  }

  /// - Parameters:
  ///   - notBefore: when it may be fetched by itself again.
  ///   - retryAfter: until when its server allows no other request.
  ///   - isGone: for good, says the server.
  func recordFailure(
    _ message: UserMessage, of id: Feed.ID, at date: Date, notBefore: Date? = nil,
    retryAfter: Date? = nil, isGone: Bool = false
  ) async throws {
    try await write { database in
      let seconds = date.timeIntervalSince1970
      try database.execute(
        sql: """
          UPDATE feed SET lastAttempt = ?1, failureDate = ?1, failureWhat = ?2, failureAdvice = ?3,
            failureDetail = ?4, failureCount = failureCount + 1, notBefore = ?5,
            goneSince = CASE WHEN ?6 THEN COALESCE(goneSince, ?1) END, retryAfter = ?8,
            failureIsLasting = ?9
          WHERE id = ?7
          """,
        arguments: [
          seconds, message.what, message.advice, message.detail, notBefore?.timeIntervalSince1970,
          isGone, id.rawValue, retryAfter?.timeIntervalSince1970, message.isLasting,
        ])
    }
  }

  /// The feed was asked for and has nothing new.
  func recordUnchanged(_ id: Feed.ID, at date: Date, notBefore: Date? = nil) async throws {
    try await write { try Self.recordSuccess($0, id, at: date, notBefore: notBefore) }
  }

  static func recordSuccess(
    _ database: Database, _ id: Feed.ID, at date: Date, notBefore: Date?
  ) throws {
    try database.execute(
      sql: """
        UPDATE feed SET lastFetched = ?1, lastAttempt = ?1, failureDate = NULL, failureWhat = NULL,
          failureAdvice = NULL, failureDetail = NULL, failureCount = 0, notBefore = ?2,
          goneSince = NULL, retryAfter = NULL WHERE id = ?3 AND removedAt IS NULL
        """,
      arguments: [
        date.timeIntervalSince1970, notBefore?.timeIntervalSince1970, id.rawValue,
      ])
  }

  /// A name and a password stay only if they may be sent to the new address too.
  ///
  /// - Parameter isPublic: whether it is in the public network.
  /// - Returns: false when another feed has the address.
  func changeAddress(of id: Feed.ID, to address: String, isPublic: Bool) async throws -> Bool {
    try await write { try Self.changeAddress($0, of: id, to: address, isPublic: isPublic) }
  }

  static func changeAddress(
    _ database: Database, of id: Feed.ID, to address: String, isPublic: Bool
  ) throws -> Bool {
    // What the server put in front of its name is nothing that we were given.
    let address = FeedCredentials.split(address).address
    guard
      let old = try String.fetchOne(
        database, sql: "SELECT address FROM feed WHERE id = ?", arguments: [id.rawValue])
    else { return false }
    try database.execute(
      sql: """
        UPDATE OR IGNORE feed SET address = ?1, beginsInPublic = ?2,
          credentials = CASE WHEN ?3 THEN credentials END WHERE id = ?4
        """,
      arguments: [
        address, isPublic, FeedCredentials.mayGo(from: old, to: address), id.rawValue,
      ])
    return database.changesCount > 0
  }
}

extension StoredFeed {
  fileprivate init(_ row: Row) {
    self.init(
      feed: Feed(row), lastAttempt: Date(seconds: row["lastAttempt"]), etag: row["etag"],
      lastModified: row["lastModified"], failure: FeedSummary.Failure(row),
      hasArticles: (row["articleCount"] as Int) > 0, notBefore: Date(seconds: row["notBefore"]),
      failureCount: row["failureCount"], goneSince: Date(seconds: row["goneSince"]),
      retryAfter: Date(seconds: row["retryAfter"]),
      credentials: (row["credentials"] as String?).map(FeedCredentials.init),
      origin: (row["beginsInPublic"] as Bool?) == true ? .publicContent : .user)
  }
}

extension Feed {
  fileprivate init(_ row: Row) {
    let address: String = row["address"]
    let title: String = row["title"]
    let customTitle: String? = row["customTitle"]
    self.init(
      id: Feed.ID(rawValue: row["id"]), address: address,
      title: customTitle ?? (title.isEmpty ? address : title), customTitle: customTitle,
      folder: (row["folder"] as String?).flatMap { FeedFolder(NameList.names($0)) },
      tags: NameList.names(row["tags"]), site: row["site"],
      lastFetched: Date(seconds: row["lastFetched"]), reloadMinutes: row["reloadMinutes"],
      fullText: row["fullText"],
      account: (row["accountID"] as Int64?).map(SyncAccount.ID.init))
  }
}

extension FeedSummary.Failure {
  fileprivate init?(_ row: Row) {
    guard let date = Date(seconds: row["failureDate"]), let what = row["failureWhat"] as String?
    else {
      return nil
    }
    self.init(
      message: UserMessage(
        what: what, advice: row["failureAdvice"] ?? "", detail: row["failureDetail"],
        isLasting: row["failureIsLasting"], retryDate: Date(seconds: row["retryAfter"])),
      date: date, nextAttempt: Date(seconds: row["notBefore"]))
  }
}

extension Date {
  /// From a column that may be empty.
  init?(seconds: Double?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}
