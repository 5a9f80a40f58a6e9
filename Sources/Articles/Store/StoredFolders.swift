import GRDB

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
}
