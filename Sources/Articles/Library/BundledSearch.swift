import Foundation
import GRDB

/// Searches the bundled feed in a private store in memory, so that words, phrases and scripts are
/// found in the same way as in stored feeds.
actor BundledSearch {
  private struct Index {
    let store: ArticleStore
    /// The bundled articles by their ids in the private store.
    let articles: [Article.ID: Article]
  }

  // Created by the first search, so that the program's start does not wait for it.
  private var index: Index?

  func results(
    of condition: ArticleCondition, in feed: BundledFeed, matching query: ArticleQuery, limit: Int
  ) async throws -> [SearchResult] {
    let index = try await index(of: feed)
    let listed = Set(feed.articles(matching: query).map(\.id))
    return try await index.store.search(condition, in: ArticleQuery(), limit: limit)
      .compactMap { result in
        guard let article = index.articles[result.id], listed.contains(article.id) else {
          return nil
        }
        return SearchResult(article: article, title: result.title, snippet: result.snippet)
      }
  }

  /// Returns the articles of a list, in the order of the feed.
  func articles(in feed: BundledFeed, matching query: ArticleQuery) async throws -> [Article] {
    guard let condition = query.where else { return feed.articles(matching: query) }
    let index = try await index(of: feed)
    let found = try await index.store.articles(matching: ArticleQuery(where: condition))
    let ids = Set(found.compactMap { index.articles[$0.id]?.id })
    var listed = query
    listed.limit = nil
    let articles = feed.articles(matching: listed).filter { ids.contains($0.id) }
    return Array(articles.prefix(query.limit ?? articles.count))
  }

  private func index(of feed: BundledFeed) async throws -> Index {
    if let index { return index }
    let store = try ArticleStore.inMemory()
    guard let stored = try await store.insertFeed(address: feed.summary.feed.address) else {
      throw LibraryError.noSuchFeed()
    }
    _ = try await store.save(
      feed.prepared, of: stored.id, at: Date(timeIntervalSince1970: 0))
    while try await store.index(limit: 100) {}
    let guids = try await store.write { database in
      // Bundled articles have no marks and count as read.
      try database.run("UPDATE article SET isRead = 1")
      return try Row.fetchAll(database, sql: "SELECT id, guid FROM article")
        .map { (id: $0["id"] as Article.ID, guid: $0["guid"] as String) }
    }
    let known = Dictionary(uniqueKeysWithValues: feed.articles.map { ($0.id, $0) })
    var articles: [Article.ID: Article] = [:]
    for row in guids { articles[row.id] = known[BundledFeed.articleID(row.guid)] }
    let index = Index(store: store, articles: articles)
    self.index = index
    return index
  }
}
