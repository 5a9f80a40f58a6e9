import GRDB

/// Addresses that feeds had before their server or a web page named another.
extension ArticleStore {
  /// The most addresses that are remembered for a feed: a server could name others for ever.
  private static let formerAddressLimit = 10

  /// Remembers a former address of a feed, in place of the longest other one if there are too many:
  /// addresses that a server makes up are longer than the one that the user has.
  static func remember(
    formerAddress address: String, of id: Feed.ID, _ database: Database
  ) throws {
    try database.run(
      """
      DELETE FROM formerAddress WHERE address IN (
        SELECT address FROM formerAddress WHERE feedID = ?1 AND address <> ?2
        ORDER BY length(address), address LIMIT -1 OFFSET ?3)
      """, [id, address, formerAddressLimit - 1])
    try database.run(
      "INSERT OR REPLACE INTO formerAddress (address, feedID) VALUES (?, ?)", [address, id])
  }

  /// The condition for the row of a feed that is still where it was fetched, or was led elsewhere from
  /// there by its server or its page.
  ///
  /// If the user has changed the address meanwhile, what was fetched does not belong to the feed: in
  /// another process nothing ends a fetch. Nor does it if the server of an account has the feed by
  /// now: both would store the same articles.
  ///
  /// - Parameter address: nil if it does not matter.
  static func isFeed(_ id: Feed.ID, fetchedFrom address: String?) -> SQL {
    guard let address else { return "id = \(id)" }
    return """
      id = \(id) AND (accountID IS NULL OR remoteID IS NULL)
        AND (address = \(address) OR EXISTS (SELECT 1 FROM formerAddress
          WHERE formerAddress.address = \(address) AND feedID = feed.id))
      """
  }

  /// Returns where the feed with an address in a list is stored: there, or at another address, to
  /// which the first one has led.
  ///
  /// A feed that was removed is returned only if there is no other one.
  static func currentLocation(
    of listed: FeedLocation, _ database: Database
  ) throws -> FeedLocation {
    let address = try String.fetchOne(
      database,
      sql: """
        SELECT address FROM (
          SELECT address, removedAt, FALSE AS isFormer FROM feed WHERE address = ?1
          UNION ALL
          SELECT feed.address, removedAt, TRUE FROM formerAddress JOIN feed ON feed.id = feedID
            WHERE formerAddress.address = ?1)
        ORDER BY removedAt IS NOT NULL, isFormer LIMIT 1
        """, arguments: [listed.address])
    guard let address, address != listed.address else { return listed }
    let mayKeep = FeedCredentials.mayGo(from: listed.address, to: address)
    return FeedLocation(address: address, credentials: mayKeep ? listed.credentials : nil)
  }
}
