extension Library {
  /// The article that was stored last; nil where there is none.
  ///
  /// - Throws: ``StoreError``.
  public func latestArticle() async throws -> Article.ID? { try await store.latestArticle() }

  /// The unread articles that were stored after another one, newest first, without those that a rule has
  /// muted, and without what a feed came with when it was added.
  ///
  /// - Throws: ``StoreError``.
  public func arrivals(after id: Article.ID) async throws -> [Article] {
    try await store.arrivals(after: id)
  }
}

/// What has come in from one look to the next.
public actor Arrivals {
  private let library: Library
  private var latest: Article.ID?

  public init(of library: Library) { self.library = library }

  /// What has come since the last look; nothing at the first one.
  ///
  /// - Throws: ``StoreError``.
  public func next() async throws -> [Article] {
    let before = latest
    latest = try await library.latestArticle() ?? Article.ID(rawValue: 0)
    guard let before else { return [] }
    return try await library.arrivals(after: before)
  }
}
