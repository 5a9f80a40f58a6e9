import Foundation
import GRDB

/// Everything that ``ArticleStore/restore(_:)`` needs to bring back an account that was removed.
struct RemovedAccount: Sendable {
  /// A feed of the account.
  struct OwnedFeed: Sendable {
    let id: Int64
    let remoteID: String?
    let remoteFolder: String?
    /// Whether it had been removed before the account was.
    let wasRemoved: Bool
    /// The server's ids of its articles, also of those that were dropped.
    let articles: [(id: Int64, remoteID: String)]
  }

  /// The account's row in the database, by column.
  let row: [String: DatabaseValue]
  /// The rows of its changes that were not sent: item, mark and value.
  let outbox: [[DatabaseValue]]
  let feeds: [OwnedFeed]
  /// Whether its feeds stayed; otherwise they were removed.
  let keptFeeds: Bool
  /// When it was removed.
  let date: Date

  /// How many articles had an id of the server.
  var articleCount: Int { feeds.reduce(0) { $0 + $1.articles.count } }
}

extension ArticleStore {
  /// Removes an account and its unsent changes.
  ///
  /// - Parameters:
  ///   - keepsFeeds: whether its feeds stay, and are fetched from their own servers from now on;
  ///     otherwise they are removed like any other feed.
  ///   - dropsChanges: whether it is removed although changes have not been sent yet.
  /// - Returns: what ``restore(_:)`` restores; nil when there is no such account.
  /// - Throws: ``SyncError/changesWaiting(_:)`` or ``StoreError``.
  func removeAccount(
    _ id: SyncAccount.ID, keepsFeeds: Bool, dropsChanges: Bool = true, at date: Date
  ) async throws -> RemovedAccount? {
    try await write(durability: .disk) { database in
      // In this transaction: a mark may just have been set.
      let waiting =
        try Int.fetchOne(
          database, sql: "SELECT \(Self.waitingCount) FROM account WHERE id = ?",
          arguments: [id]) ?? 0
      guard waiting == 0 || dropsChanges else { throw SyncError.changesWaiting(waiting) }
      guard let removed = try Self.removal(of: id, keepsFeeds: keepsFeeds, at: date, database)
      else { return nil }
      try Self.endPauses(of: id, database)
      for feed in removed.feeds {
        let id = Feed.ID(rawValue: feed.id)
        if !keepsFeeds { _ = try Self.removeFeed(id, at: date, database) }
        // Also the articles' ids: another account may have articles with the same ones.
        try Self.setRemote(nil, of: id, database)
      }
      try database.run("DELETE FROM account WHERE id = ?", [id.rawValue])
      return removed
    }
  }

  /// Restores an account with its unsent changes and its feeds.
  ///
  /// A feed that was deleted for good, or removed or added again meanwhile, stays as it is.
  ///
  /// - Returns: false when the account has been added again meanwhile.
  func restore(_ removed: RemovedAccount) async throws -> Bool {
    try await write(durability: .disk) { database in
      let columns = removed.row.keys.sorted()
      guard
        try database.changes(
          """
          INSERT OR IGNORE INTO account (\(columns.joined(separator: ", ")))
          VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
          """, StatementArguments(columns.map { removed.row[$0] ?? .null })),
        let id = removed.row["id"]
      else { return false }
      for change in removed.outbox {
        try database.run(
          "INSERT INTO outbox (accountID, item, mark, value) VALUES (?, ?, ?, ?)",
          StatementArguments([id] + change))
      }
      // If its own server has refused a feed meanwhile, that no longer matters.
      for feed in removed.feeds {
        guard
          try database.changes(
            """
            UPDATE feed SET accountID = ?1, remoteID = ?2, remoteFolder = ?3,
              removedAt = CASE WHEN ?4 THEN removedAt END, goneSince = NULL,
              failureDate = NULL, failureWhat = NULL, failureAdvice = NULL, failureDetail = NULL,
              failureIsLasting = 0, failureCount = 0, retryAfter = NULL, notBefore = NULL
            WHERE id = ?5 AND accountID IS NULL AND (removedAt IS NOT NULL) = ?6
            """,
            [
              id, feed.remoteID, feed.remoteFolder, feed.wasRemoved, feed.id,
              feed.wasRemoved || !removed.keptFeeds,
            ])
        else { continue }
        let statement = try database.cachedStatement(
          sql: "UPDATE article SET remoteID = ? WHERE id = ? AND feedID = ? AND remoteID IS NULL")
        for article in feed.articles {
          try statement.execute(arguments: [article.remoteID, article.id, feed.id])
          guard database.changesCount == 0 else { continue }
          try Self.restoreDropped(article, of: feed.id, at: removed.date, database)
        }
      }
      if let id = SyncAccount.ID.fromDatabaseValue(id) { try Self.beginPauses(of: id, database) }
      return true
    }
  }

  /// Makes a dropped article its account's again, which does not count as new there.
  private static func restoreDropped(
    _ article: (id: Int64, remoteID: String), of feed: Int64, at date: Date, _ database: Database
  ) throws {
    guard
      try database.changes(
        """
        UPDATE droppedArticle SET remoteID = ? WHERE id = ? AND feedID = ? AND remoteID IS NULL
        """, [article.remoteID, article.id, feed])
    else { return }
    try database.run(
      "INSERT OR IGNORE INTO dropped (feedID, guid, seen) VALUES (?, ?, ?)",
      [
        feed, FeedMemory.key(RemoteID(stored: article.remoteID).whole),
        date.timeIntervalSince1970,
      ])
  }

  /// Returns what has to be known of an account to restore it; nil when there is no such account.
  private static func removal(
    of id: SyncAccount.ID, keepsFeeds: Bool, at date: Date, _ database: Database
  ) throws -> RemovedAccount? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE id = ?", arguments: [id.rawValue])
    else { return nil }
    let outbox = try Row.fetchAll(
      database, sql: "SELECT item, mark, value FROM outbox WHERE accountID = ? ORDER BY revision",
      arguments: [id.rawValue]
    ).map { Array($0.databaseValues) }
    let feeds = try Row.fetchAll(
      database,
      sql: """
        SELECT id, remoteID, remoteFolder, removedAt IS NOT NULL FROM feed
        WHERE accountID = ? ORDER BY id
        """, arguments: [id.rawValue]
    ).map { feed in
      let articles = try Row.fetchAll(
        database,
        sql: """
          SELECT id, remoteID FROM article WHERE feedID = ?1 AND remoteID IS NOT NULL
          UNION ALL
          SELECT id, remoteID FROM droppedArticle WHERE feedID = ?1 AND remoteID IS NOT NULL
          """, arguments: [feed[0] as Int64])
      return RemovedAccount.OwnedFeed(
        id: feed[0], remoteID: feed[1], remoteFolder: feed[2], wasRemoved: feed[3],
        articles: articles.map { ($0[0], $0[1]) })
    }
    return RemovedAccount(
      row: Dictionary(uniqueKeysWithValues: zip(row.columnNames, row.databaseValues)),
      outbox: outbox, feeds: feeds, keptFeeds: keepsFeeds, date: date)
  }
}
