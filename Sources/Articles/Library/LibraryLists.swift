import Foundation
import HTTP
import Loading

extension Library {
  /// Returns the stored articles of a list.
  ///
  /// Used by commands. Unlike ``listing(matching:around:refresh:)``, it fetches nothing.
  public func storedArticles(matching query: ArticleQuery) async throws -> [Article] {
    try await storedListing(of: query, around: nil, beginning: .max).articles
  }

  /// Returns a list with its articles, or with those around a row if it is longer than `beginning`.
  func storedListing(
    of query: ArticleQuery, around id: Article.ID?,
    beginning: Int = ArticleListing.longLength
  ) async throws -> ArticleListing {
    try await index(for: query.where)
    let kept = query.keptSince.map { change in log.withLock { $0.articlesRead(after: change) } }
    let listing = try await store.listing(
      matching: query, keeping: kept ?? [], around: id, beginning: beginning)
    guard listing.isEmpty else { return listing }
    if let bundled = try await bundledIfAlone(for: query) {
      return ArticleListing(try await bundledSearch.articles(in: bundled, matching: query))
    }
    if let gap = try await searchGap(of: query.where) { throw gap }
    return listing
  }

  /// Loads articles of a list that are not loaded yet, see ``ArticleListing/rowsToLoad(around:)``.
  public func articles(_ ids: [Article.ID]) -> Loader<[Article.ID: Article]> {
    Loader { [self] _ in
      let articles = try await store.articles(ids)
      return Dictionary(uniqueKeysWithValues: articles.map { ($0.id, $0) })
    }
  }

  /// Loads the first stored articles of a long list.
  ///
  /// If the list's order has an index, the time does not depend on the list's length.
  ///
  /// - Parameters:
  ///   - count: how many articles to load.
  ///   - length: the greatest length of a list that is read in one go instead; for such a list the
  ///     result is empty.
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

  /// Loads how many articles the lists across all feeds have; ``feeds()`` loads the counts of each
  /// feed.
  ///
  /// - Parameter since: the time from which articles count as recent, such as the beginning of a
  ///   day.
  public func counts(since: Date) -> Loader<ArticleCounts> {
    Loader { [self] _ in try await store.counts(since: since) }
  }

  /// Loads the folders that are shown collapsed.
  public func closedFolders() -> Loader<Set<FeedFolder>> {
    Loader { [self] _ in try await store.closedFolders() }
  }

  /// Stores whether a folder is collapsed.
  public func setFolder(_ folder: FeedFolder, isClosed: Bool) async throws {
    try await store.setFolder(folder, isClosed: isClosed)
  }

  /// Loads the settings for how lists are shown.
  public func listArrangements() -> Loader<ListArrangements> {
    Loader { [self] _ in try await store.listArrangements() }
  }

  /// Stores a change of how lists are shown.
  public func arrange(_ change: ArrangementChange) async throws {
    try await store.arrange(change)
  }

  /// Deletes the settings of a list that no longer exists.
  public func forgetArrangement(of list: String) async throws {
    try await store.forgetArrangements(of: [list])
  }

  /// Returns the article to read after another one: the next unread one below it in the order of
  /// ``ArticleOrder/newest``, or otherwise the first unread one.
  ///
  /// Nil when no other article is unread.
  public func nextUnread(after id: Article.ID? = nil) async throws -> Article? {
    try await store.nextUnread(after: id)
  }

  /// Returns an article, which may be a bundled one, with its whole text.
  ///
  /// - Parameter source: which text to return; nil for the page's text if that is stored.
  /// - Throws: ``LibraryError/articleGone`` or ``StoreError``.
  public func storedDocument(
    of id: Article.ID, from source: TextSource? = nil
  ) async throws -> ArticleDocument {
    let (article, text) = try await text(of: id)
    return await document(of: article, text, source == .feed ? nil : text.full)
  }

  /// Returns the article's enclosure: preferably audio or video, otherwise a file that is not a
  /// picture.
  ///
  /// Nil if there is none. Used to hand its address to another program, which does not check where
  /// it leads.
  ///
  /// - Throws: ``LibraryError/articleGone``, ``StoreError``, or `HTTPError.privateAddress` if the
  ///   feed may not lead there.
  public func enclosure(of id: Article.ID) async throws -> Attachment? {
    let text = try await text(of: id).1
    guard let enclosure = text.enclosures.first else { return nil }
    let origin = RequestOrigin(privateHost: text.privateHost)
    try client.checkAddress(enclosure.address, from: origin)
    return enclosure
  }

  /// Returns all enclosures of an article, the one of ``enclosure(of:)`` first: an episode may come in
  /// several formats or parts.
  ///
  /// - Throws: ``LibraryError/articleGone`` or ``StoreError``.
  public func enclosures(of id: Article.ID) async throws -> [Attachment] {
    try await text(of: id).1.enclosures
  }

  /// Returns an article of the user's feeds; nil when there is no such article.
  public func storedArticle(_ id: Article.ID) async throws -> Article? {
    try await store.article(id)?.0
  }
}

extension Library {
  /// Returns the user's feeds, sorted by title, without the bundled one.
  public func addedFeeds() async throws -> [FeedSummary] {
    try await store.feedSummaries(now: now)
  }

  /// Finds a feed by its address, as typed or as listed, or by its title if that is unique.
  ///
  /// If no title matches exactly, case and accents are ignored.
  ///
  /// - Parameter directory: the base of a relative path.
  /// - Throws: ``LibraryError/noSuchFeed(_:)``, ``LibraryError/ambiguousTitle(_:)`` or ``StoreError``.
  public func feed(
    named name: String, directory: String = FileManager.default.currentDirectoryPath
  ) async throws -> FeedSummary {
    let feeds = try await addedFeeds()
    let address =
      ProgramAddress(name)?.text
      ?? FeedAddress.normalized(name, directory: directory).map {
        FeedCredentials.split($0).address
      }
    if let feed = feeds.first(where: { $0.feed.address == name || $0.feed.address == address }) {
      return feed
    }
    var titled = feeds.filter { $0.feed.title == name }
    if titled.isEmpty {
      let folded = FoldedText.folded(name)
      titled = feeds.filter { FoldedText.folded($0.feed.title) == folded }
    }
    guard let feed = titled.first else { throw LibraryError.noSuchFeed(name) }
    guard titled.count == 1 else {
      throw LibraryError.ambiguousTitle(UserMessage.cleaned(name))
    }
    return feed
  }
}

extension Library {
  /// Returns the unread articles that were stored since the previous call, newest first; at the first
  /// call, since this library began to fetch.
  ///
  /// Muted articles are left out, and articles of feeds that had none before: they came with the
  /// feed.
  public func arrivals() async throws -> Arrivals { try await store.arrivals() }
}
