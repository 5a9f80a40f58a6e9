import Foundation
import GRDB
import Limits

extension ArticleStore {
  /// How many matches are ranked; these are the newest ones.
  ///
  /// Ranking every match of a very common word would take longer than the time between two keys.
  static let weighedMatches = 5_000
  /// How many words the ranked articles may have in total: ranking one reads each position of a
  /// match in it.
  static let weighedWords = 10_000_000
  /// How much of an article's text is read for its snippet, in bytes.
  static let snippetDepth = 100_000
  /// How much text is read for snippets, in bytes, before the results are reported without the
  /// remaining ones.
  static let textBeforeResults = 200_000

  /// Searches for articles: the best matches first, the newest first of equally good ones and if the
  /// condition has no words.
  ///
  /// Cancelling the task stops the search at once.
  ///
  /// - Parameter found: called with the results if reading the snippets takes long, and then again
  ///   with more of the snippets.
  func search(
    _ condition: ArticleCondition, in query: ArticleQuery, limit: Int,
    found: (@Sendable ([SearchResult]) -> Void)? = nil
  ) async throws -> [SearchResult] {
    try await searcher.read { [self] database, search in
      let (words, titles, rest) = condition.ranking
      var query = joined(query)
      query.where = rest
      let ids =
        if let words {
          try Self.matches(words, titles, in: query, limit: limit, database, search)
        } else {
          try Self.newest(query, limit: limit, database)
        }
      let feedTitles = try Self.feedTitles(database)
      let highlighter = try SearchHighlighter(words?.phrases ?? [], database)
      var results: [SearchResult] = try ids.compactMap { id in
        try search.check()
        let row = try Row.fetchOne(
          database, sql: "SELECT \(Self.columns) FROM article WHERE id = ?", arguments: [id])
        return try row.map { row in
          let article = try named([row], feedTitles, database)[0]
          return SearchResult(
            article: article, title: highlighter.title(article.title),
            snippet: .init(parts: []))
        }
      }
      var readText = 0
      var nextHandover = Self.textBeforeResults
      for index in results.indices {
        if readText >= nextHandover {
          found?(results)
          nextHandover = 2 * readText
        }
        try search.check()
        let html = try String.fetchOne(
          database,
          sql: """
            SELECT COALESCE((SELECT html FROM fullText WHERE articleID = ?1), html)
            FROM articleText WHERE articleID = ?1
            """, arguments: [results[index].id])
        guard let html else { continue }
        readText += html.utf8.count
        let budget = Budget(bytes: html.utf8.count) { search.isCancelled }
        results[index].snippet = highlighter.snippet(
          of: HTMLText.text(html, limit: Self.snippetDepth, budget: budget), budget: budget)
      }
      return results
    }
  }

  private static func newest(
    _ query: ArticleQuery, limit: Int, _ database: Database
  ) throws -> [Article.ID] {
    try SQLRequest<Article.ID>(
      literal: """
        SELECT id FROM article WHERE \(query.condition) ORDER BY listed DESC, id LIMIT \(limit)
        """
    ).fetchAll(database)
  }

  /// Returns the best matches.
  ///
  /// - Parameter titles: the searches whose matches come before all others, best first.
  private static func matches(
    _ expression: SearchExpression, _ titles: [SearchExpression], in query: ArticleQuery,
    limit: Int, _ database: Database, _ search: Searcher.Search
  ) throws -> [Article.ID] {
    guard !query.showsCopies,
      try database.exists("SELECT 1 FROM article WHERE sameAs IS NOT NULL")
    else {
      return try allMatches(expression, titles, in: query, limit: limit, database, search)
    }
    // Which copy has the words is known only afterwards; most articles have at most one copy.
    var all = query
    all.showsCopies = true
    let ids = try allMatches(
      expression, titles, in: all, limit: limit > .max / 2 ? limit : 2 * limit, database, search)
    return try Array(withoutCopies(ids, database).prefix(limit))
  }

  private static func allMatches(
    _ expression: SearchExpression, _ titles: [SearchExpression], in query: ArticleQuery,
    limit: Int, _ database: Database, _ search: Searcher.Search
  ) throws -> [Article.ID] {
    let hasHidden =
      try database.exists("SELECT 1 FROM feed WHERE removedAt IS NOT NULL")
      || database.exists("SELECT 1 FROM article WHERE isMuted = 1")
    let isEverything = query.isEverything && !hasHidden
    let withArticles: SQL = "search CROSS JOIN article ON article.id = search.rowid"
    let condition: SQL =
      isEverything
      ? "search MATCH \(expression.text)"
      : "search MATCH \(expression.text) AND \(query.condition)"
    let source: SQL = isEverything ? "search" : withArticles
    let oldest = try oldestWeighed(of: "\(source) WHERE \(condition)", database, search)
    let titlesFirst = titles.map { title -> SQL in
      """
      search.rowid NOT IN (
        SELECT rowid FROM search WHERE search MATCH \(title.text) AND rowid >= \(oldest)),
      """
    }.joined()
    let best = try SQLRequest<Article.ID>(
      literal: """
        SELECT search.rowid FROM \(withArticles) WHERE \(condition) AND search.rowid >= \(oldest)
        ORDER BY \(titlesFirst) search.rank, article.listed DESC, article.id LIMIT \(limit)
        """
    ).fetchAll(database)
    try search.check()
    guard best.count < limit else { return best }
    // Matches that are not ranked because there are too many.
    let others = try SQLRequest<Article.ID>(
      literal: """
        SELECT search.rowid FROM \(withArticles) WHERE \(condition) AND search.rowid < \(oldest)
        ORDER BY article.listed DESC, article.id LIMIT \(limit - best.count)
        """
    ).fetchAll(database)
    return best + others
  }

  /// Returns the oldest of the matches that are ranked.
  private static func oldestWeighed(
    of source: SQL, _ database: Database, _ search: Searcher.Search
  ) throws -> Int64 {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT search.rowid, (SELECT sz FROM search_docsize WHERE search_docsize.id = search.rowid)
        FROM \(source) ORDER BY search.rowid DESC LIMIT \(weighedMatches)
        """
    ).fetchCursor(database)
    var oldest: Int64 = 0
    var words = 0
    while words < weighedWords, let row = try rows.next() {
      oldest = row[0]
      words += Self.wordCount(row[1] ?? Data())
    }
    try search.check()
    return oldest
  }

  /// Decodes the number of words that the index has of an article: one varint per column.
  static func wordCount(_ sizes: Data) -> Int {
    var (sum, number) = (0, 0)
    for byte in sizes {
      number = number << 7 & 0xFFFF_FFFF | Int(byte & 0x7F)
      if byte & 0x80 == 0 {
        sum += number
        number = 0
      }
    }
    return sum
  }
}
