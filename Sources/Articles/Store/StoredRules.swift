import Foundation
import GRDB

/// The articles that rules are about.
///
/// All conditions are looked at before anything is changed, so the order of rules makes no difference.
private struct RuledArticles {
  private(set) var muted: Set<Int64> = []
  private(set) var read: Set<Int64> = []
  private(set) var starred: Set<Int64> = []

  /// - Parameter ids: returns the articles that fulfil a condition.
  init(_ rules: RulesInForce, ids: (ArticleCondition) throws -> [Int64]) throws {
    for rule in rules.rules {
      let ids = try ids(rule.condition)
      for action in rule.actions {
        switch action {
        case .mute: muted.formUnion(ids)
        case .read: read.formUnion(ids)
        case .star: starred.formUnion(ids)
        }
      }
    }
  }
}

extension [Int64] {
  fileprivate var sql: SQL { map(Article.ID.init(rawValue:)).sql }
}

extension ArticleStore {
  // MARK: On arrival

  /// The words of the articles of a feed that are not stored yet, by what the feed calls them: for
  /// rules that look for words.
  func words(ofNewIn feed: PreparedFeed, of id: Feed.ID) async throws -> [String: SearchWords] {
    let known = try await read { database in
      try Set(
        String.fetchCursor(
          database, sql: "SELECT guid FROM article WHERE feedID = ?", arguments: [id.rawValue]))
    }
    let new = feed.articles.lazy.map(\.content).filter { !known.contains($0.guid) }
    return Dictionary(uniqueKeysWithValues: new.map { ($0.guid, SearchWords($0)) })
  }

  /// Applies rules to articles that were stored a moment ago, in the same transaction.
  ///
  /// - Parameter arrived: the articles with their words, which may be missing where no rule looks for
  ///   words. They are not in the index of the search yet, so those are looked for in one of their own.
  /// - Returns: how many are muted.
  static func apply(
    _ rules: RulesInForce, to arrived: [(id: Int64, words: SearchWords?)], _ database: Database
  ) throws -> Int {
    guard !rules.isEmpty, !arrived.isEmpty else { return 0 }
    if rules.haveWords {
      try database.execute(
        sql: """
          CREATE VIRTUAL TABLE IF NOT EXISTS temp.arrival USING fts5(
            title, author, body, content = '',
            tokenize = "\(SearchText.tokenizer.map { "'\($0)'" }.joined(separator: " "))");
          INSERT INTO arrival (arrival) VALUES ('delete-all');
          """)
      for (id, words) in arrived {
        guard let words else { continue }
        try database.cachedStatement(
          sql: "INSERT INTO arrival (rowid, title, author, body) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [id, words.title, words.author, words.body])
      }
    }
    let new: SQL = "id IN (\(arrived.map(\.id).sql))"
    let ruled = try RuledArticles(rules) { condition in
      try SQLRequest(
        literal: "SELECT id FROM article WHERE \(new) AND \(condition.sql(index: "arrival"))"
      ).fetchAll(database)
    }
    for (column, ids) in [
      ("isMuted", ruled.muted), ("isRead", ruled.read), ("isStarred", ruled.starred),
    ] where !ids.isEmpty {
      try database.execute(
        literal: "UPDATE article SET \(sql: column) = 1 WHERE id IN (\(Array(ids).sql))")
    }
    return ruled.muted.count
  }

  // MARK: To what is stored

  /// How many articles fulfil a rule's condition, and which of them it would change.
  ///
  /// Those that are muted are among them.
  func effect(of rule: RulesInForce.Rule) async throws -> (matches: Int, changes: [Article]) {
    try await searcher.read { database, search in
      try search.check()
      let condition = rule.condition.sql()
      let matches = try SQLRequest<Int>(
        literal: "SELECT COUNT(*) FROM article WHERE \(Self.stays) AND \(condition)"
      ).fetchOne(database)
      let changes = rule.actions.sorted { $0.rawValue < $1.rawValue }.map { $0.changes }
      let titles = try Self.feedTitles(database)
      let rows = try SQLRequest<Row>(
        literal: """
          SELECT \(sql: Self.columns) FROM article
          WHERE \(Self.stays) AND \(condition) AND (\(changes.joined(separator: " OR ")))
          ORDER BY \(ArticleOrder.newest.sql)
          """
      ).fetchAll(database)
      return (matches ?? 0, rows.map { Article($0, titles: titles) })
    }
  }

  /// Applies rules to everything that is stored, all of it or nothing.
  ///
  /// What was muted and is not meant by any rule any more is not muted afterwards; stars and read
  /// marks stay.
  func apply(_ rules: RulesInForce) async throws -> RuleOutcome {
    try await write(durability: .disk) { database in
      let ruled = try RuledArticles(rules) { condition in
        try SQLRequest(
          literal: "SELECT id FROM article WHERE \(Self.stays) AND \(condition.sql())"
        ).fetchAll(database)
      }
      func change(_ change: SQL, where condition: SQL) throws -> Int {
        try database.execute(literal: "UPDATE article SET \(change) WHERE \(condition)")
        return database.changesCount
      }
      var outcome = RuleOutcome()
      let (muted, read, starred) = (
        Array(ruled.muted).sql, Array(ruled.read).sql, Array(ruled.starred).sql
      )
      outcome.starred = try change(
        "isStarred = 1", where: "isStarred = 0 AND id IN (\(starred))")
      outcome.read = try change("isRead = 1", where: "isRead = 0 AND id IN (\(read))")
      outcome.unmuted = try change(
        "isMuted = 0", where: "isMuted = 1 AND (isStarred = 1 OR id NOT IN (\(muted)))")
      outcome.muted = try change(
        "isMuted = 1", where: "isMuted = 0 AND isStarred = 0 AND id IN (\(muted))")
      return outcome
    }
  }

  /// Rules are about the articles of feeds that are there.
  private static let stays = FeedSelection.all.articleCondition
}

extension ArticleRule.Action {
  /// Which articles it would change.
  fileprivate var changes: SQL {
    switch self {
    // What has a star is wanted.
    case .mute: "isMuted = 0 AND isStarred = 0"
    case .read: "isRead = 0"
    case .star: "isStarred = 0"
    }
  }
}
