import Foundation

/// How long articles are kept.
///
/// One with a star is kept for ever.
public struct Retention: Sendable, Hashable {
  /// How long after it was first seen, in seconds; nil for ever.
  public var age: TimeInterval?
  /// How many of each feed, the newest ones, beside those with a star; nil for all.
  public var countPerFeed: Int?
  /// Whether age alone is no reason to drop what nobody has read.
  ///
  /// ``countPerFeed`` holds for the unread too: a feed that nobody reads would grow without end.
  public var keepsUnread: Bool

  public init(age: TimeInterval?, countPerFeed: Int?, keepsUnread: Bool = true) {
    self.age = age
    self.countPerFeed = countPerFeed
    self.keepsUnread = keepsUnread
  }

  /// What was read for half a year, and a thousand articles of each feed.
  public static let standard = Retention(age: 180 * 86_400, countPerFeed: 1_000)
  /// Nothing is ever dropped.
  public static let everything = Retention(age: nil, countPerFeed: nil)
}

extension Library {
  /// How long a removed feed can be had back.
  static let removalGrace: TimeInterval = 3_600
  /// So many articles are deleted at a time: between two times others can write.
  private static let tidySlice = 100

  /// Drops the articles that need not be kept any longer, and what is left of removed feeds.
  ///
  /// It is quick when there is nothing to do. An article that was dropped does not come back while
  /// its feed still carries it.
  ///
  /// - Returns: how many articles were dropped.
  /// - Throws: ``StoreError`` or `CancellationError`; what was dropped until then stays so.
  @discardableResult
  public func tidy() async throws -> Int {
    let (slice, retention) = (Self.tidySlice, options.retention)
    while try await store.purgeRemoved(
      before: now().addingTimeInterval(-Self.removalGrace), limit: slice)
    {}
    var total = 0
    while true {
      let count = try await store.drop(retention, at: now(), limit: slice)
      total += count
      if count == 0 { break }
    }
    if total > 0 { changed() }
    return total
  }
}
