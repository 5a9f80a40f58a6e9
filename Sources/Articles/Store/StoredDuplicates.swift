import Foundation
import GRDB

/// Articles that several feeds have: they have the same number in the column `sameAs`.
///
/// Two articles are linked by a key that few articles have, each of them in a feed of its own. What is
/// linked, directly or by others, is one article, unless one feed has two of them: then no feed's word can
/// be relied on, and all stay apart.
extension ArticleStore {
  /// More articles with one key, or linked with each other, are no copies.
  static let mostCopies = 19
  /// A statement for each key would take longer than what it does.
  private static let rowsAtOnce = 1_000

  /// Notes what articles are known by that were stored a moment ago, and with which others they are the
  /// same.
  ///
  /// Many at once: next to none of them has a copy.
  static func noteKeys(ofNew articles: [Int64: [Int64]], _ database: Database) throws {
    let pairs = articles.flatMap { id, keys in keys.map { (key: $0, id: id) } }
      .sorted { $0 < $1 }
    var shared: Set<Int64> = []
    for start in stride(from: 0, to: pairs.count, by: rowsAtOnce) {
      // Numbers, so nothing in them can be taken for something else.
      let rows = pairs[start...].prefix(rowsAtOnce).map { "(\($0.key),\($0.id))" }
        .joined(separator: ",")
      try database.execute(sql: "INSERT INTO articleKey (key, articleID) VALUES \(rows)")
      try shared.formUnion(
        Int64.fetchCursor(
          database,
          sql: """
            SELECT column1 FROM (VALUES \(rows)) WHERE EXISTS (
              SELECT 1 FROM articleKey WHERE key = column1 AND articleID <> column2)
            """))
    }
    if !shared.isEmpty { try regroup(of: shared.sorted(), database) }
  }

  /// Notes what an article is known by since it has changed.
  static func noteKeys(_ keys: [Int64], of id: Int64, _ database: Database) throws {
    let old = try Self.keys(of: id, database)
    let (lost, gained) = (Set(old).subtracting(keys), Set(keys).subtracting(old))
    guard !lost.isEmpty || !gained.isEmpty else { return }
    for key in lost {
      try database.cachedStatement(sql: "DELETE FROM articleKey WHERE key = ? AND articleID = ?")
        .execute(arguments: [key, id])
    }
    for key in gained {
      try database.cachedStatement(sql: "INSERT INTO articleKey (key, articleID) VALUES (?, ?)")
        .execute(arguments: [key, id])
    }
    try regroup(of: Array(lost.union(gained)), and: [id], database)
  }

