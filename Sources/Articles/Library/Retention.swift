import Foundation

/// How long articles are kept.
///
/// One with a star or a tag is kept for ever, also when its feed is removed. What is dropped comes back for some
/// weeks when the settings keep more, or a clock that was wrong is right again.
public struct Retention: Sendable, Hashable {
  /// How long after it was first seen, in seconds; nil for ever.
  public var age: TimeInterval?
  /// How many of each feed, the newest ones, beside those with a star or a tag; nil for all.
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
  /// For how long what was dropped, and what was removed, can be restored: so many seconds of use, in
  /// which a day without a reload does not count.
  static let grace: TimeInterval = 30 * 86_400
  /// So many articles are dropped at a time: between two times others can write.
  private static let tidySlice = 100

  /// Drops the articles that need not be kept any longer, restores those that were dropped by a wrong
  /// clock or by other settings, and deletes what was dropped or removed long ago.
  ///
  /// It is quick when there is nothing to do. An article that was dropped is not a new one while its
  /// feed still carries it.
  ///
  /// - Returns: how many articles were dropped.
  /// - Throws: ``StoreError`` or `CancellationError`; what was dropped until then stays so.
  @discardableResult
  public func tidy() async throws -> Int {
    let (slice, retention) = (Self.tidySlice, options.retention)
    try await store.passTime(to: now())
    var (restored, dropped) = (0, 0)
    while case let count = try await store.restoreDropped(retention, at: now(), limit: slice),
      count > 0
    {
      restored += count
    }
    while case let count = try await store.drop(retention, at: now(), limit: slice), count > 0 {
      dropped += count
    }
    while try await store.purgeDropped(after: Self.grace, limit: slice) {}
    while try await store.purgeRemoved(after: Self.grace, limit: slice) {}
    try await store.forgetArrangements()
    if restored + dropped > 0 { changed() }
    return dropped
  }
}
