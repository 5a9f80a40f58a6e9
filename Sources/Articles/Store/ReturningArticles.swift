import GRDB

/// Articles of a feed that may come back under other guids: from a server, or from the feed itself
/// after its account was removed.
///
/// They are found by their guid, by their link and title, or by a link that is only theirs: podcasts
/// often link every episode to the same page. Each is found once.
struct ReturningArticles {
  private enum Key: Hashable {
    case guid(String)
    case entry(link: String, title: String)
    case link(String)

    static func all(guid: String, link: String?, title: String) -> [Key] {
      [.guid(guid)] + (link.map { [.entry(link: $0, title: title), .link($0)] } ?? [])
    }
  }

  /// Nil for a key that several articles have.
  private var articles: [Key: Article.ID?] = [:]
  private var found: Set<Article.ID> = []

  /// - Parameters:
  ///   - stored: the id, guid, link and title of each article that may come back.
  ///   - offered: the articles that come.
  init(_ stored: RowCursor, offered: some Sequence<ParsedArticle>) throws {
    func add(_ id: Article.ID?, _ keys: [Key]) {
      for key in keys { articles[key] = .some(articles[key] == nil ? id : nil) }
    }
    while let row = try stored.next() {
      add(row[0], Key.all(guid: row[1], link: row[2], title: row[3]))
    }
    guard !articles.isEmpty else { return }
    var seen: Set<Key> = []
    for article in offered {
      for key in Key.all(guid: article.guid, link: article.link, title: article.title)
      where articles[key] != nil && !seen.insert(key).inserted {
        articles[key] = .some(nil)
      }
    }
  }

  /// Returns the article that comes back as this one, unless it was returned before.
  mutating func take(_ article: ParsedArticle) -> Article.ID? {
    let keys = Key.all(guid: article.guid, link: article.link, title: article.title)
    guard let id = keys.lazy.compactMap({ [articles] in articles[$0] ?? nil }).first,
      found.insert(id).inserted
    else { return nil }
    return id
  }
}
