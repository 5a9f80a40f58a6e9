import Loading

extension Library {
  /// Loads the articles that fulfil a query while the user types it, best first.
  ///
  /// All of its words and conditions must match, see ``ArticleCondition``; the last word may be
  /// incomplete, and an unfinished condition at the end is ignored. The loader yields the results
  /// at once, again as the snippets of long texts are read, and again when recently stored articles
  /// have been added to the index. Cancelling it stops a running search, so it can be restarted at
  /// every keystroke. It throws ``QueryError`` for a query that cannot be parsed.
  ///
  /// ```swift
  /// results.load(library.search("swift unr").debounced(by: .milliseconds(120)), .restart)
  /// ```
  ///
  /// - Parameters:
  ///   - query: which articles are searched; its own limit is ignored.
  ///   - limit: the maximum number of results.
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

  /// Returns all results of a search, with their snippets; for commands.
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

  /// Counts the articles that fulfil a query.
  ///
  /// Articles that are not in the index yet are not counted, see ``index()``.
  ///
  /// - Parameter isRead: counts only read or only unread articles; nil for both.
  /// - Throws: ``QueryError``, ``StoreError`` or `CancellationError`.
  public func count(with text: String, isRead: Bool? = nil) async throws -> Int {
    guard let condition = try condition(text) else { return 0 }
    return try await store.count(ArticleQuery(isRead: isRead, where: condition))
  }

  /// Returns what a search for this text cannot find, as an error that says so.
  ///
  /// In a library that cannot be written, these are the articles that are not in the search index.
  /// Nil if the index has all of them, or if the text has no words.
  ///
  /// - Throws: ``QueryError``, ``StoreError`` or `CancellationError`.
  public func searchGap(of text: String) async throws -> LibraryError? {
    try await searchGap(of: condition(text))
  }

  /// Returns what a search cannot find, see ``searchGap(of:)-(String)``.
  func searchGap(of condition: ArticleCondition?) async throws -> LibraryError? {
    guard store.isReadOnly, condition?.hasWords == true else { return nil }
    let (count, isAll) = try await store.countUnindexed()
    return count == 0 ? nil : .notIndexed(count: count, isAll: isAll)
  }

  /// Parses a query that the user is typing, as lists and searches do: the end may be unfinished, and
  /// ages are relative to now.
  public func condition(_ text: String) throws(QueryError) -> ArticleCondition? {
    try ArticleCondition(text, isBeingTyped: true, now: now())
  }

  /// Makes sure that the words of a query are found in all stored articles.
  func index(for condition: ArticleCondition?) async throws {
    if condition?.hasWords == true { try await indexNew() }
  }

  /// Adds all stored articles to the search index, which the next search would otherwise have to
  /// do, and removes the words of articles that are no longer stored.
  ///
  /// Works in small steps, so that no other write waits long.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func index() async throws {
    try await indexNew()
    while try await store.mergeIndex(limit: Self.mergeSlice) {}
  }

  /// Does only the part of ``index()`` that a search needs.
  func indexNew() async throws {
    guard !store.isReadOnly else { return }
    while try await store.index(limit: Self.indexSlice) {}
  }

  private static let indexSlice = 100
  /// In pages of 4 kB.
  private static let mergeSlice = 64
}
