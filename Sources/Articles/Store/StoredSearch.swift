import Foundation
import GRDB

extension ArticleStore {
  /// Of how many matches, the newest ones, the best are chosen.
  ///
  /// Weighing every match of a word that is everywhere would take longer than a keystroke.
  static let weighedMatches = 5_000

  /// The best matches first.
  ///
  /// Cancelling the task stops it at once.
  func search(
    _ expression: SearchExpression, in query: ArticleQuery, limit: Int
  ) async throws -> [SearchResult] {
    do {
      return try await searcher().read { database, search in
        let ids = try Self.matches(expression, in: query, limit: limit, database, search)
        let titles = try Self.feedTitles(database)
        return try ids.compactMap { id in
          try search.check()
          return try Self.result(id, of: expression, titles: titles, database)
        }
      }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  private static func matches(
    _ expression: SearchExpression, in query: ArticleQuery, limit: Int, _ database: Database,
    _ search: Searcher.Search
  ) throws -> [Int64] {
    let isRemoved = "SELECT EXISTS (SELECT 1 FROM feed WHERE removedAt IS NOT NULL)"
    let hasRemoved = try Bool.fetchOne(database, sql: isRemoved) ?? false
    let isEverything = query.isEverything && !hasRemoved
    let source: SQL =
      isEverything
      ? "search WHERE search MATCH \(expression.text)"
      : """
      search CROSS JOIN article ON article.id = search.rowid
        WHERE search MATCH \(expression.text) AND \(query.condition)
      """
    let oldest = try SQLRequest<Int64>(
      literal: """
        SELECT search.rowid FROM \(source)
        ORDER BY search.rowid DESC LIMIT 1 OFFSET \(weighedMatches - 1)
        """
    ).fetchOne(database)
    try search.check()
    return try SQLRequest<Int64>(
      literal: """
        SELECT search.rowid FROM \(source) AND search.rowid >= \(oldest ?? 0)
        ORDER BY search.rank, search.rowid DESC LIMIT \(limit)
        """
    ).fetchAll(database)
  }

  /// One at a time: finding the place of a match reads the whole text.
  private static func result(
    _ id: Int64, of expression: SearchExpression, titles: [Int64: String], _ database: Database
  ) throws -> SearchResult? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT highlight(search, 0, char(2), char(3)), snippet(search, 2, char(2), char(3), '…', 24)
        FROM search WHERE search MATCH ? AND rowid = ?
        """, arguments: [expression.text, id])
    let article = try Row.fetchOne(
      database, sql: "SELECT \(columns) FROM article WHERE id = ?", arguments: [id])
    guard let row, let article else { return nil }
    return SearchResult(
      article: Article(article, titles: titles), title: .init(marked: row[0] ?? ""),
      snippet: .init(marked: row[1] ?? ""))
  }
}
