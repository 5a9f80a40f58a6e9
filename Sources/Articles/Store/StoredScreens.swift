import GRDB

/// What screens keep from one run to the next.
extension ArticleStore {
  /// The folders that screens show without what is in them.
  func closedFolders() async throws -> Set<FeedFolder> {
    try await read { database in
      let paths = try String.fetchAll(database, sql: "SELECT path FROM closedFolder")
      return Set(paths.compactMap { FeedFolder(NameList.names($0)) })
    }
  }

  /// Stores that a folder is closed, or open.
  func setFolder(_ folder: FeedFolder, isClosed: Bool) async throws {
    let sql =
      isClosed
      ? "INSERT OR IGNORE INTO closedFolder VALUES (?)" : "DELETE FROM closedFolder WHERE path = ?"
    try await write { try $0.execute(sql: sql, arguments: [NameList.text(folder.path)]) }
  }

  func listArrangement() async throws -> ListArrangement {
    try await read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT isOnlyUnread, articleOrder, isGrouped FROM listArrangement")
      guard let row else { return ListArrangement() }
      return ListArrangement(
        isOnlyUnread: row[0], order: ArticleOrder(rawValue: row[1]) ?? .newest,
        isGrouped: row[2])
    }
  }

  func setListArrangement(_ arrangement: ListArrangement) async throws {
    try await write { database in
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO listArrangement (id, isOnlyUnread, articleOrder, isGrouped)
          VALUES (1, ?, ?, ?)
          """,
        arguments: [
          arrangement.isOnlyUnread, arrangement.order.rawValue, arrangement.isGrouped,
        ])
    }
  }
}
