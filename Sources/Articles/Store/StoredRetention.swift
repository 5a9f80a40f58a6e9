import Foundation
import GRDB

extension ArticleStore {
  /// Drops some of the articles that need not be kept any longer.
  ///
  /// - Returns: how many; none are left when it is 0.
  func drop(_ retention: Retention, at date: Date, limit: Int) async throws -> Int {
    try await write { database in
      var rows = try Self.aged(retention, at: date, limit: limit, database)
      if rows.isEmpty { rows = try Self.excess(retention, limit: limit, database) }
      for row in rows {
        let (id, feed, guid) = (row[0] as Int64, row[1] as Int64, row[2] as String)
        try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO dropped (feedID, guid, seen) VALUES (?, ?, ?)"
        ).execute(arguments: [feed, FeedMemory.key(guid), date.timeIntervalSince1970])
        try database.cachedStatement(sql: "DELETE FROM article WHERE id = ?")
          .execute(arguments: [id])
      }
      return rows.count
    }
  }

  private static func aged(
    _ retention: Retention, at date: Date, limit: Int, _ database: Database
  ) throws -> [Row] {
    guard let age = retention.age else { return [] }
    let condition = retention.keepsUnread ? "isRead = 1" : "isRead IN (0, 1)"
    return try Row.fetchAll(
      database,
      sql: """
        SELECT id, feedID, guid FROM article
        WHERE isStarred = 0 AND \(condition) AND firstSeen < ? LIMIT ?
        """, arguments: [date.timeIntervalSince1970 - age, limit])
  }

  private static func excess(
    _ retention: Retention, limit: Int, _ database: Database
  ) throws -> [Row] {
    guard let count = retention.countPerFeed else { return [] }
    let feeds = try Int64.fetchAll(
      database, sql: "SELECT id FROM feed WHERE articleCount > ? AND removedAt IS NULL",
      arguments: [count])
    for feed in feeds {
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, feedID, guid FROM article WHERE feedID = ? AND isStarred = 0
          ORDER BY listed DESC, id LIMIT ? OFFSET ?
          """, arguments: [feed, limit, max(0, count)])
      if !rows.isEmpty { return rows }
    }
    return []
  }
}
