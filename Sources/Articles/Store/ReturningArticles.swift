import GRDB

/// Articles of a feed that may come back under other guids: from a server, or from the feed itself
/// after its account was removed.
///
/// They are found by their guid, by their link and title, or by a link that is only theirs: podcasts
/// often link every episode to the same page. Where one side has no link, they are found by their
/// title and date: a server may give a link of its own to an article that has none. Each is found
/// once. What other articles of the feed have, too, identifies none.
struct ReturningArticles {
  private enum Key: Hashable {
    case guid(String)
    case entry(link: String, title: String)
    case link(String)
    /// In whole seconds since 1970: servers keep no fractions.
    case dated(Double, title: String)

    /// All keys of an article, the best ones first.
    static func all(guid: String, link: String?, title: String, published: Double?) -> [Key] {
      [.guid(guid)] + (link.map { [.entry(link: $0, title: title), .link($0)] } ?? [])
        + (published.map { [.dated($0.rounded(.down), title: title)] } ?? [])
    }

    static func all(of article: ParsedArticle) -> [Key] {
      all(
        guid: article.guid, link: article.link, title: article.title,
        published: article.published?.timeIntervalSince1970)
    }
  }

  /// Nil for a key that several articles have.
  private var articles: [Key: Article.ID?] = [:]
  private var withoutLink: Set<Article.ID> = []
  private var found: Set<Article.ID> = []

  /// Whether the feed has no articles that may come back.
  var isEmpty: Bool { articles.isEmpty }

  /// - Parameters:
  ///   - mayReturn: the condition for articles of the feed that may come back.
  ///   - offered: the articles that come.
  init(
    of feed: Feed.ID, where mayReturn: SQL, offered: some Sequence<ParsedArticle>,
    _ database: Database
  ) throws {
    func rows(_ condition: SQL) throws -> RowCursor {
      try SQLRequest<Row>(
        literal: """
          SELECT id, guid, link, title, published FROM article
          WHERE feedID = \(feed) AND \(condition)
          """, cached: true
      ).fetchCursor(database)
    }
    func keys(_ row: Row) -> [Key] {
      Key.all(guid: row[1], link: row[2], title: row[3], published: row[4])
    }
    let returning = try rows(mayReturn)
    while let row = try returning.next() {
      for key in keys(row) { articles[key] = .some(articles[key] == nil ? row[0] : nil) }
      if (row[2] as String?) == nil { withoutLink.insert(row[0]) }
    }
    guard !articles.isEmpty else { return }
    let others = try rows("NOT (\(mayReturn))")
    while let row = try others.next() {
      for key in keys(row) where articles[key] != nil { articles[key] = .some(nil) }
    }
    var seen: Set<Key> = []
    for article in offered {
      for key in Key.all(of: article)
      where articles[key] != nil && !seen.insert(key).inserted {
        articles[key] = .some(nil)
      }
    }
  }

  /// Returns the article that comes back as this one, unless it was returned before.
  mutating func take(_ article: ParsedArticle) -> Article.ID? {
    guard !isEmpty else { return nil }
    for key in Key.all(of: article) {
      guard let id = match(key, article) else { continue }
      return found.insert(id).inserted ? id : nil
    }
    return nil
  }

  private func match(_ key: Key, _ article: ParsedArticle) -> Article.ID? {
    guard let id = articles[key] ?? nil else { return nil }
    // Two links say more than a title and a date.
    if case .dated = key, article.link != nil, !withoutLink.contains(id) { return nil }
    return id
  }
}
