import Foundation
import GRDB

/// What a store knows of a feed, for fetching it.
struct StoredFeed: Sendable {
  let feed: Feed
  let lastAttempt: Date?
  let etag: String?
  let lastModified: String?
  let failure: FeedSummary.Failure?
  /// Whether there are articles that an answer of "not modified" would refer to.
  let hasArticles: Bool
}

extension ArticleStore {
  /// The feeds in the order of their titles.
  func feedSummaries() async throws -> [FeedSummary] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT * FROM feed WHERE removedAt IS NULL
          ORDER BY COALESCE(customTitle, NULLIF(title, ''), address) COLLATE NOCASE, id
          """)
      var summaries: [FeedSummary] = []
      while let row = try rows.next() {
        summaries.append(
          FeedSummary(
            feed: Feed(row), articleCount: row["articleCount"],
            unreadCount: row["unreadCount"], failure: .init(row)))
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
        feeds.append(
          StoredFeed(
            feed: Feed(row), lastAttempt: Date(seconds: row["lastAttempt"]), etag: row["etag"],
            lastModified: row["lastModified"], failure: .init(row),
            hasArticles: (row["articleCount"] as Int) > 0))
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
  func insertFeed(address: String) async throws -> Feed? {
    try await write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO feed (address) VALUES (?)", arguments: [address])
      if database.changesCount > 0 {
        return Feed(
          id: Feed.ID(rawValue: database.lastInsertedRowID), address: address, title: address)
      }
      return try Row.fetchOne(
        database,
        sql: """
          UPDATE feed SET removedAt = NULL WHERE address = ? AND removedAt IS NOT NULL RETURNING *
          """, arguments: [address]
      ).map { Feed($0) }
    }
  }

  func recordFailure(_ message: PersonMessage, of id: Feed.ID, at date: Date) async throws {
    try await write { database in
      try database.execute(
        sql: """
          UPDATE feed SET lastAttempt = ?, failureDate = ?, failureWhat = ?, failureAdvice = ?,
            failureDetail = ? WHERE id = ?
          """,
        arguments: [
          date.timeIntervalSince1970, date.timeIntervalSince1970, message.what, message.advice,
          message.detail, id.rawValue,
        ])
    }
  }

  /// The feed was asked for and has nothing new.
  func recordUnchanged(_ id: Feed.ID, at date: Date) async throws {
    try await write { try Self.recordSuccess($0, id, at: date) }
  }

  static func recordSuccess(_ database: Database, _ id: Feed.ID, at date: Date) throws {
    try database.execute(
      sql: """
        UPDATE feed SET lastFetched = ?, lastAttempt = ?, failureDate = NULL, failureWhat = NULL,
          failureAdvice = NULL, failureDetail = NULL WHERE id = ? AND removedAt IS NULL
        """,
      arguments: [date.timeIntervalSince1970, date.timeIntervalSince1970, id.rawValue])
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
      lastFetched: Date(seconds: row["lastFetched"]))
  }
}

extension FeedSummary.Failure {
  fileprivate init?(_ row: Row) {
    guard let date = Date(seconds: row["failureDate"]), let what = row["failureWhat"] as String?
    else {
      return nil
    }
    self.init(
      message: PersonMessage(
        what: what, advice: row["failureAdvice"] ?? "", detail: row["failureDetail"]),
      date: date)
  }
}

extension Date {
  /// From a column that may be empty.
  init?(seconds: Double?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}
