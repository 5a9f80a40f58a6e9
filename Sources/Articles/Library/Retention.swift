import Foundation

/// How long articles are kept.
///
/// An article with a star or a tag is kept forever, even when its feed is removed. Dropped articles
/// can be restored for some weeks: when the settings keep more, or a wrong clock is corrected.
public struct Retention: Sendable, Hashable {
  /// How long articles are kept after they were first seen, in seconds; nil for forever.
  public var age: TimeInterval?
  /// How many of the newest articles are kept per feed, besides those with a star or a tag and the
  /// unread ones of accounts, which would stay unread on the server; nil for all.
  public var countPerFeed: Int?
  /// Whether unread articles are not dropped because of their age.
  ///
  /// ``countPerFeed`` applies to unread articles too, except for those of accounts: otherwise a feed
  /// that nobody reads would grow without limit.
  public var keepsUnread: Bool

  public init(age: TimeInterval?, countPerFeed: Int?, keepsUnread: Bool = true) {
    self.age = age
    self.countPerFeed = countPerFeed
    self.keepsUnread = keepsUnread
  }

  /// Keeps read articles for half a year, and a thousand articles per feed.
  public static let standard = Retention(age: 180 * 86_400, countPerFeed: 1_000)
  /// Keeps everything.
  public static let everything = Retention(age: nil, countPerFeed: nil)
}

/// How many articles were dropped, by the limit of ``Retention`` that they exceeded.
public struct DroppedArticles: Sendable, Hashable {
  /// How many were older than ``Retention/age``.
  public var byAge: Int
  /// How many their feeds had over ``Retention/countPerFeed``.
  public var byCount: Int

  public init(byAge: Int = 0, byCount: Int = 0) {
    self.byAge = byAge
    self.byCount = byCount
  }

  /// How many were dropped altogether.
  public var count: Int { byAge + byCount }
}

extension Library {
  /// How long dropped articles and removed feeds can be restored, in seconds of store time, in
  /// which a day without a reload does not count.
  static let grace: TimeInterval = 30 * 86_400
  /// How many articles are dropped in one transaction; other writes can run in between.
  private static let tidySlice = 100

  /// Drops the articles that need not be kept any longer, restores articles that were dropped
  /// because of a wrong clock or other settings, and deletes the articles and feeds for good that
  /// were dropped or removed long ago, and the files of removed downloads.
  ///
  /// Quick when there is nothing to do. A dropped article does not count as new while its feed
  /// still carries it.
  ///
  /// - Returns: how many articles were restored and dropped.
  /// - Throws: ``StoreError`` or `CancellationError`; articles dropped until then stay dropped.
  func tidied() async throws -> (restored: Int, dropped: DroppedArticles) {
    let (slice, retention) = (Self.tidySlice, options.retention)
    var restored = 0
    while case let count = try await store.restoreDropped(retention, at: now(), limit: slice),
      count > 0
    {
      restored += count
    }
    let dropped = try await dropOld()
    while try await store.purgeDropped(after: Self.grace, limit: slice) > 0 {}
    while try await store.purgeRemoved(after: Self.grace, limit: slice) {}
    try await purgeDownloads()
    try await store.forgetArrangements()
    try await store.forgetClosedFolders()
    if restored + dropped.count > 0 { changed() }
    return (restored, dropped)
  }

  /// Drops the articles that need not be kept any longer, and reports how many to the observer, also
  /// when it fails or is cancelled.
  ///
  /// - Returns: how many.
  func dropOld() async throws -> DroppedArticles {
    let start = ContinuousClock.now
    try await store.passTime(to: now())
    let retention = options.retention
    var dropped = DroppedArticles()
    defer {
      if dropped.count > 0 {
        observer?(FetchReport(.dropping(dropped), elapsed: start.duration(to: .now)))
      }
    }
    while case let slice = try await store.drop(retention, at: now(), limit: Self.tidySlice),
      slice.count > 0
    {
      dropped.byAge += slice.byAge
      dropped.byCount += slice.byCount
    }
    return dropped
  }
}
