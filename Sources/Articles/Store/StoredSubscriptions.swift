import Foundation
import GRDB

/// The changes made by adding a list of feeds.
struct AddedSubscriptions: Sendable {
  /// The addresses of new feeds, as written in the list.
  var addresses: Set<String> = []
  /// The ids of the new feeds.
  var ids: [Feed.ID] = []
  /// The existing feeds that got another title, folder or tags, by their address in the list.
  var updates: [String: FeedRearrangement] = [:]
}

extension ArticleStore {
  /// Adds the feeds of a list in one transaction; existing feeds get its folders and tags, and its
  /// titles unless they have one of the user's.
  ///
  /// A recently removed feed is restored.
  func insert(
    _ subscriptions: [Subscription], emptyFolders: [FeedFolder] = [], keepsTitles: Bool = true
  ) async throws -> AddedSubscriptions {
    // A list without any folders does not change folders.
    let hasFolders = subscriptions.contains { $0.folder != nil }
    return try await write(durability: .disk) { database in
      for folder in emptyFolders {
        try database.run("INSERT OR IGNORE INTO emptyFolder (path) VALUES (?)", [folder.stored])
      }
      var added = AddedSubscriptions()
      var changes: [Feed.ID: (address: String, change: FeedRearrangement)] = [:]
      for subscription in subscriptions {
        let (address, credentials) = FeedCredentials.split(subscription.address)
        let location = try Self.currentLocation(
          of: FeedLocation(address: address, credentials: credentials), database)
        let isNew = try Self.insert(subscription, at: location, database)
        guard
          let change = try Self.merge(
            subscription, at: location.address, keepsTitle: keepsTitles && !isNew,
            hasFolders: hasFolders, database)
        else { continue }
        if isNew {
          added.addresses.insert(subscription.address)
          added.ids.append(change.id)
        } else if change.became != change.was {
          // A list may have a feed twice, at its old and at its new address.
          let first = changes[change.id]
          changes[change.id] = (
            first?.address ?? subscription.address,
            FeedRearrangement(
              id: change.id, was: first?.change.was ?? change.was, became: change.became,
              ownTitle: change.ownTitle)
          )
        }
      }
      for (address, change) in changes.values { added.updates[address] = change }
      return added
    }
  }

  /// Adds a feed; returns false, and changes nothing, when it already exists.
  private static func insert(
    _ subscription: Subscription, at location: FeedLocation, _ database: Database
  ) throws -> Bool {
    let others =
      subscription.others.isEmpty ? nil : try JSONEncoder().encode(subscription.others)
    return try database.changes(
      """
      INSERT INTO feed (address, credentials, title, site, folder, tags, outline)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (address) DO UPDATE SET removedAt = NULL,
        credentials = COALESCE(excluded.credentials, credentials),
        outline = COALESCE(excluded.outline, outline) WHERE removedAt IS NOT NULL
      """,
      [
        location.address, location.credentials?.text, subscription.title ?? "", subscription.site,
        subscription.folder?.stored, NameList.text(subscription.tags),
        others.map { String(decoding: $0, as: UTF8.self) },
      ])
  }

