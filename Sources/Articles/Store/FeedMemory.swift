import Foundation
import GRDB

/// The articles of a feed that were read in another program before the feed was fetched here, by
/// hashes of their guids and links.
struct ReadElsewhere {
  let marks: Set<Int64>

  init(_ marks: Set<Int64>) { self.marks = marks }

  init(of feed: Feed.ID, _ database: Database) throws {
    marks = try Int64.fetchSet(
      database.cachedStatement(sql: "SELECT mark FROM readElsewhere WHERE feedID = ?"),
      arguments: [feed])
  }

  func contains(guid: String, link: String?) -> Bool {
    !marks.isEmpty
      && [guid, link].contains { $0.map { marks.contains(FeedMemory.key($0)) } ?? false }
  }
}

/// The store's memory of articles of a feed that are not stored: articles that were dropped, and
/// articles that were read in another program.
struct FeedMemory {
  /// How long a dropped article is remembered after its feed has stopped carrying it: some feeds
  /// leave articles out for a while.
  static let grace: TimeInterval = 7 * 86_400
  /// How often the time when the feed last carried an article is updated.
  private static let precision: TimeInterval = 86_400

  private let feed: Feed.ID
  private let now: Double
  private let dropped: [Int64: Double]
  let readElsewhere: ReadElsewhere
  private var seen: [Int64] = []

  init(of feed: Feed.ID, at date: Date, _ database: Database) throws {
    self.feed = feed
    now = date.timeIntervalSince1970
    dropped = try Dictionary(
      uniqueKeysWithValues: Row.fetchCursor(
        database.cachedStatement(sql: "SELECT guid, seen FROM dropped WHERE feedID = ?"),
        arguments: [feed]
      ).map { ($0[0] as Int64, $0[1] as Double) })
    readElsewhere = try ReadElsewhere(of: feed, database)
  }

  /// Whether the article was stored once and then dropped.
  mutating func isDropped(guid: String) -> Bool {
    guard !dropped.isEmpty else { return false }
    let key = Self.key(guid)
    guard let last = dropped[key] else { return false }
    if Self.isToBeUpdated(last, at: now) { seen.append(key) }
    return true
  }

  /// Whether the time when a dropped article was last carried has to be updated.
  ///
  /// Also a time in the future, after the clock was set back: the article must not be forgotten.
  static func isToBeUpdated(_ seen: Double, at now: Double) -> Bool {
    !(0..<precision ~= now - seen)
  }

  /// Records which dropped articles the feed still carries, and deletes entries that have expired.
  ///
  /// - Parameter isWhole: whether all articles of the feed were asked for; otherwise nothing is
  ///   deleted.
  func finish(_ database: Database, isWhole: Bool) throws {
    for key in seen {
      try database.run(
        "UPDATE dropped SET seen = ? WHERE feedID = ? AND guid = ?", [now, feed, key])
    }
    guard isWhole else { return }
    if dropped.values.contains(where: { $0 < now - Self.grace }) {
      try database.run(
        "DELETE FROM dropped WHERE feedID = ? AND seen < ?", [feed, now - Self.grace])
    }
    if !readElsewhere.marks.isEmpty {
      try database.run("DELETE FROM readElsewhere WHERE feedID = ?", [feed])
    }
  }

  static func key(_ text: String) -> Int64 { Int64(bitPattern: StableIDs.fnv1a([text])) }
}
