import Foundation
import Loading

extension Library {
  /// The articles of a list as they are stored.
  ///
  /// It fetches nothing: ``articles(in:refresh:)`` does.
  public func articles(matching query: ArticleQuery) -> Loader<[Article]> {
    Loader { [self] _ in try await storedArticles(matching: query) }
  }

  /// The same without a loader, for commands.
  ///
  /// - Throws: ``StoreError``.
  public func storedArticles(matching query: ArticleQuery) async throws -> [Article] {
    if let bundled = try await bundledIfAlone(for: query) {
      return try await bundledSearch.articles(in: bundled, matching: query)
    }
    try await index(for: query.where)
    let kept = query.keptSince.map { change in log.withLock { $0.articlesRead(after: change) } }
    return try await store.articles(matching: query, keeping: kept ?? [])
  }

  /// The first articles of a long list, as they are stored: it takes the same time however many the list
  /// has, where its order is that of an index.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - length: how many articles a list has at most that is read at once: of such a one there are
  ///     none.
  public func beginning(
    of query: ArticleQuery, count: Int, ifLongerThan length: Int
  ) -> Loader<[Article]> {
    Loader { [self] _ in
      guard try await store.hasMore(than: length, matching: query) else { return [] }
      var query = query
      query.limit = count
      return try await store.articles(matching: query)
    }
  }

  /// How many articles the lists across all feeds have; those of the feeds are in ``feeds()``.
  ///
  /// - Parameter since: when the day began.
  public func counts(since: Date) -> Loader<ArticleCounts> {
    Loader { [self] _ in try await store.counts(since: since) }
  }

  /// The folders that screens show without what is in them.
  public func closedFolders() -> Loader<Set<FeedFolder>> {
    Loader { [self] _ in try await store.closedFolders() }
  }

  /// Stores that a folder is closed, or open.
  ///
  /// - Throws: ``StoreError``.
  public func setFolder(_ folder: FeedFolder, isClosed: Bool) async throws {
    try await store.setFolder(folder, isClosed: isClosed)
  }

  /// How screens show lists.
  public func listArrangements() -> Loader<ListArrangements> {
    Loader { [self] _ in try await store.listArrangements() }
  }

  /// Stores a change of how screens show lists.
  ///
  /// - Throws: ``StoreError``.
  public func arrange(_ change: ArrangementChange) async throws {
    try await store.arrange(change)
  }

  /// Forgets how a list is shown that is gone.
  ///
  /// - Throws: ``StoreError``.
  public func forgetArrangement(of list: String) async throws {
    try await store.forgetArrangements(of: [list])
  }

  /// What to read after an article: the next unread one below it, or else the first one.
  ///
  /// Nil when there is none but itself.
  ///
  /// - Throws: ``StoreError``.
  public func nextUnread(
    after id: Article.ID? = nil, in feeds: FeedSelection = .all
  ) async throws -> Article? {
    try await store.nextUnread(after: id, in: feeds)
  }

  /// An article with its text, all at once; also one of the bundled feed.
  ///
  /// - Parameter source: the text that is wanted; nil for the page's where that is stored.
  /// - Throws: ``LibraryError/articleGone`` or ``StoreError``.
  public func storedDocument(
    of id: Article.ID, from source: TextSource? = nil
  ) async throws -> ArticleDocument {
    let (article, text) = try await text(of: id)
    if source != .feed, let full = text.full {
      return await document(of: article, full, position: nil, extras: text.extras)
    }
    return ArticleDocument(
      article: article.timed(by: text), document: await rendered { Document(text) },
      privateHost: text.privateHost, extras: text.extras)
  }

  /// What is enclosed with an article: what can be heard or seen, or else a file that is no picture.
  ///
  /// Nil where there is nothing.
  ///
  /// - Throws: ``LibraryError/articleGone`` or ``StoreError``.
  public func enclosure(of id: Article.ID) async throws -> Attachment? {
    try await text(of: id).1.enclosure
  }

  /// An article of the user's feeds; nil when there is no such article.
  ///
  /// - Throws: ``StoreError``.
  public func storedArticle(_ id: Article.ID) async throws -> Article? {
    try await store.article(id)?.0
  }
}
