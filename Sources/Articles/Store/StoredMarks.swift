import Foundation
import GRDB
import Storage

/// What an article can be marked with, by the user or by a rule.
enum ArticleMark: Hashable, Sendable {
  case read, starred, muted
  case tag(String)

  /// What it is called in the store.
  var name: String {
    switch self {
    case .read: "isRead"
    case .starred: "isStarred"
    case .muted: "isMuted"
    case .tag(let tag): "tag:" + tag
    }
  }

  init?(name: String) {
    switch name {
    case "isRead": self = .read
    case "isStarred": self = .starred
    case "isMuted": self = .muted
    default:
      guard name.hasPrefix("tag:") else { return nil }
      self = .tag(String(name.dropFirst(4)))
    }
  }

  /// Whether what has it is wanted, whatever a rule says of it: such an article is never muted.
  var isWish: Bool {
    switch self {
    case .starred: true
    case .tag(let tag): FoldedText.folded(tag) == ArticleTag.later
    case .read, .muted: false
    }
  }

  /// The articles that have such a mark.
  static var isWished: SQL {
    "(isStarred = 1 OR \(ArticleCondition.tagged(ArticleTag.later).sql()))"
  }

  /// The articles that do not have it.
  var differs: SQL { change(to: true).where }

  /// What gives it to articles or takes it from them, and the articles of which that changes something.
  func change(to value: Bool) -> (SQL, where: SQL) {
    let separator = NameList.separator
    switch self {
    case .read: return ("isRead = \(value)", "isRead <> \(value)")
    case .starred: return ("isStarred = \(value)", "isStarred <> \(value)")
    case .muted: return ("isMuted = \(value)", "isMuted <> \(value)")
    case .tag(let tag) where value:
      return (
        "tags = CASE tags WHEN '' THEN \(tag) ELSE tags || \(separator + tag) END",
        "NOT \(ArticleCondition.tagged(tag).sql())"
      )
    case .tag(let tag):
      let inner = separator + tag + separator
      return (
        """
        tags = trim(replace(\(separator) || tags || \(separator), \(inner), \(separator)),
          \(separator))
        """,
        "tags <> '' AND instr(\(separator) || tags || \(separator), \(inner))"
      )
    }
  }
}

/// Marks that were really changed: those that had been so before are not among them.
struct MarkChange: Sendable, Hashable {
  let mark: ArticleMark
  let value: Bool
  var articles: [Int64]
  /// How many of these are copies of others of them.
  var copies = 0

  /// What it takes back, or what takes it back.
  var inverse: MarkChange { MarkChange(mark: mark, value: !value, articles: articles) }
}

extension [MarkChange] {
  /// Those that were changed, each once.
  var articles: [Int64] {
    count == 1 ? self[0].articles : Array<Int64>(Set(flatMap(\.articles))).sorted()
  }

  /// How many the user takes them for.
  var shownCount: Int { articles.count - (map(\.copies).max() ?? 0) }
}

extension ArticleStore {
  /// Sets or removes marks; articles that are gone are passed over.
  func mark(_ marks: [(ArticleMark, Bool)], of ids: [Int64]) async throws -> [MarkChange] {
    try await mark(marks, where: Self.among(ids), named: ids)
  }

  /// Marks all articles of a list as read.
  ///
  /// - Parameter newest: those with a higher id came after the list was made: nobody has seen them.
  func markRead(_ query: ArticleQuery, newest: Int64?) async throws -> [MarkChange] {
    var query = query
    query.showsCopies = true
    return try await mark(
      [(.read, true)], where: "isRead = 0 AND \(query.condition) AND id <= \(newest ?? .max)")
  }

  private func mark(
    _ marks: [(ArticleMark, Bool)], where condition: SQL, named ids: [Int64] = []
  ) async throws -> [MarkChange] {
    let joinsCopies = joinsCopies.load(ordering: .relaxed)
    return try await write(durability: .disk) { database in
      var changes: [MarkChange] = []
      for (mark, value) in marks {
        let change =
          if joinsCopies {
            try Self.setAll(mark, value, where: condition, named: ids, database)
          } else {
            try Self.set(mark, value, where: condition, database)
          }
        // Also of those that had been so before: now the user says it.
        if mark == .read { try Self.forgetReadByRule(ids + change.articles, database) }
        changes.append(change)
        if mark.isWish, value {
          changes.append(
            try Self.set(.muted, false, where: Self.among(change.articles), database))
        }
      }
      return changes.filter { !$0.articles.isEmpty }
    }
  }

  /// Makes marks what they were before they were changed; articles that are gone are passed over.
  ///
  /// - Returns: what had still been so.
  func takeBack(_ changes: [MarkChange]) async throws -> [MarkChange] {
    try await write(durability: .disk) { try Self.takeBack(changes, $0) }
  }

