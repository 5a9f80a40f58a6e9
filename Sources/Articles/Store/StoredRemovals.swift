import Foundation
import GRDB

/// Removes feeds: a removed feed is only hidden at first, which takes no time however many articles
/// it has, and can be undone.
extension ArticleStore {
  /// Hides a feed; returns how many articles it has, or nil when there is no such feed.
  func removeFeed(_ id: Feed.ID, at date: Date) async throws -> Int? {
    try await write(durability: .disk) { database in
      let count = try Self.removeFeed(id, at: date, database)
      try Self.requireSendable([id], database)
      return count
    }
  }

  /// Hides a feed that was just added, unless it was fetched since; returns whether it was hidden.
  func takeBackAddition(of feed: Feed, at date: Date) async throws -> Bool {
    try await write(durability: .disk) { database in
      let lastFetched = try Double.fetchOne(
        database, sql: "SELECT lastFetched FROM feed WHERE id = ?", arguments: [feed.id])
      guard Date(seconds: lastFetched) == feed.lastFetched else { return false }
      _ = try Self.removeFeed(feed.id, at: date, database)
      try Self.requireSendable([feed.id], database)
      return true
    }
  }

  static func removeFeed(_ id: Feed.ID, at date: Date, _ database: Database) throws -> Int? {
    try Int.fetchOne(
      database,
      sql: """
        UPDATE feed SET removedAt = ?, removedTime = (SELECT elapsed FROM storeTime)
        WHERE id = ? AND removedAt IS NULL RETURNING articleCount
        """, arguments: [date.timeIntervalSince1970, id])
  }

  /// Restores a feed; returns how many articles it has, or nil when it was not removed or is gone
  /// for good.
  func restoreFeed(_ id: Feed.ID) async throws -> Int? {
    try await write(durability: .disk) { database in
      try Int.fetchOne(
        database,
        sql: """
          UPDATE feed SET removedAt = NULL WHERE id = ? AND removedAt IS NOT NULL
          RETURNING articleCount
          """, arguments: [id])
    }
  }

  /// Deletes some articles of feeds that were removed longer ago than `grace`, measured in store
  /// time, or finally such a feed itself.
  ///
  /// Articles with a star or a tag stay, and so does their hidden feed. A feed without articles
  /// stays as long as its account's server does not know that it was removed.
  ///
  /// Deletes a little at a time, so that no other write waits long.
  ///
  /// - Returns: whether there may be more.
  func purgeRemoved(after grace: TimeInterval, limit: Int) async throws -> Bool {
    try await tidy { database in
      try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM feed WHERE removedAt IS NOT NULL
            AND removedTime < (SELECT elapsed FROM storeTime) - ?
            AND (EXISTS (SELECT 1 FROM article WHERE feedID = feed.id AND isStarred = 0
                AND tags = '')
              OR EXISTS (SELECT 1 FROM droppedArticle WHERE feedID = feed.id)
              OR \(Self.isUsedUp))
          LIMIT 1
          """, arguments: [grace])
    } change: { feeds, database in
      for id in feeds { try Self.purge(id, limit: limit, database) }
    } > 0
  }

  private static func purge(_ feed: Int64, limit: Int, _ database: Database) throws {
    for rows in ["article WHERE isStarred = 0 AND tags = '' AND", "droppedArticle WHERE"] {
      try database.run(
        "DELETE FROM \(rows) id IN (SELECT id FROM \(rows) feedID = ? LIMIT ?)", [feed, limit])
      guard database.changesCount < limit else { return }
    }
    try database.run("DELETE FROM feed WHERE id = ? AND \(isUsedUp)", [feed])
  }

  /// The condition for removed feeds that nothing needs any more.
  private static let isUsedUp = """
    ((accountID IS NULL OR remoteID IS NULL)
      AND NOT EXISTS (SELECT 1 FROM article WHERE feedID = feed.id))
    """
}
