import Loading

extension Library {
  /// The articles that have what a user types, best first.
  ///
  /// All words must be there, in any order; those in quotes together; of the last word the
  /// beginning is enough. It yields what it finds at once, again as the snippets of long texts come,
  /// and again when articles that were stored lately have become part of the index. Cancelling it stops the search in the middle, so it can be
  /// restarted at every keystroke.
  ///
  /// ```swift
  /// results.load(library.search("swift conc").debounced(by: .milliseconds(120)), .restart)
  /// ```
  ///
  /// - Parameters:
  ///   - query: where to look; its own limit is ignored.
  ///   - limit: how many results there are at most.
  public func search(
    _ text: String, in query: ArticleQuery = ArticleQuery(), limit: Int = 100
  ) -> Loader<[SearchResult]> {
    Loader { [self] _, output in
      guard let expression = SearchExpression(text) else { return [] }
      if let bundled = try await bundledIfAlone(for: query) {
        return try await bundledSearch.results(
          of: expression, in: bundled, matching: query, limit: limit)
      }
      let results = try await store.search(
        expression, in: query, limit: limit, found: { output.yield($0) })
      guard try await store.hasUnindexed() else { return results }
      if !results.isEmpty { output.yield(results) }
      try await indexNew()
      return try await store.search(expression, in: query, limit: limit)
    }
  }

  /// The newest of all articles that have what was typed, as a list shows them.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  func newest(with text: String, limit: Int) async throws -> [Article] {
    guard let expression = SearchExpression(text) else { return [] }
    let query = ArticleQuery(limit: limit)
    if let bundled = try await bundledIfAlone() {
      return try await bundledSearch.articles(with: expression, in: bundled, matching: query)
    }
    try await indexNew()
    return try await store.articles(with: expression, matching: query)
  }

  /// The same, at once and complete: for commands.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func found(
    _ text: String, in query: ArticleQuery = ArticleQuery(), limit: Int = 100
  ) async throws -> [SearchResult] {
    guard let expression = SearchExpression(text) else { return [] }
    if let bundled = try await bundledIfAlone(for: query) {
      return try await bundledSearch.results(
        of: expression, in: bundled, matching: query, limit: limit)
    }
    try await indexNew()
    return try await store.search(expression, in: query, limit: limit)
  }

  /// How many of the articles that have what was typed are unread.
  ///
  /// Articles that are not in the index yet are not among them, see ``index()``.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func unreadCount(with text: String) async throws -> Int {
    guard let expression = SearchExpression(text) else { return 0 }
    return try await store.count(with: expression, matching: .unread)
  }

  /// Puts everything that is stored into the index of the search, which would else do it first, and
  /// clears the index of what is no longer stored.
  ///
  /// A little at a time, so that nobody waits long for a turn to write.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func index() async throws {
    try await indexNew()
    while try await store.mergeIndex(limit: Self.mergeSlice) {}
  }

  /// What a search needs; the rest of ``index()`` nobody has to wait for.
  private func indexNew() async throws {
    while try await store.index(limit: Self.indexSlice) {}
  }

  private static let indexSlice = 100
  /// In pages of 4 kB.
  private static let mergeSlice = 64
}
