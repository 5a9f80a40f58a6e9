import Foundation

extension Library {
  /// Returns the user's feeds, sorted by title, without the bundled one.
  ///
  /// - Throws: ``StoreError``.
  public func addedFeeds() async throws -> [FeedSummary] { try await store.feedSummaries() }

  /// Finds a feed by its address, as typed or as listed, or by its title if that is unique.
  ///
  /// - Parameter directory: the base of a relative path.
  /// - Throws: ``LibraryError/noSuchFeed``, ``LibraryError/ambiguousTitle(_:)`` or ``StoreError``.
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
    let titled = feeds.filter { $0.feed.title == name }
    guard let feed = titled.first else { throw LibraryError.noSuchFeed }
    guard titled.count == 1 else {
      throw LibraryError.ambiguousTitle(UserMessage.cleaned(name))
    }
    return feed
  }
}