  static func takeBack(_ changes: [MarkChange], _ database: Database) throws -> [MarkChange] {
    // Muting comes last: what was muted before it got a star, and has none again, is muted again.
    try changes.sorted { $0.mark != .muted && $1.mark == .muted }.map { change in
      let isToBeMuted = change.mark == .muted && !change.value
      return try set(
        change.mark, !change.value,
        where: "\(among(change.articles)) AND (\(!isToBeMuted) OR NOT \(ArticleMark.isWished))",
        database)
    }
  }

  /// The tags that articles have, by their numbers.
  func tags(of ids: [Int64]) async throws -> [Article.ID: [String]] {
    try await read { database in
      let rows = try SQLRequest<Row>(
        literal: "SELECT id, tags FROM article WHERE \(Self.among(ids))"
      ).fetchAll(database)
      return Dictionary(
        uniqueKeysWithValues: rows.map {
          (Article.ID(rawValue: $0[0]), NameList.names($0[1]))
        })
    }
  }

  /// The tags of all articles, by name.
  func articleTags() async throws -> [ArticleTag] {
    let joinsCopies = joinsCopies.load(ordering: .relaxed)
    return try await read { database in
      // A list has an article of several feeds once if one of its copies is in it.
      var (copies, unreadCopies): (Set<[String]>, Set<[String]>) = ([], [])
      var tags: [String: ArticleTag] = [:]
      let rows = try SQLRequest<Row>(
        literal: """
          SELECT tags, isRead, sameAs FROM article WHERE tags <> '' AND isMuted = 0 ORDER BY id
          """
      ).fetchCursor(database)
      while let row = try rows.next() {
        for name in NameList.names(row[0]) {
          let copy = joinsCopies ? (row[2] as Int64?).map { [name, String($0)] } : nil
          if copy.map({ copies.insert($0).inserted }) ?? true {
            tags[name, default: ArticleTag(name: name)].articleCount += 1
          }
          if !(row[1] as Bool), copy.map({ unreadCopies.insert($0).inserted }) ?? true {
            tags[name]?.unreadCount += 1
          }
        }
      }
      return tags.values.sorted { FoldedText.folded($0.name) < FoldedText.folded($1.name) }
    }
  }

  static func among(_ ids: [Int64]) -> SQL {
    "id IN (\(ids.map(Article.ID.init(rawValue:)).sql))"
  }

  /// Sets or removes a mark of those articles that fulfil a condition, where it is not so already.
  static func set(
    _ mark: ArticleMark, _ value: Bool, where condition: SQL, _ database: Database
  ) throws -> MarkChange {
    let (change, differs) = mark.change(to: value)
    let articles = try SQLRequest<Int64>(
      literal: "UPDATE article SET \(change) WHERE \(differs) AND \(condition) RETURNING id"
    ).fetchAll(database)
    let marked = MarkChange(mark: mark, value: value, articles: articles)
    try post(marked, database)
    return marked
  }

  /// The same, and of their copies in other feeds.
  ///
  /// - Parameter ids: those whose copies are marked even where they have the mark already, by a rule.
  private static func setAll(
    _ mark: ArticleMark, _ value: Bool, where condition: SQL, named ids: [Int64],
    _ database: Database
  ) throws -> MarkChange {
    var change = try set(mark, value, where: condition, database)
    let meant = Array(Set(change.articles).union(ids))
    guard !meant.isEmpty else { return change }
    change.articles += try setCopies(mark, value, of: meant, database).articles
    change.copies = try copyCount(in: among(change.articles), database)
    return change
  }

  /// The same, of the copies alone.
  static func setCopies(
    _ mark: ArticleMark, _ value: Bool, of ids: [Int64], _ database: Database
  ) throws -> MarkChange {
    let copies: SQL = """
      sameAs IN (SELECT sameAs FROM article WHERE sameAs IS NOT NULL AND \(among(ids)))
      """
    return try set(mark, value, where: copies, database)
  }

  // MARK: Where the reading stopped

  func position(of id: Article.ID) async throws -> ReadingPosition? {
    try await read { database in
      try Row.fetchOne(
        database, sql: "SELECT block, offset FROM articlePosition WHERE articleID = ?",
        arguments: [id.rawValue]
      ).map { ReadingPosition(block: $0[0], offset: $0[1]) }
    }
  }

  /// Does nothing when the article is gone.
  func setPosition(_ position: ReadingPosition?, of id: Article.ID) async throws {
    try await write { database in
      guard let position else {
        return try database.execute(
          sql: "DELETE FROM articlePosition WHERE articleID = ?", arguments: [id.rawValue])
      }
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO articlePosition (articleID, block, offset)
          SELECT id, ?, ? FROM article WHERE id = ?
          """, arguments: [position.block, position.offset, id.rawValue])
    }
  }
}
