import GRDB

extension ArticleStore {
  /// Gives a feed another place, title and tags.
  ///
  /// - Parameter expected: leaves it alone when it is not so any more.
  /// - Returns: what they were; nil when there is no such feed.
  func arrange(
    _ id: Feed.ID, as new: FeedArrangement, ifStill expected: FeedArrangement? = nil
  ) async throws -> FeedArrangement? {
    try await write { database in
      guard
        let row = try Row.fetchOne(
          database,
          sql: "SELECT customTitle, folder, tags FROM feed WHERE id = ? AND removedAt IS NULL",
          arguments: [id.rawValue])
      else { return nil }
      let old = FeedArrangement(
        title: row[0],
        folder: (row[1] as String?).flatMap { FeedFolder(NameList.names($0)) },
        tags: NameList.names(row[2]))
      guard expected.map({ $0 == old }) ?? true else { return old }
      try database.execute(
        sql: "UPDATE feed SET customTitle = ?, folder = ?, tags = ? WHERE id = ?",
        arguments: [
          new.title, new.folder.map { NameList.text($0.path) }, NameList.text(new.tags),
          id.rawValue,
        ])
      return old
    }
  }
}
