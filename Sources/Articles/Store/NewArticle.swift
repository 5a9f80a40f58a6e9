import Foundation
import GRDB

/// An article that is about to be stored.
struct NewArticle {
  let article: PreparedArticle
  let details: ArticleDetails
  let feed: Feed.ID
  let isRead: Bool
  var isStarred = false
  var remote: RemoteID?
}

extension ArticleStore {
  /// Returns the details of a feed's articles that are new or have changed, by guid.
  ///
  /// - Parameter hasArticles: whether any of the feed are stored.
  func details(
    ofNewIn feed: PreparedFeed, of id: Feed.ID, hasArticles: Bool = true, rules: RulesInForce
  ) async throws -> [String: ArticleDetails] {
    let stored = hasArticles ? try await read { try Self.stored(feed.articles, of: id, $0) } : [:]
    let new = feed.articles.lazy.filter { stored[$0.content.guid]?.digest != $0.digest }
    return Dictionary(
      uniqueKeysWithValues: new.map {
        ($0.content.guid, ArticleDetails($0, home: feed.home, rules: rules))
      })
  }

  /// Returns those of a feed's articles that are stored, by guid.
  static func stored(
    _ articles: [PreparedArticle], of id: Feed.ID, _ database: Database
  ) throws -> [String: (id: Article.ID, digest: Int64)] {
    var stored: [String: (id: Article.ID, digest: Int64)] = [:]
    // As when a feed is fetched for the first time.
    guard try database.exists("SELECT 1 FROM article WHERE feedID = ?", arguments: [id])
    else { return stored }
    let places = Array(repeating: "?", count: Database.rowsAtOnce).joined(separator: ", ")
    let statement = try database.cachedStatement(
      sql: "SELECT guid, id, digest FROM article WHERE feedID = ? AND guid IN (\(places))")
    for part in articles.batches(of: Database.rowsAtOnce) {
      var guids = part.map { Optional($0.content.guid) }
      guids += Array(repeating: nil, count: Database.rowsAtOnce - guids.count)
      let rows = try Row.fetchCursor(
        statement, arguments: StatementArguments([id.rawValue]) + StatementArguments(guids))
      while let row = try rows.next() { stored[row[0]] = (row[1], row[2]) }
    }
    return stored
  }

  /// Stores new articles; their copies have to be found after that.
  ///
  /// - Returns: the ids of the articles, in their order.
  static func insert(
    _ articles: [NewArticle], seen: Date, _ database: Database
  ) throws -> [Article.ID] {
    guard !articles.isEmpty else { return [] }
    let seen = seen.timeIntervalSince1970
    // The numbers that the table would give next: never one of an article that is gone.
    let last = try lastID(database)
    let ids = articles.indices.map { Article.ID(rawValue: last + 1 + Int64($0)) }
    let rows = Array(zip(ids, articles))
    try database.insert(
      into: """
        article (id, feedID, guid, title, author, link, published, firstSeen, listed,
          readingMinutes, digest, isRead, isStarred, remoteID)
        """,
      rows.map { id, new -> StatementArguments in
        let content = new.article.content
        let published = content.published?.timeIntervalSince1970
        return [
          id, new.feed, content.guid, content.title, content.author, content.link, published, seen,
          min(published ?? seen, seen), new.details.readingMinutes, new.article.digest,
          new.isRead, new.isStarred, new.remote?.text,
        ]
      })
    try database.insert(
      into: "articleText (articleID, html, base)",
      rows.map { [$0, $1.article.content.html, $1.article.content.base] })
    try database.insert(
      into: attachmentColumns,
      rows.flatMap { attachmentRows($1.article.content.attachments, of: $0) })
    try noteArrival(of: ids, database)
    return ids
  }

  /// Returns the highest id that an article has ever had; 0 if there was none.
  static func lastID(_ database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'article'")) ?? 0
  }

  /// Counts new articles in their feeds, and has the search index learn them.
  ///
  /// - Parameter ids: in order, without a gap.
  static func noteArrival(of ids: [Article.ID], _ database: Database) throws {
    guard let first = ids.first, let last = ids.last else { return }
    try database.run(
      "INSERT INTO unindexed SELECT id FROM article WHERE id BETWEEN ? AND ?", [first, last])
    try database.run(
      """
      UPDATE feed SET articleCount = articleCount + arrived.articles,
        mutedCount = mutedCount + arrived.muted, unreadCount = unreadCount + arrived.unread
      FROM (
        SELECT feedID, COUNT(*) AS articles, SUM(isMuted) AS muted,
          SUM(NOT isRead AND NOT isMuted) AS unread
        FROM article WHERE id BETWEEN ? AND ? GROUP BY feedID
      ) AS arrived WHERE feed.id = arrived.feedID
      """, [first, last])
  }

  static let attachmentColumns =
    "attachment (articleID, position, address, type, bytes, seconds)"

  static func attachmentRows(
    _ attachments: [Attachment], of id: Article.ID
  ) -> [StatementArguments] {
    attachments.enumerated().map {
      [id, $0, $1.address, $1.type, $1.byteCount, $1.seconds]
    }
  }
}

extension Database {
  /// How many rows one statement inserts, or looks for.
  ///
  /// Always the same number, except in the last insertion: SQLite parses a statement with the same
  /// text only once.
  fileprivate static let rowsAtOnce = 32

  /// Inserts rows into a table with its columns, many rows with each statement.
  func insert(into table: String, _ rows: [StatementArguments]) throws {
    let columns = table.count { $0 == "," } + 1
    let row = "(\(Array(repeating: "?", count: columns).joined(separator: ", ")))"
    for part in rows.batches(of: Self.rowsAtOnce) {
      let values = Array(repeating: row, count: part.count).joined(separator: ", ")
      try run("INSERT INTO \(table) VALUES \(values)", part.reduce(into: []) { $0 += $1 })
    }
  }
}
