import Loading

extension Library {
  /// The articles that fulfil a query while a user types it, best first.
  ///
  /// All of its words and conditions must be met, see ``ArticleCondition``; of the last word the
  /// beginning is enough, and what is not finished at the end is left out. It yields what it finds at
  /// once, again as the snippets of long texts come, and again when articles that were stored lately have
  /// become part of the index. Cancelling it stops the search in the middle, so it can be restarted at
  /// every keystroke. It throws ``QueryError`` for a query that cannot be read.
  ///
  /// ```swift
  /// results.load(library.search("swift unr").debounced(by: .milliseconds(120)), .restart)
  /// ```
  ///
  /// - Parameters:
  ///   - query: where to look; its own limit is ignored.
  ///   - limit: how many results there are at most.
  public func search(
    _ text: String, in query: ArticleQuery = ArticleQuery(), limit: Int = 100
  ) -> Loader<[SearchResult]> {
    Loader { [self] _, output in
      guard let condition = try condition(text) else { return [] }
      if let bundled = try await bundledIfAlone(for: query) {
        return try await bundledSearch.results(
          of: condition, in: bundled, matching: query, limit: limit)
      }
      let results = try await store.search(
        condition, in: query, limit: limit, found: { output.yield($0) })
      guard condition.hasWords, try await store.hasUnindexed() else { return results }
      if !results.isEmpty { output.yield(results) }
      try await indexNew()
      return try await store.search(condition, in: query, limit: limit)
    }
  }

  /// The same, at once and complete: for commands.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func found(
    _ condition: ArticleCondition, in query: ArticleQuery = ArticleQuery(), limit: Int = 100
  ) async throws -> [SearchResult] {
    if let bundled = try await bundledIfAlone(for: query) {
      return try await bundledSearch.results(
        of: condition, in: bundled, matching: query, limit: limit)
    }
    try await index(for: condition)
    return try await store.search(condition, in: query, limit: limit)
  }

  /// How many articles fulfil a query.
  ///
  /// Articles that are not in the index yet are not among them, see ``index()``.
  ///
  /// - Parameter isRead: whether only those count that are read, or only those that are not.
  /// - Throws: ``QueryError``, ``StoreError`` or `CancellationError`.
  public func count(with text: String, isRead: Bool? = nil) async throws -> Int {
    guard let condition = try condition(text) else { return 0 }
    return try await store.count(ArticleQuery(isRead: isRead, where: condition))
  }

  /// Reads a query as a user types it; an age is counted from now.
  func condition(_ text: String) throws(QueryError) -> ArticleCondition? {
    try ArticleCondition(text, isBeingTyped: true, now: now())
  }

  /// Makes sure that the words of a query are found in everything that is stored.
  func index(for condition: ArticleCondition?) async throws {
    if condition?.hasWords == true { try await indexNew() }
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
  func indexNew() async throws {
    while try await store.index(limit: Self.indexSlice) {}
  }

  private static let indexSlice = 100
  /// In pages of 4 kB.
  private static let mergeSlice = 64
}
