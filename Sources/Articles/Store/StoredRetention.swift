import Foundation
import GRDB

/// Drops old articles, and restores dropped ones.
extension ArticleStore {
  /// Drops some of the articles that need not be kept any longer; they can be restored for a while.
  ///
  /// - Returns: how many were dropped; none when none are left to drop.
  func drop(
    _ retention: Retention, at date: Date, limit: Int
  ) async throws -> DroppedArticles {
    let aged = try await tidy { database in
      try Self.aged(retention, at: date, limit: limit, database)
    } change: { articles, database in
      for id in articles { try database.drop(id, countLimit: nil, at: date) }
    }
    guard aged == 0, let count = retention.countPerFeed else {
      return DroppedArticles(byAge: aged)
    }
    let excess = try await tidy { database in
      try Self.excess(count, limit: limit, database)
    } change: { articles, database in
      for id in articles { try database.drop(id, countLimit: count, at: date) }
    }
    return DroppedArticles(byCount: excess)
  }

  /// Passes everything that `find` finds to `change`, and returns how many there were.
  ///
  /// `find` runs in a read transaction first, and again in the write transaction: tidying seldom
  /// finds anything, and even a write transaction that changes nothing would make other writers
  /// wait.
  func tidy<Found: Sendable>(
    _ find: @escaping @Sendable (Database) throws -> [Found],
    change: @escaping @Sendable ([Found], Database) throws -> Void
  ) async throws -> Int {
    guard try await !read(find).isEmpty else { return 0 }
    return try await write { database in
      let found = try find(database)
      try change(found, database)
      return found.count
    }
  }

  /// Returns how many articles a feed has, with muted ones; 0 when there is no such feed.
  func articleCount(of id: Feed.ID) async throws -> Int {
    try await read { database in
      try Int.fetchOne(
        database, sql: "SELECT articleCount FROM feed WHERE id = ?", arguments: [id]) ?? 0
    }
  }

  private static func aged(
    _ retention: Retention, at date: Date, limit: Int, _ database: Database
  ) throws -> [Article.ID] {
    guard let age = retention.age else { return [] }
    let condition = retention.keepsUnread ? "isRead = 1" : "isRead IN (0, 1)"
    return try Article.ID.fetchAll(
      database,
      sql:
        "SELECT id FROM article WHERE isStarred = 0 AND tags = '' AND \(condition) AND firstSeen < ? LIMIT ?",
      arguments: [date.timeIntervalSince1970 - age, limit])
  }

  /// The condition for the articles that ``Retention/countPerFeed`` applies to.
  ///
  /// An article has a server's id only as long as its feed is in an account.
  private static let isLimited =
    "isStarred = 0 AND tags = '' AND (isRead = 1 OR remoteID IS NULL)"

  private static func excess(
    _ count: Int, limit: Int, _ database: Database
  ) throws -> [Article.ID] {
    let feeds = try Feed.ID.fetchAll(
      database, sql: "SELECT id FROM feed WHERE articleCount > ? AND removedAt IS NULL",
      arguments: [count])
    for feed in feeds {
      let excess = try Article.ID.fetchAll(
        database,
        sql: """
          SELECT id FROM article WHERE feedID = ? AND \(isLimited)
          ORDER BY listed DESC, id LIMIT ? OFFSET ?
          """, arguments: [feed, limit, max(0, count)])
      if !excess.isEmpty { return excess }
    }
    return []
  }

  /// Restores some of the dropped articles that would not be dropped now, because the clock was
  /// corrected or the settings keep more.
  ///
  /// - Returns: how many were restored; 0 when none are left to restore.
  func restoreDropped(_ retention: Retention, at date: Date, limit: Int) async throws -> Int {
    try await tidy { database in
      try Self.young(retention, at: date, limit: limit, database)
        + Self.wanted(retention.countPerFeed, limit: limit, database)
    } change: { ids, database in
      for id in ids { try database.restoreDropped(id) }
    }
  }

  /// Restores the articles of a change of marks that may have been dropped because of it.
  ///
  /// Without the change, they would have been kept: articles with a star or a tag always, unread
  /// ones in spite of their age, and unread ones of accounts also in spite of their number.
  static func restoreDropped(by change: MarkChange, _ database: Database) throws {
    let condition: SQL
    switch (change.mark, change.value) {
    case (.starred, false), (.tag, false): condition = "TRUE"
    case (.read, true): condition = "(countLimit IS NULL OR remoteID IS NOT NULL)"
    default: return
    }
    let ids = try SQLRequest<Article.ID>(
      literal: """
        SELECT id FROM droppedArticle WHERE \(among(change.articles)) AND \(condition)
        """
    ).fetchAll(database)
    for id in ids { try database.restoreDropped(id) }
  }

