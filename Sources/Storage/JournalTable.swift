import GRDB

/// A table of pending changes, in the order in which they were made, each kept until it is removed.
public struct JournalTable: Sendable {
  /// A pending change: what is sent, its idempotency key, and the result of earlier attempts.
  public struct Row: Hashable, Sendable {
    /// The same for every attempt to send it.
    public var key: String
    /// The kind of change.
    public var handler: String
    /// Changes of one scope are sent in order.
    public var scope: String
    /// The field that the change sets; nil when no later change can supersede it.
    public var field: String?
    /// What is sent.
    public var arguments: String
    /// How many attempts have failed.
    public var failedAttempts: Int
    /// Why the change was given up; nil while it is still to be sent.
    public var failure: String?

    /// Creates a row to be written.
    public init(
      key: String, handler: String, scope: String, field: String?, arguments: String,
      failedAttempts: Int, failure: String?
    ) {
      self.key = key
      self.handler = handler
      self.scope = scope
      self.field = field
      self.arguments = arguments
      self.failedAttempts = failedAttempts
      self.failure = failure
    }
  }

  /// The step of a ``StoreSchema`` that creates the table.
  public static let schema = """
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

  private let file: StoreFile

  /// The table of a file whose schema has ``schema``.
  public init(in file: StoreFile) {
    self.file = file
  }

  /// Returns all rows in order.
  public func rows() async throws -> [Row] {
    try await file.read { database in
      try GRDB.Row.fetchAll(
        database,
        sql: """
          SELECT key, handler, scope, field, arguments, failedAttempts, failure FROM journal
          ORDER BY number
          """
      ).map { row in
        Row(
          key: row[0], handler: row[1], scope: row[2], field: row[3], arguments: row[4],
          failedAttempts: row[5], failure: row[6])
      }
    }
  }

  /// Adds a row after all others and removes the rows with `keys`; returns once both have reached
  /// the disk.
  public func append(_ row: Row, replacing keys: [String]) async throws {
    try await file.write(durability: .disk) { database in
      try Self.remove(keys, from: database)
      try database.cachedStatement(
        sql: """
          INSERT INTO journal (key, handler, scope, field, arguments, failedAttempts, failure)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        row.key, row.handler, row.scope, row.field, row.arguments, row.failedAttempts, row.failure,
      ])
    }
  }

  /// Replaces the row with this key, if there is one; it keeps its position.
  public func update(_ key: String, to row: Row) async throws {
    try await file.write { database in
      try database.cachedStatement(
        sql: """
          UPDATE journal SET key = ?, handler = ?, scope = ?, field = ?, arguments = ?,
            failedAttempts = ?, failure = ?
          WHERE key = ?
          """
      ).execute(arguments: [
        row.key, row.handler, row.scope, row.field, row.arguments, row.failedAttempts, row.failure,
        key,
      ])
    }
  }

  /// Removes the rows with these keys.
  public func remove(_ keys: [String]) async throws {
    try await file.write { try Self.remove(keys, from: $0) }
  }

  private static func remove(_ keys: [String], from database: Database) throws {
    let statement = try database.cachedStatement(sql: "DELETE FROM journal WHERE key = ?")
    for key in keys { try statement.execute(arguments: [key]) }
  }
}

/// Records the keys of the changes that a file has applied, so that a change sent twice is applied
/// once.
public enum AppliedChanges {
  /// The step of a ``StoreSchema`` that creates the table.
  public static let schema = """
    CREATE TABLE appliedChange (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE
    ) STRICT;
    """

  /// How many keys are kept.
  ///
  /// A change is only sent again soon after its first attempt.
  static let limit = 10_000

  /// Records a key, in the transaction of its change; returns false when it was recorded before.
  public static func note(_ key: String, in database: Database) throws -> Bool {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO appliedChange (key) VALUES (?)")
      .execute(arguments: [key])
    guard database.changesCount > 0 else { return false }
    try database.cachedStatement(sql: "DELETE FROM appliedChange WHERE number <= ?")
      .execute(arguments: [database.lastInsertedRowID - Int64(limit)])
    return true
  }
}
