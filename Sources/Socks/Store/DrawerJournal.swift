import GRDB
import Loading
import Storage

/// Stores pending changes of the drawer in a separate file beside the drawer, so that they are safe
/// even while another program has locked the drawer.
///
/// Only one program can have the journal open. Two programs would send each other's changes, and
/// might apply an older change of a field after a newer one.
public final class DrawerJournal: MutationJournal {
  private let file: StoreFile
  private let lock: FolderLock

  /// Opens `socks-outbox.sqlite` in a directory; creates it if it does not exist.
  ///
  /// - Throws: ``SockError/store(_:)``, also when another program has it open.
  public init(directory: String) throws(SockError) {
    do throws(StoreError) {
      file = try StoreFile("socks-outbox", in: directory, schema: .outbox, durability: .system)
      lock = try FolderLock(directory)
    } catch {
      throw .store(error)
    }
  }

  /// The columns of an entry, in the order of its arguments.
  private static let columns = "key, handler, scope, field, arguments, failedAttempts, failure"

  public func mutations() async throws -> [MutationOutbox.Entry] {
    try await SockError.telling {
      try await file.read { database in
        try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM journal ORDER BY number")
          .map { row in
            MutationOutbox.Entry(
              key: row[0], handler: row[1], scope: row[2], field: row[3], arguments: row[4],
              failedAttempts: row[5], failure: row[6])
          }
      }
    }
  }

  public func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try await SockError.telling {
      try await file.write(durability: .disk) { database in
        try Self.remove(keys, from: database)
        try database.cachedStatement(
          sql: "INSERT INTO journal (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: mutation.stored)
      }
    }
  }

  public func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try await SockError.telling {
      try await file.write { database in
        try database.cachedStatement(
          sql: "UPDATE journal SET (\(Self.columns)) = (?, ?, ?, ?, ?, ?, ?) WHERE key = ?"
        ).execute(arguments: mutation.stored + [key])
      }
    }
  }

  public func remove(_ keys: [String]) async throws {
    try await SockError.telling { try await file.write { try Self.remove(keys, from: $0) } }
  }

  private static func remove(_ keys: [String], from database: Database) throws {
    let statement = try database.cachedStatement(sql: "DELETE FROM journal WHERE key = ?")
    for key in keys { try statement.execute(arguments: [key]) }
  }
}

extension StoreSchema {
  /// The schema of the journal, with the application ID "ArSj".
  fileprivate static let outbox = StoreSchema(
    applicationID: 0x4172_536A,
    steps: [
      """
      CREATE TABLE journal (
        -- Never used again, so that a row keeps its place in the order.
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        handler TEXT NOT NULL,
        scope TEXT NOT NULL,
        field TEXT,
        arguments TEXT NOT NULL,
        failedAttempts INTEGER NOT NULL,
        failure TEXT
      ) STRICT;
      """
    ])
}

extension MutationOutbox.Entry {
  fileprivate var stored: StatementArguments {
    [key, handler, scope, field, arguments, failedAttempts, failure]
  }
}

/// Records the keys of the changes that the drawer has applied, so that a change sent twice is
/// applied once.
enum AppliedChanges {
  /// The step of the drawer's schema that creates the table.
  static let schema = """
    CREATE TABLE appliedChange (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE
    ) STRICT;
    """

  /// How many keys are kept.
  ///
  /// A change is only sent again soon after its first attempt.
  private static let limit = 10_000

  /// Records a key, in the transaction of its change; returns false when it was recorded before.
  static func note(_ key: String, in database: Database) throws -> Bool {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO appliedChange (key) VALUES (?)")
      .execute(arguments: [key])
    guard database.changesCount > 0 else { return false }
    try database.cachedStatement(sql: "DELETE FROM appliedChange WHERE number <= ?")
      .execute(arguments: [database.lastInsertedRowID - Int64(limit)])
    return true
  }
}
