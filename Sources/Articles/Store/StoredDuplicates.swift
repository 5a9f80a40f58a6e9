import Foundation
import GRDB

/// Finds copies of an article in several feeds: copies share a number in the column `sameAs`.
///
/// Two articles are linked if they have a key in common that few articles have, each in a different
/// feed. Articles that are linked, directly or through others, are one article, unless one feed has
/// two of them: then the keys cannot be trusted, and none of them are joined.
extension ArticleStore {
  /// The most articles that may share a key, or be linked, and still count as copies.
  static let mostCopies = 19

  /// Stores the keys of new articles, and finds their copies.
  ///
  /// Handles many articles at once, because hardly any of them has a copy.
  ///
  /// - Parameter articles: in the order of their ids, without a gap.
  /// - Returns: whether any of them may be the same as another.
  @discardableResult
  static func noteKeys(
    ofNew articles: [(id: Article.ID, keys: [Int64])], _ database: Database
  ) throws -> Bool {
    let pairs = articles.flatMap { id, keys in keys.map { (key: $0, id: id.rawValue) } }
      .sorted { $0 < $1 }
    guard !pairs.isEmpty, let first = articles.first?.id, let last = articles.last?.id
    else { return false }
    try database.insert(into: "articleKey (key, articleID)", pairs.map { [$0.key, $0.id] })
    // `+` keeps SQLite from reading the keys of all articles, in their order.
    let shared = try Int64.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT DISTINCT +own.key FROM articleKey AS own
            CROSS JOIN articleKey AS other ON other.key = own.key
              AND other.articleID <> own.articleID
          WHERE own.articleID BETWEEN ? AND ?
          """), arguments: [first, last])
    if !shared.isEmpty { try regroup(of: shared.sorted(), database) }
    return !shared.isEmpty
  }

  /// Stores the keys of an article that has changed.
  static func noteKeys(_ keys: [Int64], of id: Article.ID, _ database: Database) throws {
    let old = try Self.keys(of: id, database)
    let (lost, gained) = (Set(old).subtracting(keys), Set(keys).subtracting(old))
    guard !lost.isEmpty || !gained.isEmpty else { return }
    for key in lost {
      try database.run("DELETE FROM articleKey WHERE key = ? AND articleID = ?", [key, id])
    }
    for key in gained {
      try database.run("INSERT INTO articleKey (key, articleID) VALUES (?, ?)", [key, id])
    }
    try regroup(of: Array(lost.union(gained)), and: [id.rawValue], database)
  }

  private static func keys(of id: Article.ID, _ database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(sql: "SELECT key FROM articleKey WHERE articleID = ?"),
      arguments: [id])
  }

  private typealias Member = (id: Int64, feed: Int64)

  /// Returns the articles with a key, oldest first; stops when there are too many for copies.
  private static func members(of key: Int64, _ database: Database) throws -> [Member] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, feedID FROM articleKey CROSS JOIN article ON id = articleID WHERE key = ?
          LIMIT \(mostCopies + 2)
          """), arguments: [key]
    ).map { ($0[0], $0[1]) }
  }

  /// Finds the copies of the articles with these keys again, after other articles have got or lost
  /// one of them.
  ///
  /// Each article that gets or loses a key can decide whether the key still identifies copies.
  private static func regroup(
    of keys: [Int64], and others: [Int64] = [], _ database: Database
  ) throws {
    var ids = Set(others)
    // Each key is read once: feeds with many copies share each of theirs with many articles.
    var links: [Int64: [Member]] = [:]
    for key in keys {
      let members = try members(of: key, database)
      ids.formUnion(members.map(\.id))
      links[key] = linked(members)
    }
    // Each part that a group falls into contains one of these, from which it is found again.
    var parted = try Set(
      Int64.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT id FROM article WHERE sameAs IN (
              SELECT sameAs FROM article
              WHERE sameAs IS NOT NULL AND id IN (SELECT value FROM json_each(?)))
            """), arguments: [json(ids)]))
    var done: Set<Int64> = []
    for start in ids.sorted() where !done.contains(start) {
      var feeds: [Int64: Int64] = [:]
      feeds[start] = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT feedID FROM article WHERE id = ?"),
        arguments: [start])
      var open = [start]
      while feeds.count <= mostCopies, let id = open.popLast() {
        for key in try sharedKeys(of: id, database) {
          let members = try links[key] ?? linked(members(of: key, database))
          links[key] = members
          for member in members where feeds.updateValue(member.feed, forKey: member.id) == nil {
            open.append(member.id)
          }
        }
      }
      done.formUnion(feeds.keys)
      let areOne =
        (2...mostCopies).contains(feeds.count) && Set(feeds.values).count == feeds.count
      guard areOne else { continue }
      parted.subtract(feeds.keys)
      try join(Set(feeds.keys), as: feeds.keys.min(), database)
    }
    if !parted.isEmpty { try join(parted, as: nil, database) }
  }

  /// Returns the articles with a key if it links them, else none.
  private static func linked(_ members: [Member]) -> [Member] {
    let areCopies =
      members.count <= mostCopies && Set(members.map(\.feed)).count == members.count
    return areCopies ? members : []
  }

  /// Returns the keys of an article that others have too.
  private static func sharedKeys(of id: Int64, _ database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT key FROM articleKey AS own WHERE articleID = ?1 AND EXISTS (
            SELECT 1 FROM articleKey AS other WHERE other.key = own.key AND other.articleID <> ?1)
          """), arguments: [id])
  }

  /// Sets the number that copies share; rows that have it already are not written.
  private static func join(
    _ ids: Set<Int64>, as number: Int64?, _ database: Database
  ) throws {
    try database.run(
      """
      UPDATE article SET sameAs = ?1
      WHERE id IN (SELECT value FROM json_each(?2)) AND sameAs IS NOT ?1
      """, [number, json(ids)])
  }

  private static func json(_ ids: Set<Int64>) -> String {
    "[\(ids.sorted().map(String.init).joined(separator: ","))]"
  }

  /// Marks articles as read if the user has read a copy: an article that was read in one feed is
  /// not new in another.
  ///
  /// An article that a rule has marked as read in one feed may still be wanted in another.
  static func readCopies(of ids: [Article.ID], _ database: Database) throws {
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

  /// Records that a rule has marked articles as read.
  static func noteReadByRule(_ ids: [Article.ID], _ database: Database) throws {
    try database.execute(
      literal: """
        INSERT OR IGNORE INTO readByRule SELECT id FROM article WHERE \(among(ids))
        """)
  }

  func isReadByRule(_ id: Article.ID) async throws -> Bool {
    try await read { database in
      try database.exists("SELECT 1 FROM readByRule WHERE articleID = ?", arguments: [id])
    }
  }

  /// Forgets that a rule has marked articles as read, because the user has marked them now.
  static func forgetReadByRule(_ ids: [Article.ID], _ database: Database) throws {
    try database.execute(
      literal: """
        DELETE FROM readByRule
        WHERE articleID IN (\(ids.sql))
        """)
  }

  // MARK: In lists

  /// Applies the setting for copies to a query.
  func joined(_ query: ArticleQuery) -> ArticleQuery {
    var query = query
    if !joinsCopies.load(ordering: .relaxed) { query.showsCopies = true }
    return query
  }

  /// Creates the articles of some rows, with the names of the other feeds that carry them.
  func named(
    _ rows: [Row], _ titles: [Int64: String], _ database: Database
  ) throws -> [Article] {
    var articles = rows.map { Article($0, titles: titles) }
    var numbers: [Int: Int64] = [:]
    for (index, row) in rows.enumerated() { numbers[index] = row["sameAs"] as Int64? }
    try nameCopies(in: &articles, numbers: numbers, titles: titles, database)
    return articles
  }

  /// Adds to articles the names of the other feeds that carry them.
  ///
  /// - Parameter numbers: the articles' `sameAs` numbers by their indices in `articles`.
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

  /// Returns the feeds that carry the same articles, by `sameAs` number.
  private static func feedsOfCopies(
    _ numbers: Set<Int64>, _ database: Database
  ) throws -> [Int64: [Int64]] {
    let rows = try SQLRequest<Row>(
      literal: """
        SELECT sameAs, feedID FROM article
        WHERE sameAs IN (SELECT value FROM json_each(\(json(numbers)))) AND isMuted = 0
          AND \(FeedSelection.all.articleCondition) ORDER BY id
        """, cached: true
    ).fetchCursor(database)
    var feeds: [Int64: [Int64]] = [:]
    while let row = try rows.next() { feeds[row[0], default: []].append(row[1]) }
    return feeds
  }

  /// Counts the unread articles that each set of feeds has in common.
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
      feeds[row[0], default: []].insert(row[1])
    }
    return feeds.values.reduce(into: [:]) { counts, feeds in
      if feeds.count > 1 { counts[feeds, default: 0] += 1 }
    }
  }

  /// Counts the articles of a list that are copies of other articles in the list.
  static func copyCount(in condition: SQL, _ database: Database) throws -> Int {
    try SQLRequest<Int>(
      literal: """
        SELECT COUNT(*) - COUNT(DISTINCT sameAs) FROM article
        WHERE sameAs IS NOT NULL AND \(condition)
        """
    ).fetchOne(database) ?? 0
  }

  /// Keeps only the first stored of several copies, at the position of the first one in the list.
  static func withoutCopies(
    _ ids: [Article.ID], _ database: Database
  ) throws -> [Article.ID] {
    let rows = try SQLRequest<Row>(
      literal: "SELECT id, sameAs FROM article WHERE sameAs IS NOT NULL AND \(among(ids))"
    ).fetchAll(database)
    let numbers = Dictionary(
      uniqueKeysWithValues: rows.map { ($0[0] as Article.ID, $0[1] as Int64) })
    var first: [Int64: Article.ID] = [:]
    for (id, number) in numbers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      first[number] = first[number] ?? id
    }
    var seen: Set<Int64> = []
    return ids.compactMap { id in
      guard let number = numbers[id] else { return id }
      return seen.insert(number).inserted ? first[number] : nil
    }
  }
}

extension ArticleQuery {
  /// The condition for rows of `article` without a copy in the list which was stored earlier.
  ///
  /// - Parameter isListed: the condition for the copies, which are rows of `twin`, in the list.
  static func isFirstCopy(among isListed: SQL) -> SQL {
    """
    (article.sameAs IS NULL OR NOT EXISTS (SELECT 1 FROM article AS twin
      WHERE twin.sameAs = article.sameAs AND twin.id < article.id AND \(isListed)))
    """
  }
}
