import Foundation
import GRDB

/// Where a feed was before the user gave it another address.
struct FormerLocation: Sendable {
  let location: FeedLocation
  /// As it is stored; see ``StoredFeed/namedByServer``.
  let beginsInPublic: Int?
}

/// Changes of the address by the user.
extension ArticleStore {
  /// Gives a feed the address that the user has chosen, as if it had never been fetched.
  ///
  /// - Parameters:
  ///   - keepsCredentials: whether the feed, if the new location has no credentials, keeps those that
  ///     may be sent there.
  ///   - beginsInPublic: what the feed had at that location, if this takes a change back.
  /// - Returns: the old location; nil, without a change, if it is the new one.
  /// - Throws: ``LibraryError/noSuchFeed(_:)``, ``LibraryError/feedOfAccount``,
  ///   ``LibraryError/addressOfOtherFeed(_:)``, ``LibraryError/addressOfRemovedFeed`` or
  ///   ``StoreError``.
  func setAddress(
    _ new: FeedLocation, of id: Feed.ID, keepsCredentials: Bool, beginsInPublic: Int? = nil
  ) async throws -> FormerLocation? {
    try await write(durability: .disk) { database in
      guard
        let change = try Self.move(of: id, to: new, keepsCredentials: keepsCredentials, database)
      else { return nil }
      // Its server may have left the old address before, but now the user has: what is fetched from
      // there no longer belongs to the feed.
      try database.run(
        "DELETE FROM formerAddress WHERE feedID = ? AND address = ?",
        [id, change.old.location.address])
      try database.run(
        """
        UPDATE feed SET address = ?, credentials = ?, beginsInPublic = ?, etag = NULL,
          lastModified = NULL, lastFetched = NULL, lastAttempt = NULL, notBefore = NULL,
          retryAfter = NULL, goneSince = NULL, failureDate = NULL, failureWhat = NULL,
          failureAdvice = NULL, failureDetail = NULL, failureIsLasting = 0, failureCount = 0
        WHERE id = ?
        """, [change.new.address, change.new.credentials?.text, beginsInPublic, id])
      return change.old
    }
  }

  /// Whether ``setAddress(_:of:keepsCredentials:beginsInPublic:)`` would change anything.
  ///
  /// - Throws: what that would throw.
  func changesAddress(
    of id: Feed.ID, to new: FeedLocation, keepsCredentials: Bool
  ) async throws -> Bool {
    try await read {
      try Self.move(of: id, to: new, keepsCredentials: keepsCredentials, $0) != nil
    }
  }

  /// Returns the old and the new location of a feed; nil if the feed is there already.
  private static func move(
    of id: Feed.ID, to new: FeedLocation, keepsCredentials: Bool, _ database: Database
  ) throws -> (old: FormerLocation, new: FeedLocation)? {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT address, credentials, accountID, beginsInPublic FROM feed
          WHERE id = ? AND removedAt IS NULL
          """, arguments: [id])
    else { throw LibraryError.noSuchFeed() }
    guard row["accountID"] as Int64? == nil else { throw LibraryError.feedOfAccount }
    let old = FeedLocation(
      address: row["address"],
      credentials: (row["credentials"] as String?).map(FeedCredentials.init))
    let mayKeep = keepsCredentials && FeedCredentials.mayGo(from: old.address, to: new.address)
    let new = FeedLocation(
      address: new.address, credentials: new.credentials ?? (mayKeep ? old.credentials : nil))
    guard new != old else { return nil }
    let other = try Row.fetchOne(
      database, sql: "SELECT removedAt FROM feed WHERE address = ? AND id <> ?",
      arguments: [new.address, id])
    if let other {
      // A removed feed keeps its address, so that it can come back with everything.
      guard other["removedAt"] as Double? == nil else { throw LibraryError.addressOfRemovedFeed }
      throw LibraryError.addressOfOtherFeed(UserMessage.cleaned(new.address))
    }
    return (FormerLocation(location: old, beginsInPublic: row["beginsInPublic"]), new)
  }
}
