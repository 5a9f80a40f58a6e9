import Foundation
import GRDB

/// A local change of a feed that has not been sent to its server yet.
struct PendingFeed: Sendable {
  enum Change: Sendable {
    case subscribe(address: String, title: String?, folder: String?)
    case unsubscribe(String)
    case edit(String, title: String?, folder: FolderMove?)

    /// What is reported when the server has no such request, and the change was undone.
    var whenUnsupported: String {
      switch self {
      case .subscribe: "The server cannot add feeds, so it stays outside the account."
      case .unsubscribe: "The server cannot remove feeds, so it is back."
      case .edit: "The server cannot change feeds, so it has the server's title and folder again."
      }
    }
  }

  let id: Feed.ID
  /// The account whose server gets the change.
  let account: SyncAccount.ID
  /// The feed's local title.
  let title: String
  let change: Change
}

extension FeedFolder {
  /// The name of the folder on a server, where folders are not nested.
  var label: String { path.joined(separator: "/") }
}

extension ArticleStore {
  // MARK: Feeds

  /// Returns the changes of an account's feeds that have not been sent to the server yet.
  func pendingFeeds(of account: SyncAccount.ID) async throws -> [PendingFeed] {
    try await read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM feed WHERE accountID = ? ORDER BY id",
        arguments: [account]
      ).compactMap { row in
        let remote: String? = row["remoteID"]
        let isRemoved = (row["removedAt"] as Double?) != nil
        let custom: String? = row["customTitle"]
        let folder = FeedFolder(stored: row["folder"])?.label
        let address: String = row["address"]
        let change: PendingFeed.Change
        switch (remote, isRemoved) {
        case (nil, true): return nil
        case (nil, false): change = .subscribe(address: address, title: custom, folder: folder)
        case (let remote?, true): change = .unsubscribe(remote)
        case (let remote?, false):
          let title = custom == row["title"] ? nil : custom
          let old: String? = row["remoteFolder"]
          let move = folder == old ? nil : FolderMove(from: old, to: folder)
          guard title != nil || move != nil else { return nil }
          change = .edit(remote, title: title, folder: move)
        }
        return PendingFeed(
          id: row["id"], account: account, title: custom ?? row["title"] ?? address,
          change: change)
      }
    }
  }

  /// Records that the server has received a change; does nothing if the feed has left the account
  /// meanwhile.
  ///
  /// From then on a title is the server's: it may store it with other characters, and another
  /// client may change it.
  ///
  /// - Parameter remote: the server's id of the feed; nil when the server no longer has it.
  func noteSent(_ pending: PendingFeed, remote: String?) async throws {
    try await write { database in
      guard try Self.isInAccount(pending, database) else { return }
      switch pending.change {
      case .subscribe(_, let title, let folder):
        try Self.setRemote(remote, of: pending.id, database)
        try database.run(
          """
          UPDATE feed SET remoteFolder = ?1, title = COALESCE(?2, title),
            customTitle = NULLIF(customTitle, ?2) WHERE id = ?3
          """, [folder, title, pending.id])
      case .unsubscribe: try Self.setRemote(nil, of: pending.id, database)
      case .edit(_, let title, let move):
        if let title {
          try database.run(
            """
            UPDATE feed SET title = ?1, customTitle = NULLIF(customTitle, ?1) WHERE id = ?2
            """, [title, pending.id])
        }
        if let move {
          try database.run("UPDATE feed SET remoteFolder = ? WHERE id = ?", [move.to, pending.id])
        }
      }
    }
  }

  /// Undoes a change that the server has no request for, so that what the server has counts again.
  ///
  /// A feed that the server cannot add leaves the account, and is fetched from its own server. Does
  /// nothing if the feed has left the account meanwhile.
  func takeBack(_ pending: PendingFeed) async throws {
    try await write { database in
      guard try Self.isInAccount(pending, database) else { return }
      switch pending.change {
      case .subscribe: try Self.leaveAccount(pending.account, pending.id, database)
      case .unsubscribe:
        try database.run("UPDATE feed SET removedAt = NULL WHERE id = ?", [pending.id])
      case .edit(_, let title, let move):
        if title != nil {
          try database.run("UPDATE feed SET customTitle = NULL WHERE id = ?", [pending.id])
        }
        if let move {
          let folder = move.from.flatMap { FeedFolder([$0]) }
          try database.run(
            "UPDATE feed SET folder = ? WHERE id = ?", [folder?.stored, pending.id])
        }
      }
    }
  }

  private static func isInAccount(_ pending: PendingFeed, _ database: Database) throws -> Bool {
    try database.exists(
      "SELECT 1 FROM feed WHERE id = ? AND accountID = ?", arguments: [pending.id, pending.account])
  }

  /// Makes a feed one without an account again, which its server does not know.
  ///
  /// - Parameters:
  ///   - account: the account that it leaves; nothing happens if it is not in it any more.
  ///   - ifFetched: whether it has to have been fetched before.
  func leaveAccount(
    _ account: SyncAccount.ID, _ feed: Feed.ID, ifFetched: Bool = false
  ) async throws {
    try await write(durability: .disk) {
      try Self.leaveAccount(account, feed, ifFetched: ifFetched, $0)
    }
  }

  private static func leaveAccount(
    _ account: SyncAccount.ID, _ feed: Feed.ID, ifFetched: Bool = false, _ database: Database
  ) throws {
    let hasLeft = try database.changes(
      """
      UPDATE feed SET accountID = NULL, notBefore = NULL
      WHERE id = ? AND accountID = ? AND (NOT ? OR lastFetched IS NOT NULL)
      """, [feed, account, ifFetched])
    // A sync of another process may have added it meanwhile.
    if hasLeft { try setRemote(nil, of: feed, database) }
  }

  /// Sets the server's id of a feed; without one, the feed has no folder on the server either.
  ///
  /// If the id is another one, the articles lose theirs, also those that were dropped: a server
  /// gives new ids to the articles of a feed that is subscribed to again, and another server may
  /// give out the same ids. The next sync then finds the articles by their links, as it does for a
  /// feed that joins the account.
  static func setRemote(_ remote: String?, of feed: Feed.ID, _ database: Database) throws {
    let isOther = try database.changes(
      """
      UPDATE feed SET remoteID = ?1, remoteFolder = CASE WHEN ?1 IS NOT NULL THEN remoteFolder END
      WHERE id = ?2 AND remoteID IS NOT ?1
      """, [remote, feed])
    guard isOther else { return }
    try database.run(
      "UPDATE article SET remoteID = NULL WHERE feedID = ? AND remoteID IS NOT NULL", [feed])
    let dropped = try String.fetchAll(
      database,
      sql: "SELECT remoteID FROM droppedArticle WHERE feedID = ? AND remoteID IS NOT NULL",
      arguments: [feed])
    for id in dropped {
      try database.run(
        "DELETE FROM dropped WHERE feedID = ? AND guid = ?",
        [feed, FeedMemory.key(RemoteID(stored: id).whole)])
    }
    try database.run(
      "UPDATE droppedArticle SET remoteID = NULL WHERE feedID = ? AND remoteID IS NOT NULL", [feed])
  }

  /// Updates the feeds of an account to the server's list, except for local changes that have not
  /// been sent yet.
  ///
  /// A local feed without an account at the same address joins the account; a feed of another
  /// account stays there. Feeds that the server no longer has are removed, and come back with their
  /// articles when they are added again. ``Library/undo()`` does not bring them back: the user did
  /// not remove them here.
  ///
  /// - Returns: the titles of the added and removed feeds.
  /// - Throws: ``SyncError/noSuchAccount`` or ``StoreError``.
  func apply(
    _ feeds: [RemoteFeed], of account: SyncAccount.ID, at date: Date
  ) async throws -> (added: [String], removed: [String]) {
    try await write { database in
      try Self.require(account, database)
      var added: [String] = []
      let known = Set(feeds.map(\.id))
      for feed in feeds where try Self.apply(feed, of: account, known: known, database) {
        added.append(feed.title.isEmpty ? feed.address : feed.title)
      }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, remoteID, COALESCE(customTitle, NULLIF(title, ''), address) FROM feed
          WHERE accountID = ? AND remoteID IS NOT NULL
          """, arguments: [account])
      var removed: [String] = []
      for row in rows where !known.contains(row[1]) {
        if try Self.removeFeed(row[0], at: date, database) != nil {
          removed.append(row[2])
        }
        try Self.setRemote(nil, of: row[0], database)
      }
      return (added, removed)
    }
  }

  /// Returns the names of the folders that the feeds of an account have on its server.
  func foldersOnServer(of account: SyncAccount.ID) async throws -> Set<String> {
    try await read { database in
      try String.fetchSet(
        database,
        sql: "SELECT remoteFolder FROM feed WHERE accountID = ? AND remoteFolder IS NOT NULL",
        arguments: [account])
    }
  }

  /// Returns the feeds of an account that its server has, too.
  func feedsOnServer(of account: SyncAccount.ID) async throws -> Set<Feed.ID> {
    try await read { database in
      try Feed.ID.fetchSet(
        database,
        sql: """
          SELECT id FROM feed
          WHERE accountID = ? AND remoteID IS NOT NULL AND removedAt IS NULL
          """, arguments: [account])
    }
  }

  /// - Parameter known: the server's ids of all its feeds.
  /// - Returns: whether the feed is new here.
  private static func apply(
    _ feed: RemoteFeed, of account: SyncAccount.ID, known: Set<String>, _ database: Database
  ) throws -> Bool {
    let path = feed.folder.flatMap { FeedFolder([$0]) }?.stored
    if let row = try Row.fetchOne(
      database, sql: "SELECT * FROM feed WHERE accountID = ? AND remoteID = ?",
      arguments: [account, feed.id])
    {
      // The server does not know yet that the feed was removed here.
      guard (row["removedAt"] as Double?) == nil else { return false }
      let folder = FeedFolder(stored: row["folder"])?.label
      let stays = folder != row["remoteFolder"] || folder == feed.folder
      try database.run(
        """
        UPDATE feed SET title = ?1, site = COALESCE(?2, site), remoteFolder = ?3,
          folder = CASE WHEN ?4 THEN folder ELSE ?5 END,
          customTitle = NULLIF(customTitle, ?1) WHERE id = ?6
        """, [feed.title, feed.site, feed.folder, stays, path, row["id"] as Int64])
      // The server finds the feed of a page that was added, and follows one that moves. It must not
      // lead into a private network, unless the user has named that server.
      let old: String = row["address"]
      if feed.address != old {
        let isSameServer =
          WebAddress.Parts(feed.address).authority == WebAddress.Parts(old).authority
        _ = try changeAddress(
          database, of: row["id"], to: feed.address,
          isPublic: row["beginsInPublic"], isOfServer: !isSameServer)
      }
      return false
    }
    if let row = try Row.fetchOne(
      database, sql: "SELECT * FROM feed WHERE address = ?", arguments: [feed.address])
    {
      let owner: SyncAccount.ID? = row["accountID"]
      let isGone = row["removedAt"] as Double? != nil && row["remoteID"] as String? == nil
      guard owner == nil || owner == account || isGone else { return false }
      // The server has two subscriptions with this address, and the feed is the other one.
      if owner == account, let remote = row["remoteID"] as String?, known.contains(remote) {
        return false
      }
      let keepsFolder = feed.folder == nil || owner == account && (row["folder"] as String?) != nil
      try setRemote(feed.id, of: row["id"], database)
      try database.run(
        """
        UPDATE feed SET accountID = ?1, remoteFolder = ?2, removedAt = NULL,
          folder = CASE WHEN ?3 THEN folder ELSE ?4 END,
          title = ?5, customTitle = NULLIF(customTitle, ?5) WHERE id = ?6
        """, [account, feed.folder, keepsFolder, path, feed.title, row["id"] as Int64])
      return (row["removedAt"] as Double?) != nil
    }
    // The address comes from a server and not from the user, so it must never lead into a private
    // network.
    try database.run(
      """
      INSERT INTO feed
        (address, title, site, folder, accountID, remoteID, remoteFolder, beginsInPublic)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        feed.address, feed.title, feed.site, path, account, feed.id, feed.folder,
        StoredFeed.namedByServer,
      ])
    return true
  }
}
