import Foundation
import GRDB

/// A change of the user's settings of a feed.
struct FeedRearrangement: Sendable, Hashable {
  let id: Feed.ID
  let was: FeedArrangement
  let became: FeedArrangement
  /// The title that was shown at that time when the user had given it none.
  let ownTitle: String

  var isRenaming: Bool { became.title != was.title }
  var isMoving: Bool { became.folder != was.folder }
}

extension ArticleStore {
  /// Changes the user's settings of a feed.
  ///
  /// - Parameter seen: the settings that the user changed; a sync may have changed others since.
  /// - Returns: what was changed; nil when there is no such feed.
  func arrange(
    _ id: Feed.ID, as new: FeedArrangement, since seen: FeedArrangement? = nil
  ) async throws -> FeedRearrangement? {
    try await write(durability: .disk) { database in
      guard let old = try Self.arrangement(of: id, database) else { return nil }
      let new = seen.map { new.changes(since: $0, in: old) } ?? new
      let change = try Self.arrange(id, as: new, from: old, database)
      if change.isRenaming || change.isMoving { try Self.requireSendable([id], database) }
      return change
    }
  }

  /// Undoes an addition, an import or a change of settings in one transaction: removes the feeds it
  /// added, and restores the settings of the others unless they have been changed since.
  ///
  /// - Returns: how many feeds were removed or restored.
  func takeBack(
    added: [Feed.ID], arranged: [FeedRearrangement], at date: Date
  ) async throws -> Int {
    try await write(durability: .disk) { database in
      var count = 0
      for id in added where try Self.removeFeed(id, at: date, database) != nil { count += 1 }
      for change in arranged where try Self.takeBack(change, database) { count += 1 }
      return count
    }
  }

  /// - Returns: false when the settings have been changed since, or there is no such feed.
  private static func takeBack(
    _ change: FeedRearrangement, _ database: Database
  ) throws -> Bool {
    guard let now = try arrangement(of: change.id, database) else { return false }
    var (was, became) = (change.was, change.became)
    let ownTitle = try String.fetchOne(
      database, sql: "SELECT \(Self.ownTitle) FROM feed WHERE id = ? AND remoteID IS NOT NULL",
      arguments: [change.id])
    if let ownTitle {
      // The server takes over a title that the user has given, so that only what is shown tells
      // whether it has been changed since.
      let isRenamed =
        change.isRenaming
        && isSpelling(now.title ?? ownTitle, of: became.title ?? change.ownTitle)
      was.title = isRenamed ? was.title ?? change.ownTitle : now.title
      became.title = now.title
    }
    guard now == became, was != now else { return false }
    if was.title == FeedArrangement(title: ownTitle).title { was.title = nil }
    _ = try arrange(change.id, as: was, from: now, database)
    return true
  }

  /// Whether a title may be what a server made of the other: some replace `&` by its full-width form.
  private static func isSpelling(_ title: String, of sent: String) -> Bool {
    title.precomposedStringWithCompatibilityMapping
      == sent.precomposedStringWithCompatibilityMapping
  }

  /// The title that is shown when the user has given a feed none.
  private static let ownTitle = "COALESCE(NULLIF(title, ''), address)"

  /// Renames a folder, or moves it with its contents; with nil, its contents move to the top level.
  ///
  /// - Returns: the feeds that changed.
  func move(_ folder: FeedFolder, to new: FeedFolder?) async throws -> [FeedRearrangement] {
    try await write(durability: .disk) { database in
      try Self.copyArrangements(of: folder, to: new, database)
      try Self.copyClosedFolders(in: folder, to: new, database)
      let ids = try SQLRequest<Feed.ID>(
        literal: "SELECT id FROM feed WHERE \(FeedSelection.folder(folder).feedCondition)"
      ).fetchAll(database)
      let changes: [FeedRearrangement] = try ids.compactMap { id in
        guard let old = try Self.arrangement(of: id, database), let path = old.folder?.path else {
          return nil
        }
        var arrangement = old
        arrangement.folder = FeedFolder(
          (new?.path ?? []) + path.dropFirst(folder.path.count))
        guard arrangement != old else { return nil }
        return try Self.arrange(id, as: arrangement, from: old, database)
      }
      try Self.requireSendable(changes.map(\.id), database)
      return changes
    }
  }

  /// Returns the user's settings of a feed; nil when there is no such feed.
  static func arrangement(of id: Feed.ID, _ database: Database) throws -> FeedArrangement? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT customTitle, folder, tags, reloadMinutes, fullText FROM feed
        WHERE id = ? AND removedAt IS NULL
        """,
      arguments: [id]
    ).map { row in
      FeedArrangement(
        title: row[0], folder: FeedFolder(stored: row[1]),
        tags: NameList.names(row[2]), reloadMinutes: row[3], fullText: row[4])
    }
  }

  /// Stores the user's settings of a feed in place of `old`.
  static func arrange(
    _ id: Feed.ID, as new: FeedArrangement, from old: FeedArrangement, _ database: Database
  ) throws -> FeedRearrangement {
    let ownTitle = try String.fetchOne(
      database,
      sql: """
        UPDATE feed SET customTitle = ?, folder = ?, tags = ?, reloadMinutes = ?, fullText = ?
        WHERE id = ? RETURNING \(Self.ownTitle)
        """,
      arguments: [
        new.title, new.folder?.stored, NameList.text(new.tags), new.reloadMinutes, new.fullText, id,
      ])
    return FeedRearrangement(id: id, was: old, became: new, ownTitle: ownTitle ?? "")
  }
}
