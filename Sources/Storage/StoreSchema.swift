import GRDB

/// The tables of a file, as a list of migration steps.
///
/// A step that has been released never changes: a later step corrects it. The file's `user_version`
/// is the number of steps that have been applied.
public struct StoreSchema: Sendable {
  /// Identifies files of this kind, in SQLite's `application_id`.
  public let applicationID: Int32
  /// The steps, in SQL.
  public let steps: [String]
  /// The SQL functions that the file's views and triggers call.
  let functions: [DatabaseFunction]
  /// Writes the initial contents of a new file, in the transaction that creates its tables.
  let fill: @Sendable (Database) throws -> Void

  /// - Parameters:
  ///   - functions: the SQL functions that views and triggers of the file call.
  ///   - fill: writes the initial contents of a new file.
  public init(
    applicationID: Int32, steps: [String], functions: [DatabaseFunction] = [],
    fill: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) {
    self.applicationID = applicationID
    self.steps = steps
    self.functions = functions
    self.fill = fill
  }

  /// Adds the functions and the collation that the tables need to a connection.
  func addFunctions(to database: Database) {
    for function in functions { database.add(function: function) }
    NaturalOrder.addCollation(to: database)
  }

  /// Migrates a database to the newest version; throws, and changes nothing, if it is not ours,
  /// newer or damaged.
  func migrate(_ writer: some DatabaseWriter, path: String) throws {
    let version = try writer.read { try check($0, path: path) }
    guard version < steps.count else { return }
    try writer.write { database in
      // Another process may have migrated it since.
      let version = try check(database, path: path)
      guard version < steps.count else { return }
      for step in steps.dropFirst(version) { try database.execute(sql: step) }
      if version == 0 { try fill(database) }
      try database.execute(
        sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

  /// Returns the version of a database; throws if it is not ours, newer or damaged.
  func check(_ database: Database, path: String) throws -> Int {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    if application == applicationID {
      try check(version: version, path: path)
      return version
    }
    let isNew = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
    guard isNew, version == 0, application == 0 else { throw StoreError.notOurs(path: path) }
    return 0
  }

  /// Throws if a newer version of the program has migrated the database since it was opened: this
  /// version's assumptions about the tables may no longer be true.
  func checkIsUnchanged(_ database: Database, path: String) throws {
    let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    if version > steps.count {
      throw StoreError.newer(path: path, version: version, known: steps.count)
    }
  }

  func check(version: Int, path: String) throws {
    // The version and the application ID are written together: none of our files has only one of
    // them.
    guard version > 0 else { throw StoreError.damaged(path: path) }
    guard version <= steps.count else {
      throw StoreError.newer(path: path, version: version, known: steps.count)
    }
  }
}