  private static func keys(of id: Int64, _ database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(sql: "SELECT key FROM articleKey WHERE articleID = ?"),
      arguments: [id])
  }

  private typealias Member = (id: Int64, feed: Int64)

  /// The articles with a key, or as many of them, stored first, as show that it is none.
  private static func members(of key: Int64, _ database: Database) throws -> [Member] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, feedID FROM articleKey CROSS JOIN article ON id = articleID WHERE key = ?
          LIMIT \(mostCopies + 2)
          """), arguments: [key]
    ).map { ($0[0], $0[1]) }
  }

  /// Finds anew what the articles with some keys are the same as, after others have got or lost these.
  ///
  /// One more or less with a key decides for all that have it whether it is one.
  private static func regroup(
    of keys: [Int64], and others: [Int64] = [], _ database: Database
  ) throws {
    var ids = Set(others)
    for key in keys { ids.formUnion(try members(of: key, database).map(\.id)) }
    // Each part that a group falls into has one of these, by which it is found again.
    try database.execute(
      literal: """
        UPDATE article SET sameAs = NULL WHERE sameAs IN (
          SELECT sameAs FROM article WHERE sameAs IS NOT NULL AND \(among(ids.sorted())))
        """)
    var done: Set<Int64> = []
    for start in ids.sorted() where !done.contains(start) {
      var feeds: [Int64: Int64] = [:]
      feeds[start] = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT feedID FROM article WHERE id = ?"),
        arguments: [start])
      var open = [start]
      while feeds.count <= mostCopies, let id = open.popLast() {
        for key in try Self.keys(of: id, database) {
          let members = try members(of: key, database)
          guard members.count <= mostCopies, Set(members.map(\.feed)).count == members.count
          else { continue }
          for member in members where feeds.updateValue(member.feed, forKey: member.id) == nil {
            open.append(member.id)
          }
        }
      }
      done.formUnion(feeds.keys)
      let areOne =
        (2...mostCopies).contains(feeds.count) && Set(feeds.values).count == feeds.count
      guard areOne else { continue }
      try database.execute(
        literal: "UPDATE article SET sameAs = \(feeds.keys.min()) WHERE \(among(Array(feeds.keys)))"
      )
    }
  }

  /// Marks those as read of which the user has read a copy: what was read in one feed is not new in
  /// another.
  ///
  /// What a rule has marked as read in one feed may be wanted in another.
  static func readCopies(of ids: [Int64], _ database: Database) throws {
    guard !ids.isEmpty else { return }
    _ = try set(
      .read, true,
      where: """
        sameAs IS NOT NULL AND \(among(ids)) AND EXISTS (
          SELECT 1 FROM article AS twin JOIN feed ON feed.id = twin.feedID
          WHERE twin.sameAs = article.sameAs AND twin.isRead = 1 AND removedAt IS NULL
            AND twin.id NOT IN (SELECT articleID FROM readByRule))
        """, database)
  }

  /// Remembers what a rule has marked as read.
  static func noteReadByRule(_ ids: [Int64], _ database: Database) throws {
    try database.execute(
      literal: """
        INSERT OR IGNORE INTO readByRule SELECT id FROM article WHERE \(among(ids))
        """)
  }

  func isReadByRule(_ id: Article.ID) async throws -> Bool {
    try await read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM readByRule WHERE articleID = ?)",
        arguments: [id.rawValue]) ?? false
    }
  }

  /// What the user marks is no rule's mark any more.
  static func forgetReadByRule(_ ids: [Int64], _ database: Database) throws {
    try database.execute(
      literal: """
        DELETE FROM readByRule
        WHERE articleID IN (\(ids.map(Article.ID.init(rawValue:)).sql))
        """)
  }

  // MARK: In lists

  /// A query as the settings want it.
  func joined(_ query: ArticleQuery) -> ArticleQuery {
    var query = query
    if !joinsCopies.load(ordering: .relaxed) { query.showsCopies = true }
    return query
  }

  /// The articles of some rows, with the names of the other feeds that have them.
  func named(
    _ rows: [Row], _ titles: [Int64: String], _ database: Database
  ) throws -> [Article] {
    var articles = rows.map { Article($0, titles: titles) }
    var numbers: [Int: Int64] = [:]
    for (index, row) in rows.enumerated() { numbers[index] = row["sameAs"] as Int64? }
    try nameCopies(in: &articles, numbers: numbers, titles: titles, database)
    return articles
  }

  /// Gives articles the names of the other feeds that have them.
  ///
  /// - Parameter numbers: those of the articles that others are the same as, by their places.
  func nameCopies(
    in articles: inout [Article], numbers: [Int: Int64], titles: [Int64: String],
    _ database: Database
  ) throws {
    guard joinsCopies.load(ordering: .relaxed), !numbers.isEmpty else { return }
    let feeds = try Self.feedsOfCopies(Set(numbers.values), database)
    for (index, number) in numbers {
      articles[index].alsoIn = (feeds[number] ?? [])
        .filter { $0 != articles[index].feedID.rawValue }.map { titles[$0] ?? "" }
    }
  }

  /// The feeds that have the same articles, by the numbers of these.
  private static func feedsOfCopies(
    _ numbers: Set<Int64>, _ database: Database
  ) throws -> [Int64: [Int64]] {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT sameAs, feedID FROM article
        WHERE sameAs IN (\(numbers.sorted().map(Article.ID.init(rawValue:)).sql)) AND isMuted = 0
          AND \(FeedSelection.all.articleCondition) ORDER BY id
        """
    ).fetchCursor(database)
    var feeds: [Int64: [Int64]] = [:]
    while let row = try rows.next() { feeds[row[0], default: []].append(row[1]) }
    return feeds
  }

  /// How many unread articles each set of feeds has in common.
  static func unreadCopies(_ database: Database) throws -> [Set<Feed.ID>: Int] {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT sameAs, feedID FROM article
        WHERE sameAs IS NOT NULL AND isRead = 0 AND isMuted = 0
          AND \(FeedSelection.all.articleCondition)
        """
    ).fetchCursor(database)
    var feeds: [Int64: Set<Feed.ID>] = [:]
    while let row = try rows.next() {
      feeds[row[0], default: []].insert(Feed.ID(rawValue: row[1]))
    }
    return feeds.values.reduce(into: [:]) { counts, feeds in
      if feeds.count > 1 { counts[feeds, default: 0] += 1 }
    }
  }

  /// How many of the articles of a list are copies of others of it.
  static func copyCount(in condition: SQL, _ database: Database) throws -> Int {
    try SQLRequest<Int>(
      literal: """
        SELECT COUNT(*) - COUNT(DISTINCT sameAs) FROM article
        WHERE sameAs IS NOT NULL AND \(condition)
        """
    ).fetchOne(database) ?? 0
  }

  /// Only the first stored of the articles that are the same, in the place of the first in the list.
  static func withoutCopies(_ ids: [Int64], _ database: Database) throws -> [Int64] {
    let rows = try SQLRequest<Row>(
      literal: "SELECT id, sameAs FROM article WHERE sameAs IS NOT NULL AND \(among(ids))"
    ).fetchAll(database)
    let numbers = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as Int64) })
    var first: [Int64: Int64] = [:]
    for (id, number) in numbers { first[number] = min(first[number] ?? id, id) }
    var seen: Set<Int64> = []
    return ids.compactMap { id in
      guard let number = numbers[id] else { return id }
      return seen.insert(number).inserted ? first[number] : nil
    }
  }
}

extension ArticleQuery {
  /// Without the articles of which the list has another copy, which was stored first.
  ///
  /// - Parameter all: which rows of `article` are in the list.
  func withoutCopies(_ all: SQL) -> SQL {
    // In the inner query, columns without a table are those of the copy.
    """
    \(all) AND (article.sameAs IS NULL OR NOT EXISTS (SELECT 1 FROM article AS twin
      WHERE twin.sameAs = article.sameAs AND twin.id < article.id AND \(all)))
    """
  }
}
