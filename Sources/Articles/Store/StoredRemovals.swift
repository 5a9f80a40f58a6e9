import Foundation
import GRDB

/// A removed feed is only hidden at first: that takes no time however much it holds, and can be
/// taken back.
extension ArticleStore {
  /// False when there is no such feed.
  func removeFeed(_ id: Feed.ID, at date: Date) async throws -> Bool {
    try await write { database in
      try database.execute(
        sql: "UPDATE feed SET removedAt = ? WHERE id = ? AND removedAt IS NULL",
        arguments: [date.timeIntervalSince1970, id.rawValue])
      return database.changesCount > 0
    }
  }

  /// False when it is there, or gone for good.
  func restoreFeed(_ id: Feed.ID) async throws -> Bool {
    try await write { database in
      try database.execute(
        sql: "UPDATE feed SET removedAt = NULL WHERE id = ? AND removedAt IS NOT NULL",
        arguments: [id.rawValue])
      return database.changesCount > 0
    }
  }

  /// Deletes some articles of feeds that were removed before `date`, or in the end such a feed.
  ///
  /// A little at a time, so that nobody waits long for a turn to write.
  ///
  /// - Returns: whether there may be more.
  func purgeRemoved(before date: Date, limit: Int) async throws -> Bool {
    try await write { database in
      guard
        let id = try Int64.fetchOne(
          database, sql: "SELECT id FROM feed WHERE removedAt < ? LIMIT 1",
          arguments: [date.timeIntervalSince1970])
      else { return false }
      try database.execute(
        sql: """
          DELETE FROM article WHERE id IN (SELECT id FROM article WHERE feedID = ? LIMIT ?)
          """, arguments: [id, limit])
      if database.changesCount < limit {
        try database.execute(sql: "DELETE FROM feed WHERE id = ?", arguments: [id])
      }
      return true
    }
  }
}