  /// Returns restorable articles that were dropped because of their age.
  private static func young(
    _ retention: Retention, at date: Date, limit: Int, _ database: Database
  ) throws -> [Article.ID] {
    func dropped(_ condition: SQL) throws -> [Article.ID] {
      try SQLRequest(
        literal: """
          SELECT id FROM droppedArticle WHERE countLimit IS NULL AND \(condition) LIMIT \(limit)
          """
      ).fetchAll(database)
    }
    guard let age = retention.age else { return try dropped("isRead IN (0, 1)") }
    let end = date.timeIntervalSince1970 - age
    let young = try dropped("isRead IN (0, 1) AND firstSeen >= \(end)")
    return retention.keepsUnread
      ? young + (try dropped("isRead = 0 AND firstSeen < \(end)")) : young
  }

  /// Returns restorable articles that were dropped because their feed had too many.
  ///
  /// None of them comes back until the setting is increased: otherwise an old article would come
  /// back each time that a newer one is dropped because of its age.
  private static func wanted(
    _ count: Int?, limit: Int, _ database: Database
  ) throws -> [Article.ID] {
    let count = count ?? .max
    let feeds = try Row.fetchAll(
      database,
      sql: """
        SELECT feedID, (SELECT COUNT(*) FROM article WHERE feedID = f.feedID AND \(isLimited))
        FROM (SELECT DISTINCT feedID FROM droppedArticle WHERE countLimit < ?) f
        """, arguments: [count])
    for row in feeds {
      let room = count - (row[1] as Int)
      guard room > 0 else { continue }
      let ids = try Article.ID.fetchAll(
        database,
        sql: """
          SELECT id FROM droppedArticle WHERE feedID = ? AND countLimit < ?
          ORDER BY listed DESC, id LIMIT ?
          """, arguments: [row[0] as Int64, count, min(room, limit)])
      if !ids.isEmpty { return ids }
    }
    return []
  }

  /// Permanently deletes some of the articles that were dropped longer ago than `grace`, measured
  /// in store time.
  ///
  /// - Returns: how many were deleted; 0 when none are left to delete.
  func purgeDropped(after grace: TimeInterval, limit: Int) async throws -> Int {
    try await tidy { database in
      try Article.ID.fetchAll(
        database,
        sql: """
          SELECT id FROM droppedArticle
          WHERE droppedAt < (SELECT elapsed FROM storeTime) - ? LIMIT ?
          """, arguments: [grace, limit])
    } change: { ids, database in
      for id in ids {
        try database.run("DELETE FROM droppedArticle WHERE id = ?", [id])
      }
    }
  }

  // MARK: The time of the store

  /// The most by which one reading of the clock can advance the store time.
  static let longestStep: TimeInterval = 86_400
  /// How often the store time is updated.
  private static let timePrecision: TimeInterval = 3_600

  /// Advances the store time to the clock's time, by at most ``longestStep``.
  func passTime(to date: Date) async throws {
    _ = try await tidy { database in
      let clock = try Double.fetchOne(database, sql: "SELECT clock FROM storeTime") ?? 0
      let step = date.timeIntervalSince1970 - clock
      return 0..<Self.timePrecision ~= step ? [] : [min(max(step, 0), Self.longestStep)]
    } change: { steps, database in
      for step in steps {
        try database.run(
          "UPDATE storeTime SET clock = ?, elapsed = elapsed + ?",
          [date.timeIntervalSince1970, step])
      }
    }
  }
}

extension Database {
  /// Removes an article from the lists and the search.
  fileprivate func drop(_ id: Article.ID, countLimit: Int?, at date: Date) throws {
    try run(
      """
      INSERT OR REPLACE INTO droppedArticle
        (id, feedID, guid, firstSeen, listed, isRead, isMuted, countLimit, droppedAt, title, author,
          link, published, readingMinutes, digest, remoteID, block, offset, attachments, rest, base,
          html)
      SELECT article.id, feedID, guid, firstSeen, listed, isRead, isMuted, ?2,
        (SELECT elapsed FROM storeTime), title, author, link, published, readingMinutes, digest,
        remoteID, block, offset,
        (SELECT json_group_array(json_array(position, address, type, bytes, seconds))
          FROM attachment WHERE articleID = ?1),
        json_object(
          'page', json((SELECT json_array(html, base, privateHost, fetched)
            FROM fullText WHERE articleID = ?1)),
          'files', json((SELECT json_group_array(
              json_array(kind, address, base, text, privateHost, fetched))
            FROM episodeFile WHERE articleID = ?1)),
          'downloads', json((SELECT json_group_array(id) FROM download WHERE articleID = ?1)),
          'isReadByRule', EXISTS (SELECT 1 FROM readByRule WHERE articleID = ?1)),
        base, COALESCE(html, '')
      FROM article LEFT JOIN articleText ON articleText.articleID = article.id
        LEFT JOIN articlePosition ON articlePosition.articleID = article.id
      WHERE article.id = ?1
      """, [id, countLimit])
    guard
      let row = try Row.fetchOne(
        cachedStatement(sql: "DELETE FROM article WHERE id = ? RETURNING feedID, guid, remoteID"),
        arguments: [id])
    else { return }
    for key in Self.keys(row) {
      try run(
        "INSERT OR REPLACE INTO dropped (feedID, guid, seen) VALUES (?, ?, ?)",
        [row[0] as Int64, key, date.timeIntervalSince1970])
    }
  }

