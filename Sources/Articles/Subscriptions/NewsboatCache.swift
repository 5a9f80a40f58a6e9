import Foundation
import GRDB

/// The articles that newsboat has recorded as read.
public struct NewsboatCache: Sendable {
  /// An article that was read.
  struct Mark: Sendable, Hashable {
    let feed: String
    let guid: String
    let link: String?
  }

  /// The most articles that are imported.
  private static let countLimit = 2_000_000

  let marks: [Mark]

  /// Reads a `cache.db` file, without changing it.
  ///
  /// - Throws: ``NewsboatCacheError``.
  public init(path: String) throws(NewsboatCacheError) {
    guard FileManager.default.fileExists(atPath: path) else { throw .missing(path: path) }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // The file comes from outside: its schema must not call functions of this process.
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    do {
      marks = try DatabaseQueue(path: path, configuration: configuration).read(Self.marks)
    } catch let error as NewsboatCacheError {
      throw error
    } catch {
      let reason = (error as? DatabaseError)?.message ?? String(describing: error)
      throw .unreadable(path: path, reason: reason)
    }
  }

  private static func marks(_ database: Database) throws -> [Mark] {
    // Only a table is accepted: a view could compute anything.
    let columns = try Set(
      String.fetchAll(
        database,
        sql: """
          SELECT name FROM pragma_table_info('rss_item') WHERE EXISTS
            (SELECT 1 FROM sqlite_master WHERE name = 'rss_item' AND type = 'table')
          """))
    guard columns.isSuperset(of: ["guid", "url", "feedurl", "unread"]) else {
      throw NewsboatCacheError.otherTables
    }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT CAST(feedurl AS TEXT), CAST(guid AS TEXT), CAST(url AS TEXT) FROM rss_item
        WHERE unread = 0 LIMIT ?
        """, arguments: [countLimit])
    var marks: [Mark] = []
    while let row = try rows.next() {
      guard let feed = row[0] as String?, let guid = row[1] as String? else { continue }
      marks.append(Mark(feed: feed, guid: guid, link: row[2]))
    }
    return marks
  }
}

/// Why newsboat's read marks cannot be imported.
public enum NewsboatCacheError: MessageError, Sendable, Hashable {
  case missing(path: String)
  /// The file is not a SQLite database, or is damaged.
  case unreadable(path: String, reason: String)
  /// Its tables are not those of newsboat.
  case otherTables

  public var message: UserMessage {
    switch self {
    case .missing(let path):
      UserMessage(
        what: "There is no such file.", advice: "Give the path of newsboat's cache.db.",
        detail: path)
    case .unreadable(let path, let reason):
      UserMessage(
        what: "The read marks of newsboat cannot be read.",
        advice: "Close newsboat and try again, or check the path.", detail: "\(path): \(reason)")
    case .otherTables:
      UserMessage(
        what: "This is not the cache of newsboat.",
        advice: "Give the path of newsboat's cache.db.")
    }
  }
}
