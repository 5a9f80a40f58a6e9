import Foundation
import GRDB
import Storage

/// A mark that the user or a rule can set on an article.
enum ArticleMark: Hashable, Sendable {
  case read, starred, muted
  case tag(String)

  /// The name of the mark in the store.
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

  /// Whether the mark shows that the user wants the article, whatever a rule says: such an article
  /// is never muted.
  var isWish: Bool {
    switch self {
    case .starred: true
    case .tag(let tag): ArticleTag.isLater(tag)
    case .read, .muted: false
    }
  }

  /// The condition for articles with such a mark.
  static var isWished: SQL {
    "(isStarred = 1 OR \(ArticleCondition.tagged(ArticleTag.later).sql()))"
  }

  /// The condition for articles without the mark.
  var differs: SQL { change(to: true).where }

  /// The SQL that sets or removes the mark, and the condition for the articles that this changes.
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

/// A mark that was set or removed, with the articles that really changed.
struct MarkChange: Sendable, Hashable {
  let mark: ArticleMark
  let value: Bool
  var articles: [Article.ID]
  /// How many of ``articles`` are copies of other ones in it.
  var copies = 0

  /// The change that undoes this one.
  var inverse: MarkChange { MarkChange(mark: mark, value: !value, articles: articles) }
}

extension [MarkChange] {
  /// The changed articles, each once.
  var articles: [Article.ID] {
    count == 1
      ? self[0].articles : Set(flatMap(\.articles)).sorted { $0.rawValue < $1.rawValue }
  }

  /// How many articles the user sees as changed.
  var shownCount: Int { articles.count - (map(\.copies).max() ?? 0) }
}

extension ArticleStore {
  /// Sets or removes marks; articles that are gone are ignored.
  func mark(_ marks: [(ArticleMark, Bool)], of ids: [Article.ID]) async throws -> [MarkChange] {
    try await mark(marks, where: Self.among(ids), named: ids)
  }

  /// Marks all articles of a list as read.
  ///
  /// - Parameter newest: articles with a higher id arrived after the list was shown, so the user
  ///   has not seen them.
  func markRead(_ query: ArticleQuery, newest: Article.ID?) async throws -> [MarkChange] {
    var query = query
    query.showsCopies = true
    // `+id` keeps SQLite from reading all articles up to the newest.
    return try await mark(
      [(.read, true)],
      where: "isRead = 0 AND \(query.condition) AND +id <= \(newest?.rawValue ?? .max)")
  }

  private func mark(
    _ marks: [(ArticleMark, Bool)], where condition: SQL, named ids: [Article.ID] = []
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
        // Also for articles that already had the mark: now the user has set it.
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

  /// Undoes changes of marks; articles that are gone for good are ignored.
  ///
  /// - Returns: the changes that were undone; marks that have changed since are not among them.
  func takeBack(_ changes: [MarkChange]) async throws -> [MarkChange] {
    try await write(durability: .disk) { try Self.takeBack(changes, $0) }
  }

  static func takeBack(_ changes: [MarkChange], _ database: Database) throws -> [MarkChange] {
    // Mutes last: an article that was muted, then got a star and has lost it again, is muted again.
    try changes.sorted { $0.mark != .muted && $1.mark == .muted }.map { change in
      try restoreDropped(by: change, database)
      let isToBeMuted = change.mark == .muted && !change.value
      var taken = try set(
        change.mark, !change.value,
        where: "\(among(change.articles)) AND (\(!isToBeMuted) OR NOT \(ArticleMark.isWished))",
        database)
      if change.copies > 0 { taken.copies = try copyCount(in: among(taken.articles), database) }
      return taken
    }
  }

  /// Returns the tags of articles by id.
  func tags(of ids: [Article.ID]) async throws -> [Article.ID: [String]] {
    try await read { database in
      try Dictionary(
        uniqueKeysWithValues: SQLRequest<Row>(
          literal: "SELECT id, tags FROM article WHERE \(Self.among(ids))"
        ).fetchCursor(database).map { ($0[0], NameList.names($0[1])) })
    }
  }

  /// Returns the names of all tags as they are written, also of those that are not listed.
  func tagNames() async throws -> [String] {
    try await read(Self.tagNames)
  }

  static func tagNames(_ database: Database) throws -> [String] {
    let lists = try String.fetchSet(
      database, sql: "SELECT DISTINCT tags FROM article WHERE tags <> ''")
    return Set(lists.flatMap { NameList.names($0) }).sorted()
  }

  /// Returns all tags that articles have in some list, sorted by name.
  func articleTags() async throws -> [ArticleTag] {
    let joinsCopies = joinsCopies.load(ordering: .relaxed)
    return try await read { database in
      // A list shows an article of several feeds once if at least one of its copies matches.
      var (copies, unreadCopies): (Set<[String]>, Set<[String]>) = ([], [])
      var tags: [String: ArticleTag] = [:]
      let rows = try SQLRequest<Row>(
        literal: """
          SELECT tags, isRead, sameAs FROM article
          WHERE tags <> '' AND isMuted = 0
            AND (\(FeedSelection.all.articleCondition) OR \(ArticleMark.isWished))
          ORDER BY +id
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

  static func among(_ ids: [Article.ID]) -> SQL {
    "id IN (\(ids.sql))"
  }

  /// Sets or removes a mark of the articles that fulfil a condition and differ.
  static func set(
    _ mark: ArticleMark, _ value: Bool, where condition: SQL, _ database: Database
  ) throws -> MarkChange {
    let (change, differs) = mark.change(to: value)
    let articles = try SQLRequest<Article.ID>(
      literal: "UPDATE article SET \(change) WHERE \(differs) AND \(condition) RETURNING id"
    ).fetchAll(database)
    let marked = MarkChange(mark: mark, value: value, articles: articles)
    try post(marked, database)
    return marked
  }

  /// Sets or removes a mark of the articles that fulfil a condition, and of their copies in other
  /// feeds.
  ///
  /// - Parameter ids: articles whose copies are marked even if they already have the mark from a
  ///   rule.
  private static func setAll(
    _ mark: ArticleMark, _ value: Bool, where condition: SQL, named ids: [Article.ID],
    _ database: Database
  ) throws -> MarkChange {
    var change = try set(mark, value, where: condition, database)
    let meant = Array(Set(change.articles).union(ids))
    guard !meant.isEmpty else { return change }
    change.articles += try setCopies(mark, value, of: meant, database).articles
    change.copies = try copyCount(in: among(change.articles), database)
    return change
  }

  /// Sets or removes a mark of the copies alone.
  static func setCopies(
    _ mark: ArticleMark, _ value: Bool, of ids: [Article.ID], _ database: Database
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
        arguments: [id]
      ).map { ReadingPosition(block: $0[0], offset: $0[1]) }
    }
  }

  /// Stores where the user stopped reading; does nothing when the article is gone, or is opened with
  /// another text than `source`.
  func setPosition(
    _ position: ReadingPosition?, of id: Article.ID, in source: TextSource? = nil
  ) async throws {
    try await write { database in
      let opened: TextSource = try Self.fullText(of: id, database) == nil ? .feed : .page
      guard source ?? opened == opened else { return }
      guard let position else {
        return try database.run("DELETE FROM articlePosition WHERE articleID = ?", [id])
      }
      try database.run(
        """
        INSERT OR REPLACE INTO articlePosition (articleID, block, offset)
        SELECT id, ?, ? FROM article WHERE id = ?
        """, [position.block, position.offset, id])
    }
  }
}
