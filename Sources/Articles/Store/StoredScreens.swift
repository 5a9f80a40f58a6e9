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

  func listArrangements() async throws -> ListArrangements {
    try await read(Self.listArrangements)
  }

  private static func listArrangements(_ database: Database) throws -> ListArrangements {
    func order(_ name: String) -> ArticleOrder { ArticleOrder(rawValue: name) ?? .newest }
    let row = try Row.fetchOne(
      database, sql: "SELECT isOnlyUnread, articleOrder, isGrouped FROM listArrangement")
    let general = row.map {
      ListArrangement(isOnlyUnread: $0[0], order: order($0[1]), isGrouped: $0[2])
    }
    let rows = try Row.fetchAll(
      database, sql: "SELECT list, articleOrder, isGrouped FROM arrangementOfList")
    let own = rows.map {
      ($0[0] as String, ListArrangement(order: order($0[1]), isGrouped: $0[2]))
    }
    return ListArrangements(
      general ?? ListArrangement(), own: Dictionary(own, uniquingKeysWith: { $1 }))
  }

  /// Stores a change of how lists are shown; nothing else, which another program may have changed.
  func arrange(_ change: ArrangementChange) async throws {
    try await write { database in
      var all = try Self.listArrangements(database)
      all.apply(change)
      let general = all.general
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO listArrangement (id, isOnlyUnread, articleOrder, isGrouped)
          VALUES (1, ?, ?, ?)
          """,
        arguments: [general.isOnlyUnread, general.order.rawValue, general.isGrouped])
      guard let list = change.list, change.isOfList else { return }
      try database.execute(sql: "DELETE FROM arrangementOfList WHERE list = ?", arguments: [list])
      let own = all[list]
      guard own != general else { return }
      try database.execute(
        sql: "INSERT INTO arrangementOfList (list, articleOrder, isGrouped) VALUES (?, ?, ?)",
        arguments: [list, own.order.rawValue, own.isGrouped])
    }
  }
}
