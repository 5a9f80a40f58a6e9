import Foundation
import GRDB

/// The articles that the actions of a set of rules apply to.
///
/// All conditions are evaluated before anything is changed, so the order of the rules makes no
/// difference. A star wins: an article that one rule stars, or tags to be read later, is not muted
/// by another.
private struct RuledArticles {
  private(set) var articles: [ArticleRule.Action: Set<Article.ID>] = [:]

  /// - Parameter ids: returns the articles that fulfil a condition.
  init(_ rules: RulesInForce, ids: (ArticleCondition) throws -> [Article.ID]) throws {
    for rule in rules.rules {
      let ids = try ids(rule.condition)
      for action in rule.actions { articles[action, default: []].formUnion(ids) }
    }
    let wanted = articles.filter { $0.key.mark.isWish }.values.reduce(into: Set()) {
      $0.formUnion($1)
    }
    articles[.mute]?.subtract(wanted)
  }

  /// The condition for the articles that an action may change.
  func condition(of action: ArticleRule.Action) -> SQL {
    let meant: SQL = "id IN (\(Array(articles[action] ?? []).sql))"
    return action == .mute ? "\(meant) AND NOT \(ArticleMark.isWished)" : meant
  }

  /// Carries out the actions.
  ///
  /// - Returns: the changes.
  func carryOut(in database: Database) throws -> [MarkChange] {
    // Mutes last: an article that gets a star is not muted.
    try articles.keys.sorted { $0 != .mute && $1 == .mute }.map { action in
      let change = try ArticleStore.set(
        action.mark, true, where: condition(of: action), database)
      if action == .read { try ArticleStore.noteReadByRule(change.articles, database) }
      return change
    }
  }
}

extension ArticleRule.Action {
  fileprivate var mark: ArticleMark {
    switch self {
    case .mute: .muted
    case .read: .read
    case .star: .starred
    case .tag(let tag): .tag(tag)
    }
  }
}

extension RuleOutcome {
  fileprivate init(_ changes: [MarkChange]) {
    for change in changes {
      let count = change.articles.count
      switch (change.mark, change.value) {
      case (.muted, true): muted += count
      case (.muted, false): unmuted += count
      case (.read, _): read += count
      case (.starred, _): starred += count
      case (.tag, _): tagged += count
      }
    }
  }
}

extension ArticleStore {
  // MARK: On arrival

  /// Applies rules to articles that were just stored, in the same transaction.
  ///
  /// - Parameter arrived: the articles with their words, which may be missing if no rule looks for
  ///   words. They are not in the search index yet, so the rules search a temporary index.
  /// - Returns: how many were muted.
  static func apply(
    _ rules: RulesInForce, to arrived: [(id: Article.ID, words: SearchWords?)], _ database: Database
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
        try database.run(
          "INSERT INTO arrival (rowid, title, author, body) VALUES (?, ?, ?, ?)",
          [id, words.title, words.author, words.body])
      }
    }
    let new: SQL = "id IN (\(arrived.map(\.id).sql))"
    let ruled = try RuledArticles(rules) { condition in
      try SQLRequest(
        literal: "SELECT id FROM article WHERE \(new) AND \(condition.sql(index: "arrival"))"
      ).fetchAll(database)
    }
    return try RuleOutcome(ruled.carryOut(in: database)).muted
  }

  // MARK: On stored articles

  /// Returns, for each rule, how many articles fulfil its condition and which of them it would
  /// change.
  ///
  /// Muted articles are included.
  func effects(of rules: RulesInForce) async throws -> [(matches: Int, changes: [Article])] {
    try await searcher.read { database, _ in
      let ruled = try Self.ruled(by: rules, database)
      let titles = try Self.feedTitles(database)
      return try rules.rules.map { rule in
        let condition: SQL = "\(Self.stays) AND \(rule.condition.sql())"
        let matches = try SQLRequest<Int>(
          literal: "SELECT COUNT(*) FROM article WHERE \(condition)"
        ).fetchOne(database)
        let changes = rule.actions.map {
          "(\($0.mark.differs) AND \(ruled.condition(of: $0)))" as SQL
        }
        let rows = try SQLRequest<Row>(
          literal: """
            SELECT \(sql: Self.columns) FROM article
            WHERE \(condition) AND (\(changes.joined(separator: " OR ")))
            ORDER BY \(ArticleOrder.newest.sql)
            """
        ).fetchAll(database)
        return (matches ?? 0, rows.map { Article($0, titles: titles) })
      }
    }
  }

  private static func ruled(by rules: RulesInForce, _ database: Database) throws -> RuledArticles {
    try RuledArticles(rules) { condition in
      try SQLRequest(
        literal: "SELECT id FROM article WHERE \(stays) AND \(condition.sql())"
      ).fetchAll(database)
    }
  }

  /// Applies rules to all stored articles in one transaction.
  ///
  /// Articles that no rule mutes any more are unmuted; stars and read marks stay. The changes are
  /// recorded for ``takeBackRules()``, unless there were none.
  func apply(_ rules: RulesInForce) async throws -> RuleOutcome {
    try await write(durability: .disk) { database in
      let ruled = try Self.ruled(by: rules, database)
      let muted = Array(ruled.articles[.mute] ?? [])
      let unmuted = try Self.set(
        .muted, false,
        where: "\(Self.stays) AND (\(ArticleMark.isWished) OR id NOT IN (\(muted.sql)))", database)
      let changes = try [unmuted] + ruled.carryOut(in: database)
      guard changes.contains(where: { !$0.articles.isEmpty }) else { return RuleOutcome() }
      try database.run("DELETE FROM ruleChange")
      for change in changes {
        for id in change.articles {
          try database.run(
            "INSERT INTO ruleChange (articleID, mark, value) VALUES (?, ?, ?)",
            [id, change.mark.name, change.value])
        }
      }
      return RuleOutcome(changes)
    }
  }

  /// Undoes the last changes of ``apply(_:)``, except for marks that have changed since.
  ///
  /// - Returns: what was undone.
  func takeBackRules() async throws -> RuleOutcome {
    try await write(durability: .disk) { database in
      var articles: [MarkChange] = []
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT mark, value, json_group_array(articleID) FROM ruleChange GROUP BY mark, value
          """)
      for row in rows {
        guard let mark = ArticleMark(name: row[0]) else { continue }
        let ids = try JSONDecoder().decode([Int64].self, from: Data((row[2] as String).utf8))
        articles.append(
          MarkChange(
            mark: mark, value: row[1], articles: ids.map(Article.ID.init(rawValue:))))
      }
      let changes = try Self.takeBack(articles, database)
      try database.run("DELETE FROM ruleChange")
      return RuleOutcome(changes.map(\.inverse))
    }
  }

  /// Rules ignore the articles of removed feeds.
  private static let stays = FeedSelection.all.articleCondition
}