  /// The keys of a dropped article, from its feed's guid and its server's id.
  private static func keys(_ row: Row) -> [Int64] {
    [row[1] as String?, (row[2] as String?).map { RemoteID(stored: $0).whole }]
      .compactMap { $0.map(FeedMemory.key) }
  }

  /// Restores a dropped article, unless its feed has delivered it again.
  ///
  /// - Returns: whether it was restored.
  @discardableResult
  func restoreDropped(_ id: Article.ID) throws -> Bool {
    guard
      let row = try Row.fetchOne(
        self, sql: "SELECT feedID, guid, remoteID FROM droppedArticle WHERE id = ?",
        arguments: [id])
    else { return false }
    let isBack = try changes(
      """
      INSERT OR IGNORE INTO article
        (id, feedID, guid, firstSeen, listed, isRead, isMuted, title, author, link, published,
          readingMinutes, digest, remoteID)
      SELECT id, feedID, guid, firstSeen, listed, isRead, isMuted, title, author, link, published,
        readingMinutes, digest, remoteID FROM droppedArticle WHERE id = ?
      """, [id])
    if isBack {
      try ArticleStore.noteArrival(of: [id], self)
      try run(
        """
        INSERT INTO articleText (articleID, html, base)
        SELECT id, html, base FROM droppedArticle WHERE id = ?
        """, [id])
      try run(
        """
        INSERT INTO attachment (articleID, position, address, type, bytes, seconds)
        SELECT droppedArticle.id, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
          json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]')
        FROM droppedArticle, json_each(attachments) WHERE droppedArticle.id = ?
        """, [id])
      try run(
        """
        INSERT INTO articlePosition (articleID, block, offset)
        SELECT id, block, offset FROM droppedArticle WHERE id = ? AND block IS NOT NULL
        """, [id])
      try restoreRest(of: id)
      let keys = try Int64.fetchAll(
        cachedStatement(
          sql: """
            SELECT value FROM droppedArticle JOIN feed ON feed.id = feedID,
              json_each(articleKeys(guid, link, droppedArticle.title, html, site))
            WHERE droppedArticle.id = ?
            """), arguments: [id])
      try ArticleStore.noteKeys(ofNew: [(id, keys)], self)
    }
    for key in Self.keys(row) {
      try run("DELETE FROM dropped WHERE feedID = ? AND guid = ?", [row[0] as Int64, key])
    }
    try run("DELETE FROM droppedArticle WHERE id = ?", [id])
    return isBack
  }

  /// Restores the remaining data of a restored article.
  private func restoreRest(of id: Article.ID) throws {
    let statements = [
      """
      INSERT INTO fullText (articleID, html, base, privateHost, fetched)
      SELECT id, json_extract(rest, '$.page[0]'), json_extract(rest, '$.page[1]'),
        json_extract(rest, '$.page[2]'), json_extract(rest, '$.page[3]')
      FROM droppedArticle WHERE id = ?1 AND json_type(rest, '$.page') = 'array'
      """,
      """
      INSERT INTO episodeFile (articleID, kind, address, base, text, privateHost, fetched)
      SELECT droppedArticle.id, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
        json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'),
        json_extract(value, '$[5]')
      FROM droppedArticle, json_each(rest, '$.files') WHERE droppedArticle.id = ?1
      """,
      """
      UPDATE download SET articleID = ?1 WHERE articleID IS NULL AND id IN (
        SELECT value FROM droppedArticle, json_each(rest, '$.downloads')
        WHERE droppedArticle.id = ?1)
      """,
      """
      INSERT INTO readByRule
      SELECT id FROM droppedArticle WHERE id = ?1 AND json_extract(rest, '$.isReadByRule')
      """,
    ]
    for statement in statements { try cachedStatement(sql: statement).execute(arguments: [id]) }
  }
}