  /// Gives a feed the title, the folder and the tags that a list has for it.
  ///
  /// The feed keeps its own tags too, a title that the user gave it, and whatever the list does not
  /// specify.
  private static func merge(
    _ subscription: Subscription, at address: String, keepsTitle: Bool, hasFolders: Bool,
    _ database: Database
  ) throws -> FeedRearrangement? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT id, title, lastFetched FROM feed WHERE address = ?",
        arguments: [address])
    else { return nil }
    let id: Feed.ID = row[0]
    guard let old = try arrangement(of: id, database) else { return nil }
    var new = old
    let ownTitle = FeedArrangement(title: row[1]).title
    let hasUsersTitle = keepsTitle && old.title != nil && old.title != ownTitle
    // Other readers export the address if there is no title.
    if let name = subscription.name, name != subscription.address, name != address, !hasUsersTitle {
      // The feed's own title is not a custom one: the feed's title still follows its document. The
      // first fetch tells whether it is; until then, a list may have any title twice.
      let isFetched = (row[2] as Double?) != nil
      new.title = isFetched && name == ownTitle ? nil : name
    }
    if subscription.folder != nil || hasFolders { new.folder = subscription.folder }
    new.tags = old.tags + subscription.tags
    return try arrange(id, as: new, from: old, database)
  }

  /// Returns all feeds in the order in which they were added.
  func subscriptions() async throws -> [Subscription] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT * FROM feed WHERE removedAt IS NULL ORDER BY id")
      return try Array(
        rows.map { row in
          let title: String = row["title"]
          let outline: String? = row["outline"]
          return Subscription(
            address: row["address"], name: row["customTitle"], title: title.isEmpty ? nil : title,
            site: row["site"],
            folder: FeedFolder(stored: row["folder"]),
            tags: NameList.names(row["tags"]),
            others: try outline.map {
              try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
            } ?? [:])
        })
    }
  }

  /// Returns the folders of imported lists that are still empty, in the order in which they were
  /// imported.
  func emptyFolders() async throws -> [FeedFolder] {
    try await read { database in
      let used = try Set(
        String.fetchAll(
          database, sql: "SELECT folder FROM feed WHERE folder <> '' AND removedAt IS NULL"
        ).compactMap { FeedFolder(stored: $0) })
      let folders = try String.fetchAll(database, sql: "SELECT path FROM emptyFolder ORDER BY id")
        .compactMap { FeedFolder(stored: $0) }
      return folders.filter { folder in !used.contains { $0.isWithin(folder) } }
    }
  }

  /// The most marks that are imported in one transaction: during a longer one, the user's own marks
  /// would have to wait.
  static let readMarksPerWrite = 10_000

  /// Marks articles as read that were read in another program: stored ones now, as if the user had
  /// marked them, and others if the next fetch of their feed brings them.
  ///
  /// Writes in batches; a failed import can be repeated.
  ///
  /// - Parameter marks: the hashes of guids and links, by the address of the feed.
  /// - Returns: how many marks belong to feeds that exist here.
  func insertReadMarks(_ marks: [String: Set<Int64>]) async throws -> Int {
    var count = 0
    for (address, keys) in marks {
      let feed = try await read { database in
        let location = try Self.currentLocation(
          of: FeedLocation(address: address, credentials: nil), database)
        return try Feed.ID.fetchOne(
          database, sql: "SELECT id FROM feed WHERE address = ? AND removedAt IS NULL",
          arguments: [location.address])
      }
      guard let feed else { continue }
      count += keys.count
      for batch in Array(keys).batches(of: Self.readMarksPerWrite) {
        try await write { database in
          let insert = try database.cachedStatement(
            sql: """
              INSERT OR IGNORE INTO readElsewhere (mark, feedID) SELECT ?, id FROM feed WHERE id = ?
              """)
          for key in batch { try insert.execute(arguments: [key, feed]) }
        }
      }
      // After all batches, so that articles that a fetch has stored meanwhile are found too.
      let articles = try await unreadArticles(with: keys, of: feed)
      for batch in articles.batches(of: Self.readMarksPerWrite) {
        _ = try await mark([(.read, true)], of: batch)
      }
    }
    return count
  }

  /// Returns the unread articles of a feed whose guid or link has one of these hashes.
  private func unreadArticles(with keys: Set<Int64>, of feed: Feed.ID) async throws -> [Article.ID]
  {
    try await read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT id, guid, link FROM article WHERE feedID = ? AND isRead = 0",
        arguments: [feed])
      return try Array(
        rows.compactMap { row in
          ReadElsewhere(keys).contains(guid: row[1], link: row[2]) ? row[0] : nil
        })
    }
  }
}

extension Array {
  /// Splits the array into parts of a size; the last may be smaller.
  func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
