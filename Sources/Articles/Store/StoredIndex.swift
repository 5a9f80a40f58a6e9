import GRDB

/// The index that searches look into.
extension ArticleStore {
  /// Whether there are articles that a search would not find yet.
  func hasUnindexed() async throws -> Bool {
    try await read {
      try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM unindexed)") ?? false
    }
  }

  /// Puts some of the articles that are not there yet into the index, newest first.
  ///
  /// - Returns: how many; none are left when there are fewer than `limit`.
  func index(limit: Int) async throws -> Int {
    try await write { database in
      let ids = try Int64.fetchAll(
        database, sql: "SELECT articleID FROM unindexed ORDER BY articleID DESC LIMIT ?",
        arguments: [limit])
      for id in ids {
        try database.cachedStatement(
          sql: """
            INSERT INTO search (rowid, title, author, body)
            SELECT id, title, author, body FROM searchable WHERE id = ?
            """
        ).execute(arguments: [id])
        try database.cachedStatement(sql: "DELETE FROM unindexed WHERE articleID = ?")
          .execute(arguments: [id])
      }
      return ids.count
    }
  }

  /// Of so many forgotten articles, or a quarter of those that there are, it is time to merge.
  private static let toleratedWaste = 250

  /// Brings some of the index's parts together when enough of what is in them was forgotten, or
  /// goes on with that: else it would grow with all that was ever stored.
  ///
  /// - Parameter limit: how many pages of the index are written at most, roughly.
  /// - Returns: whether there may be more to do.
  func mergeIndex(limit: Int) async throws -> Bool {
    try await write { database in
      let forgotten = try Int.fetchOne(database, sql: "SELECT forgotten FROM searchWaste") ?? 0
      let count = try Int.fetchOne(database, sql: "SELECT SUM(articleCount) FROM feed") ?? 0
      let begins = forgotten > max(Self.toleratedWaste, count / 4)
      // Together with the first step: from here on, what is not merged is merged by later steps,
      // also those of another process.
      if begins { try database.execute(sql: "UPDATE searchWaste SET forgotten = 0") }
      let before = database.totalChangesCount
      // A negative number takes all parts; any other goes on with those that were taken.
      try database.execute(
        sql: "INSERT INTO search (search, rank) VALUES ('merge', ?)",
        arguments: [begins ? -limit : limit])
      // The statement itself counts as one change.
      return database.totalChangesCount - before > 1
    }
  }
}
