import GRDB

/// The full-text index of articles.
extension ArticleStore {
  /// Whether there are articles that a search would not find yet.
  func hasUnindexed() async throws -> Bool {
    try await read { try $0.exists("SELECT 1 FROM unindexed") }
  }

  /// Returns how many articles a search would not find yet, and whether these are all.
  func countUnindexed() async throws -> (count: Int, isAll: Bool) {
    try await read { database in
      let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM unindexed") ?? 0
      let hasIndexed = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM search_docsize)")
      return (count, hasIndexed != true)
    }
  }

  /// Adds some of the articles that are missing from the index, newest first.
  ///
  /// - Returns: whether there may be more of them.
  func index(limit: Int) async throws -> Bool {
    let found = try await unindexed(limit: limit)
    try await index(found)
    return !found.isEmpty
  }

  /// Returns the newest articles that are not in the index: at most `limit`, and a few megabytes.
  func unindexed(limit: Int) async throws -> [UnindexedArticle] {
    try await read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, digest, title, author, articleText.html, fullText.html, fullText.fetched
          FROM unindexed CROSS JOIN article ON id = unindexed.articleID
            LEFT JOIN articleText ON articleText.articleID = id
            LEFT JOIN fullText ON fullText.articleID = id
          ORDER BY unindexed.articleID DESC LIMIT ?
          """, arguments: [limit])
      var articles: [UnindexedArticle] = []
      var size = 0
      while size < 4 << 20, let row = try rows.next() {
        articles.append(
          UnindexedArticle(
            id: row[0], digest: row[1], title: row[2], author: row[3], html: row[4] ?? "",
            fullHTML: row[5], fetched: row[6]))
        size += (articles.last?.html.utf8.count ?? 0) + (articles.last?.fullHTML?.utf8.count ?? 0)
      }
      return articles
    }
  }

  /// Adds articles to the index, except those that have changed since they were read.
  func index(_ articles: [UnindexedArticle]) async throws {
    guard !articles.isEmpty else { return }
    // Outside both transactions: splitting texts into words takes longer than reading or writing
    // them.
    let words = articles.map(SearchWords.init)
    try await write { database in
      for (article, words) in zip(articles, words) {
        guard
          try database.changes(
            """
            DELETE FROM unindexed WHERE articleID = ?1
              AND EXISTS (SELECT 1 FROM article WHERE id = ?1 AND digest = ?2)
              AND (SELECT fetched FROM fullText WHERE articleID = ?1) IS ?3
            """, [article.id, article.digest, article.fetched])
        else { continue }
        try database.run(
          "INSERT INTO search (rowid, title, author, body) VALUES (?, ?, ?, ?)",
          [article.id, words.title, words.author, words.body])
      }
    }
  }

  /// The index is merged when this many articles, or a quarter of all, have been removed from it.
  private static let toleratedWaste = 250

  /// Merges some segments of the index when enough of their contents have been removed, or
  /// continues a merge: otherwise the index would grow with everything that was ever stored.
  ///
  /// - Parameter limit: roughly how many pages of the index are written at most.
  /// - Returns: whether there may be more to do.
  func mergeIndex(limit: Int) async throws -> Bool {
    try await write { database in
      let forgotten = try Int.fetchOne(database, sql: "SELECT forgotten FROM searchWaste") ?? 0
      let count = try Int.fetchOne(database, sql: "SELECT SUM(articleCount) FROM feed") ?? 0
      let begins = forgotten > max(Self.toleratedWaste, count / 4)
      // In the same transaction as the first step: from here on, later steps, also those of another
      // process, continue the merge.
      if begins { try database.run("UPDATE searchWaste SET forgotten = 0") }
      let before = database.totalChangesCount
      // A negative number starts a merge of all segments; a positive one continues it.
      try database.run(
        "INSERT INTO search (search, rank) VALUES ('merge', ?)", [begins ? -limit : limit])
      // The statement itself counts as one change.
      return database.totalChangesCount - before > 1
    }
  }
}

/// An article that is not in the index yet.
struct UnindexedArticle: Sendable {
  let id: Int64
  let digest: Int64
  let title: String
  let author: String?
  let html: String
  /// The text of the article's web page, if it was fetched, and when.
  var fullHTML: String?
  var fetched: Double?
}

/// The words of an article for the index: the same as in the view `searchable`.
struct SearchWords: Sendable {
  let title: String
  let author: String?
  let body: String

  init(title: String, author: String?, html: String, fullHTML: String? = nil) {
    self.title = SearchText.segmented(title)
    self.author = author.map(SearchText.segmented)
    body = SearchText.body(html: html) + (fullHTML.map { " " + SearchText.body(html: $0) } ?? "")
  }

  init(_ article: ParsedArticle) {
    self.init(title: article.title, author: article.author, html: article.html)
  }

  init(_ article: UnindexedArticle) {
    self.init(
      title: article.title, author: article.author, html: article.html, fullHTML: article.fullHTML)
  }
}
