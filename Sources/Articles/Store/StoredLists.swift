import Foundation
import GRDB

extension ArticleStore {
  /// Returns all articles of a list in order, without their texts.
  func articles(
    matching query: ArticleQuery, keeping kept: [Article.ID] = []
  ) async throws -> [Article] {
    try await listing(matching: query, keeping: kept, beginning: .max).articles
  }

  /// Returns a list in order, and its articles without their texts.
  ///
  /// Cancelling the task ends a search for words.
  ///
  /// - Parameters:
  ///   - kept: articles that stay in a list of unread articles although they are read.
  ///   - id: the row around which a longer list is read.
  ///   - beginning: the length of a list that is read whole.
  func listing(
    matching query: ArticleQuery, keeping kept: [Article.ID] = [], around id: Article.ID? = nil,
    beginning: Int = ArticleListing.longLength
  ) async throws -> ArticleListing {
    let query = joined(query)
    return try await read(for: query) { [self] database in
      try listing(query, keeping: kept, around: id, beginning: beginning, database)
    }
  }

  /// Reads on the connection for searches if the query searches for words.
  private func read<Value: Sendable>(
    for query: ArticleQuery, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    query.hasWords
      ? try await searcher.read { database, _ in try body(database) } : try await read(body)
  }

  /// Returns articles without their texts, in the order of `ids`; those that are gone are left out.
  func articles(_ ids: [Article.ID]) async throws -> [Article] {
    try await read { [self] database in
      try articles(ids, titles: Self.feedTitles(database), database)
    }
  }

  private func articles(
    _ ids: [Article.ID], titles: [Int64: String], _ database: Database
  ) throws -> [Article] {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT \(sql: Self.columns) FROM article WHERE id IN (\(ids.sql))
        """, cached: true
    ).fetchAll(database)
    let articles = try named(rows, titles, database)
    let found = Dictionary(uniqueKeysWithValues: articles.map { ($0.id, $0) })
    return ids.compactMap { found[$0] }
  }

  /// Whether a list has more than `length` articles, without counting all; false for a search for
  /// words.
  func hasMore(than length: Int, matching query: ArticleQuery) async throws -> Bool {
    let query = joined(query)
    guard !query.hasWords else { return false }
    return try await read { database in
      try SQLRequest<Int>(
        literal: "SELECT 1 FROM article WHERE \(query.condition) LIMIT 1 OFFSET \(length)",
        cached: true
      ).fetchOne(database) != nil
    }
  }

  /// Counts the articles of a list.
  func count(_ query: ArticleQuery) async throws -> Int {
    let query = joined(query)
    return try await read(for: query) { try Self.count(query, $0) }
  }

  private static func count(_ query: ArticleQuery, _ database: Database) throws -> Int {
    try SQLRequest<Int>(literal: "SELECT COUNT(*) FROM article WHERE \(query.condition)")
      .fetchOne(database) ?? 0
  }

  private func listing(
    _ query: ArticleQuery, keeping kept: [Article.ID], around id: Article.ID?, beginning: Int,
    _ database: Database
  ) throws -> ArticleListing {
    let titles = try Self.feedTitles(database)
    let limit: SQL = query.limit.map { "LIMIT \(max(0, $0))" } ?? ""
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT \(sql: Self.columns) FROM article WHERE \(query.condition(keeping: kept))
        ORDER BY \(query.order.sql) \(limit)
        """, cached: true
    ).fetchCursor(database)
    var order: [ArticleListing.Entry] = []
    var articles: [Article] = []
    var numbers: [Int: Int64] = [:]
    while let row = try rows.next() {
      order.append(ArticleListing.Entry(row[0], isRead: row[7]))
      guard order.count <= beginning else { continue }
      if let number = row[10] as Int64? { numbers[articles.count] = number }
      articles.append(Article(row, titles: titles))
    }
    let part = ArticleListing.part(of: order, around: id, beginning: beginning)
    if part.lowerBound > 0 {
      articles = try self.articles(order[part].map(\.id), titles: titles, database)
    } else {
      try nameCopies(in: &articles, numbers: numbers, titles: titles, database)
    }
    return ArticleListing(order, articles, at: part.lowerBound)
  }

  /// Returns the next unread article below `id` in the list of all, or otherwise the first one.
  func nextUnread(after id: Article.ID?) async throws -> Article? {
    try await read { [self] database in
      let unread = joined(.unread).condition
      let place = try id.flatMap {
        try Row.fetchOne(
          database, sql: "SELECT listed, id FROM article WHERE id = ?", arguments: [$0])
      }
      func first(_ condition: SQL) throws -> Article? {
        try SQLRequest<Row>(
          literal: """
            SELECT \(sql: Self.columns) FROM article WHERE \(unread) AND \(condition)
            ORDER BY listed DESC, id LIMIT 1
            """
        ).fetchOne(database).map { try named([$0], Self.feedTitles(database), database)[0] }
      }
      if let place {
        let (listed, id) = (place[0] as Double, place[1] as Int64)
        let below: SQL = "(listed < \(listed) OR listed = \(listed) AND id > \(id))"
        if let next = try first(below) { return next }
      }
      return try first("id <> \(id?.rawValue ?? 0)")
    }
  }

  func counts(since date: Date) async throws -> ArticleCounts {
    try await read { [self] database in
      let muted = try Int.fetchOne(
        database, sql: "SELECT SUM(mutedCount) FROM feed WHERE removedAt IS NULL")
      func count(_ query: ArticleQuery) throws -> Int {
        try Self.count(joined(query), database)
      }
      return ArticleCounts(
        starredUnread: try count(ArticleQuery(isRead: false, isStarred: true)),
        recentUnread: try count(ArticleQuery(isRead: false, since: date)), muted: muted ?? 0,
        later: try count(.later), laterUnread: try count(.later.unread),
        unreadCopies: joined(.unread).showsCopies ? [:] : try Self.unreadCopies(database))
    }
  }

  static let columns = """
    id, feedID, title, author, link, published, readingMinutes, isRead, isStarred, tags, sameAs, listed
    """

  static func feedTitles(_ database: Database) throws -> [Int64: String] {
    try Dictionary(
      uniqueKeysWithValues: Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT id, COALESCE(customTitle, NULLIF(title, ''), address) FROM feed")
      ).map { ($0[0] as Int64, $0[1] as String) })
  }
}

extension Article {
  init(_ row: Row, titles: [Int64: String]) {
    let feedID: Int64 = row[1]
    self.init(
      id: row[0], feedID: Feed.ID(rawValue: feedID),
      feedTitle: titles[feedID] ?? "", title: row[2], author: row[3], link: row[4],
      published: Date(seconds: row[5]), listed: Date(seconds: row[11]), readingMinutes: row[6],
      isRead: row[7], isStarred: row[8], tags: NameList.names(row[9]))
  }
}
