import Foundation
import GRDB

extension ArticleStore {
  /// Returns the full text; nil when it was not fetched, or could not be extracted.
  static func fullText(of id: Article.ID, _ database: Database) throws -> FullText? {
    try Row.fetchOne(
      database,
      sql: """
        SELECT html, base, privateHost FROM fullText WHERE articleID = ? AND html IS NOT NULL
        """, arguments: [id]
    ).map { FullText(html: $0[0], base: $0[1], privateHost: $0[2]) }
  }

  /// Replaces the full text of an article.
  ///
  /// - Returns: false when the article is gone.
  func setFullText(_ text: FullText, of id: Article.ID, at date: Date) async throws -> Bool {
    let minutes = ReadingTime.minutes(html: text.html)
    return try await write { database in
      guard try database.exists("SELECT 1 FROM article WHERE id = ?", arguments: [id])
      else { return false }
      // The position is one in the feed's text.
      if try Self.fullText(of: id, database) == nil {
        try database.run("DELETE FROM articlePosition WHERE articleID = ?", [id])
      }
      // Deleted first: a trigger removes its words from the index before the row is gone.
      try database.run("DELETE FROM fullText WHERE articleID = ?", [id])
      try database.run(
        """
        INSERT INTO fullText (articleID, html, base, privateHost, fetched) VALUES (?, ?, ?, ?, ?)
        """, [id, text.html, text.base, text.privateHost, date.timeIntervalSince1970])
      if let minutes {
        try database.run("UPDATE article SET readingMinutes = ? WHERE id = ?", [minutes, id])
      }
      return true
    }
  }

  /// Records that an article has no full text; one that is stored stays.
  ///
  /// - Parameter shorterPage: the address of its page, if that has clearly less text than the feed.
  func setNoFullText(of id: Article.ID, shorterPage: String? = nil, at date: Date) async throws {
    try await write { database in
      try database.run(
        """
        INSERT INTO fullText (articleID, base, fetched) SELECT id, ?, ? FROM article WHERE id = ?
        ON CONFLICT DO UPDATE SET base = COALESCE(excluded.base, base) WHERE html IS NULL
        """, [shorterPage, date.timeIntervalSince1970, id])
    }
  }

  /// The SQL condition for a row of `article` whose page has clearly less text than its feed: then
  /// there is an address, but no text.
  static let isLongerThanPage = """
    EXISTS (SELECT 1 FROM fullText WHERE fullText.articleID = article.id
      AND fullText.html IS NULL AND fullText.base IS NOT NULL)
    """

  /// Returns the unread articles whose full text is wanted and was never tried, newest first, with
  /// the addresses of their pages.
  func articlesWithoutFullText(
    isForAll: Bool, since date: Date, limit: Int
  ) async throws -> [(id: Article.ID, link: String)] {
    let isWanted: SQL = isForAll ? "fullText IS NOT 0" : "fullText = 1"
    let feeds: SQL = "SELECT id FROM feed WHERE removedAt IS NULL AND \(isWanted)"
    return try await read { database in
      // If no feed wants it, all unread articles would be read for nothing.
      guard try SQLRequest<Feed.ID>(literal: "\(feeds) LIMIT 1").fetchOne(database) != nil
      else { return [] }
      // `+` keeps SQLite from reading all articles of these feeds in place of the newest unread ones.
      return try SQLRequest<Row>(
        literal: """
          SELECT id, link FROM article
          WHERE isRead = 0 AND isMuted = 0 AND link IS NOT NULL
            AND firstSeen >= \(date.timeIntervalSince1970) AND +feedID IN (\(feeds))
            AND NOT EXISTS (SELECT 1 FROM fullText WHERE articleID = article.id)
          ORDER BY listed DESC LIMIT \(limit)
          """
      ).fetchAll(database).map { ($0[0], $0[1]) }
    }
  }
}
