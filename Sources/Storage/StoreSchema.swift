import GRDB

/// The tables of a file, as the list of steps that lead to them.
///
/// A step that has been released never changes: a later one corrects it. The number of steps that
/// a file has had is its `user_version`.
public struct StoreSchema: Sendable {
  /// Marks a file as one of this kind, in SQLite's `application_id`.
  public let applicationID: Int32
  /// The steps, in SQL.
  public let steps: [String]
  /// What its views and triggers call.
  let functions: [DatabaseFunction]
  /// What a new file begins with, written together with its tables or not at all.
  let fill: @Sendable (Database) throws -> Void

  /// - Parameters:
  ///   - functions: what views and triggers of the file call.
  ///   - fill: writes what a new file begins with.
  public init(
    applicationID: Int32, steps: [String], functions: [DatabaseFunction] = [],
    fill: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) {
    self.applicationID = applicationID
    self.steps = steps
    self.functions = functions
    self.fill = fill
  }

  /// Brings a database to the newest version; throws and changes nothing when it is not ours.
  func migrate(_ writer: some DatabaseWriter, path: String) throws {
    let version = try writer.read { try check($0, path: path) }
    guard version < steps.count else { return }
    try writer.write { database in
      // Another process may have done it since.
      let version = try check(database, path: path)
      guard version < steps.count else { return }
      for step in steps.dropFirst(version) { try database.execute(sql: step) }
      if version == 0 { try fill(database) }
      try database.execute(
        sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

  /// The version of a database.
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

  /// Refuses a database that another program has brought to a newer version since it was opened: what
  /// this one knows of its tables may not be true any more.
  func checkIsUnchanged(_ database: Database, path: String) throws {
    let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    if version > steps.count {
      throw StoreError.newer(path: path, version: version, known: steps.count)
    }
  }

  func check(version: Int, path: String) throws {
    // The version and the mark of the program are written together: no file of ours is without one.
    guard version > 0 else { throw StoreError.damaged(path: path) }
    guard version <= steps.count else {
      throw StoreError.newer(path: path, version: version, known: steps.count)
    }
  }
}
