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
          SELECT *, (SELECT COUNT(*) FROM article WHERE feedID = feed.id) AS articleCount
          FROM feed ORDER BY CASE title WHEN '' THEN address ELSE title END COLLATE NOCASE, id
          """)
      var summaries: [FeedSummary] = []
      while let row = try rows.next() {
        summaries.append(
          FeedSummary(
            feed: Feed(row), articleCount: row["articleCount"], failure: .init(row)))
      }
      return summaries
    }
  }

  func feeds(in selection: FeedSelection) async throws -> [StoredFeed] {
    try await read { database in
      let (condition, arguments) = selection.condition(column: "id")
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT *, EXISTS (SELECT 1 FROM article WHERE feedID = feed.id) AS hasArticles
          FROM feed \(condition) ORDER BY id
          """, arguments: arguments)
      var feeds: [StoredFeed] = []
      while let row = try rows.next() {
        feeds.append(
          StoredFeed(
            feed: Feed(row), lastAttempt: Date(seconds: row["lastAttempt"]), etag: row["etag"],
            lastModified: row["lastModified"], failure: .init(row),
            hasArticles: row["hasArticles"]))
      }
      return feeds
    }
  }

  func hasFeeds() async throws -> Bool {
    try await read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM feed)") ?? false }
  }

  /// Nil when the address is there already.
  func insertFeed(address: String) async throws -> Feed? {
    try await write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO feed (address) VALUES (?)", arguments: [address])
      guard database.changesCount > 0 else { return nil }
      return Feed(
        id: Feed.ID(rawValue: database.lastInsertedRowID), address: address, title: address)
    }
  }

  /// Removes a feed with its articles; false when there is none.
  func removeFeed(_ id: Feed.ID) async throws -> Bool {
    try await write { database in
      try database.execute(sql: "DELETE FROM feed WHERE id = ?", arguments: [id.rawValue])
      return database.changesCount > 0
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
          failureAdvice = NULL, failureDetail = NULL WHERE id = ?
        """,
      arguments: [date.timeIntervalSince1970, date.timeIntervalSince1970, id.rawValue])
  }
}

extension FeedSelection {
  func condition(column: String) -> (String, StatementArguments) {
    switch self {
    case .all: ("", [])
    case .feed(let id): ("WHERE \(column) = ?", [id.rawValue])
    }
  }
}

extension Feed {
  fileprivate init(_ row: Row) {
    let address: String = row["address"]
    let title: String = row["title"]
    self.init(
      id: Feed.ID(rawValue: row["id"]), address: address, title: title.isEmpty ? address : title,
      site: row["site"], lastFetched: Date(seconds: row["lastFetched"]))
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
