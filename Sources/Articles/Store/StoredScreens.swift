import GRDB
import Storage

extension FeedFolder: Comparable {
  /// Folders are in the order of titles, each before the folders in it.
  public static func < (one: FeedFolder, other: FeedFolder) -> Bool {
    one.path.lexicographicallyPrecedes(other.path, by: NaturalOrder.precedes)
  }
}

/// Stores the state of screens from one run to the next.
extension ArticleStore {
  /// Returns the folders that are shown collapsed.
  func closedFolders() async throws -> Set<FeedFolder> {
    try await read { database in
      let paths = try String.fetchAll(database, sql: "SELECT path FROM closedFolder")
      return Set(paths.compactMap { FeedFolder(stored: $0) })
    }
  }

  /// Stores whether a folder is collapsed.
  func setFolder(_ folder: FeedFolder, isClosed: Bool) async throws {
    try await write { try Self.setFolder(folder, isClosed: isClosed, $0) }
  }

  private static func setFolder(
    _ folder: FeedFolder, isClosed: Bool, _ database: Database
  ) throws {
    let sql =
      isClosed
      ? "INSERT OR IGNORE INTO closedFolder VALUES (?)" : "DELETE FROM closedFolder WHERE path = ?"
    try database.run(sql, [folder.stored])
  }

  /// Makes the folders that come from a folder that is about to be moved as collapsed as they are.
  ///
  /// The old paths stay until ``forgetClosedFolders()``: the move may be undone.
  static func copyClosedFolders(
    in folder: FeedFolder, to new: FeedFolder?, _ database: Database
  ) throws {
    let known = try folders(ofFeeds: "removedAt IS NULL", database)
    let paths = Set(try String.fetchAll(database, sql: "SELECT path FROM closedFolder"))
    for moved in known where moved.isWithin(folder) {
      let inner = moved.path.dropFirst(folder.path.count)
      // A folder that exists already stays as it is.
      guard let copy = FeedFolder((new?.path ?? []) + inner), !known.contains(copy) else {
        continue
      }
      try setFolder(copy, isClosed: paths.contains(moved.stored), database)
    }
  }

  /// Deletes the collapsed folders that are gone.
  func forgetClosedFolders() async throws {
    _ = try await tidy { database -> [String] in
      let paths = try String.fetchAll(database, sql: "SELECT path FROM closedFolder")
      guard !paths.isEmpty else { return [] }
      let known = Set(try Self.knownFolders(database).map(\.stored))
      return paths.filter { !known.contains($0) }
    } change: { paths, database in
      for path in paths { try database.run("DELETE FROM closedFolder WHERE path = ?", [path]) }
    }
  }

  /// Returns the folders of all feeds, with their parents; also of removed feeds, which may come
  /// back.
  private static func knownFolders(_ database: Database) throws -> Set<FeedFolder> {
    try folders(ofFeeds: "TRUE", database)
  }

  private static func folders(
    ofFeeds condition: String, _ database: Database
  ) throws -> Set<FeedFolder> {
    var known: Set<FeedFolder> = []
    let paths = try String.fetchAll(
      database,
      sql: "SELECT DISTINCT folder FROM feed WHERE folder IS NOT NULL AND \(condition)")
    for path in paths {
      var folder = FeedFolder(stored: path)
      while let inner = folder {
        known.insert(inner)
        folder = inner.parent
      }
    }
    return known
  }

  func listArrangements() async throws -> ListArrangements {
    try await read(Self.listArrangements)
  }

  private static func listArrangements(_ database: Database) throws -> ListArrangements {
    func order(_ name: String) -> ArticleOrder { ArticleOrder(rawValue: name) ?? .newest }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT isOnlyUnread, articleOrder, isGrouped FROM listArrangement"))
    let general = row.map {
      ListArrangement(isOnlyUnread: $0[0], order: order($0[1]), isGrouped: $0[2])
    }
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT list, articleOrder, isGrouped FROM arrangementOfList"))
    let own = rows.map {
      ($0[0] as String, ListArrangement(order: order($0[1]), isGrouped: $0[2]))
    }
    return ListArrangements(
      general ?? ListArrangement(), own: Dictionary(own, uniquingKeysWith: { $1 }))
  }

  /// Copies the list settings of a folder, and of the folders in it, to its new name.
  ///
  /// The settings under the old name stay until ``forgetArrangements()``: the move may be undone.
  static func copyArrangements(
    of folder: FeedFolder, to new: FeedFolder?, _ database: Database
  ) throws {
    guard let name = FeedSelection.folder(folder).arrangementName else { return }
    let names = try String.fetchAll(database, sql: "SELECT list FROM arrangementOfList")
    for list in names where list == name || list.hasPrefix(name + NameList.separator) {
      let inner = NameList.names(String(list.dropFirst(name.count))).filter { !$0.isEmpty }
      let path = (new?.path ?? []) + inner
      // When a folder is dissolved, only the settings of the folders in it are copied.
      guard path != new?.path || new != folder.parent, let copy = FeedFolder(path) else { continue }
      try database.run(
        """
        INSERT OR IGNORE INTO arrangementOfList (list, articleOrder, isGrouped)
        SELECT ?, articleOrder, isGrouped FROM arrangementOfList WHERE list = ?
        """, [FeedSelection.folder(copy).arrangementName, list])
    }
  }

  /// Deletes the list settings of feeds, folders and accounts that are gone.
  func forgetArrangements() async throws {
    _ = try await tidy { database in
      let names = try String.fetchAll(database, sql: "SELECT list FROM arrangementOfList")
      guard !names.isEmpty else { return [] }
      var known = Set(try Self.knownFolders(database).map(FeedSelection.folder))
      for id in try Feed.ID.fetchAll(database, sql: "SELECT id FROM feed") {
        known.insert(.feed(id))
      }
      for id in try SyncAccount.ID.fetchAll(database, sql: "SELECT id FROM account") {
        known.insert(.account(id))
      }
      let knownNames = Set(known.compactMap(\.arrangementName))
      return names.filter { name in
        ["feed ", "folder ", "account "].contains { name.hasPrefix($0) }
          && !knownNames.contains(name)
      }
    } change: {
      try Self.forgetArrangements(of: $0, $1)
    }
  }

  func forgetArrangements(of lists: [String]) async throws {
    try await write { try Self.forgetArrangements(of: lists, $0) }
  }

  private static func forgetArrangements(of lists: [String], _ database: Database) throws {
    for list in lists {
      try database.run("DELETE FROM arrangementOfList WHERE list = ?", [list])
    }
  }

  /// Stores one change of the list settings; another process may have changed the others.
  func arrange(_ change: ArrangementChange) async throws {
    try await write { database in
      var all = try Self.listArrangements(database)
      all.apply(change)
      let general = all.general
      try database.run(
        """
        INSERT OR REPLACE INTO listArrangement (id, isOnlyUnread, articleOrder, isGrouped)
        VALUES (1, ?, ?, ?)
        """, [general.isOnlyUnread, general.order.rawValue, general.isGrouped])
      guard let list = change.list, change.isOfList else { return }
      try database.run("DELETE FROM arrangementOfList WHERE list = ?", [list])
      let own = all[list]
      guard own != general else { return }
      try database.run(
        "INSERT INTO arrangementOfList (list, articleOrder, isGrouped) VALUES (?, ?, ?)",
        [list, own.order.rawValue, own.isGrouped])
    }
  }
}
