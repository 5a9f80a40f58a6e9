extension Library {
  /// Returns the id of the article that was stored last; nil if there is none.
  ///
  /// - Throws: ``StoreError``.
  public func latestArticle() async throws -> Article.ID? { try await store.latestArticle() }

  /// Returns the unread articles that were stored after another one, newest first.
  ///
  /// Articles that a rule has muted, and those that a feed had when it was added, are left out.
  ///
  /// - Throws: ``StoreError``.
  public func arrivals(after id: Article.ID) async throws -> [Article] {
    try await store.arrivals(after: id)
  }
}

/// Reports the articles that have arrived since the previous call.
public actor Arrivals {
  private let library: Library
  private var latest: Article.ID?

  public init(of library: Library) { self.library = library }

  /// Returns the articles that have arrived since the previous call; none at the first call.
  ///
  /// - Throws: ``StoreError``.
  public func next() async throws -> [Article] {
    let before = latest
    latest = try await library.latestArticle() ?? Article.ID(rawValue: 0)
    guard let before else { return [] }
    return try await library.arrivals(after: before)
  }
}
