import Foundation
import GRDB

/// A SQLite file that several processes may use at once.
///
/// ```swift
/// let file = try StoreFile("articles", in: directory, schema: schema)
/// let count = try await file.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM article") }
/// ```
public final class StoreFile: Sendable {
  /// When a write counts as stored.
  public enum Durability: Sendable {
    /// Once it has reached the disk.
    case disk
    /// Once it survives the end of the process; after a power failure the newest writes may be
    /// lost.
    case system

    /// The SQL that sets this durability on a connection.
    fileprivate var pragmas: String {
      switch self {
      case .disk: "PRAGMA synchronous = FULL"
      case .system: "PRAGMA synchronous = NORMAL"
      }
    }
  }

  /// The connection that writes, for code that must be synchronous.
  let writer: DatabaseQueue
  /// The path of the file, which is not a symbolic link.
  public let path: String
  /// Whether the file can only be read, because its folder cannot be written or the disk was full;
  /// then every write throws ``StoreError/readOnly(path:)``.
  public let isReadOnly: Bool
  // Two connections instead of GRDB's pool: a pool writes to the file whenever it is opened, which
  // other processes would see as a change. SQLite's calls block, so each connection is used on a
  // dispatch queue of its own and not on the threads of Swift's tasks.
  let reading: StoreConnection
  let writing: StoreConnection
  private let groups: WriteGroups
  private let ownDurability: Durability
  private let configuration: Configuration
  private let identity: FileIdentity?
  private let schema: StoreSchema
  /// The path by which connections open the file, or a URI.
  private let address: String
  /// The version of the file if it was opened as one that never changes; else nil.
  private let immutable: FileVersion?
  /// SQLite's `data_version` when the file was opened; it changes when a connection other than the
  /// writer commits.
  let openedVersion: Int?
  /// How long to wait for another process's lock, in seconds.
  private static let patience = 10.0

  /// Opens `NAME.sqlite` in a directory; creates both if they do not exist.
  ///
  /// - Parameter mayBeReadOnly: whether an existing file in a folder that cannot be written, or on a
  ///   full disk, is opened for reading, see ``isReadOnly``.
  /// - Throws: ``StoreError``.
  public convenience init(
    _ name: String, in directory: String, schema: StoreSchema, durability: Durability = .disk,
    mayBeReadOnly: Bool = false
  ) throws(StoreError) {
    let path = Self.target(of: "\(directory)/\(name).sqlite")
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(makingFolderOf: path, error)
    }
    // SQLite creates files beside the database; its own error for a read-only folder is vague.
    // A folder that is missing, behind a link, is not one that cannot be written.
    guard access((path as NSString).deletingLastPathComponent, W_OK) == 0 || errno == ENOENT else {
      guard mayBeReadOnly else { throw .readOnly(path: path) }
      try self.init(reading: name, at: path, schema: schema)
      return
    }
    do {
      try Self.checkIsOurs(path, schema: schema)
      Self.hideFromOthers(path)
      let configuration = Self.configuration(name, path, schema, durability)
      let forReading = Self.configuration(name, path, schema, durability, onlyReads: true)
      errno = 0
      let (writer, reader) = try StoreReport.reporting(.opened, path) { _ in
        try Self.patiently {
          let writer = try DatabaseQueue(path: path, configuration: configuration)
          try Self.explaining(writer, path) { try schema.migrate(writer, path: path) }
          return (writer, try DatabaseQueue(path: path, configuration: forReading))
        }
      }
      self.init(
        writer: writer, reader: reader, name: name, path: path, address: path, schema: schema,
        durability: durability)
    } catch {
      // There is no connection to ask: use the `errno` of the last failed call of this thread.
      let failure = StoreError(error, path: path, systemError: errno)
      guard mayBeReadOnly, failure.isOfSpace else { throw failure }
      // Opening a file to write takes a little space; reading one that was closed takes none.
      do { try self.init(reading: name, at: path, schema: schema, hasRoom: false) } catch {
        throw failure
      }
    }
  }

  /// Opens an existing file for reading, in a folder that cannot be written.
  ///
  /// - Parameter hasRoom: whether files beside it can grow, so that its log can be read.
  /// - Throws: ``StoreError``: `readOnly` also if there is no file, if its tables are older, or if the
  ///   log beside it cannot be read without creating other files.
  package convenience init(
    reading name: String, at path: String, schema: StoreSchema, hasRoom: Bool = true
  ) throws(StoreError) {
    let path = Self.target(of: path)
    do {
      guard access(path, R_OK) == 0 else { throw StoreError.readOnly(path: path) }
      try Self.checkIsOurs(path, schema: schema)
      // To read its log, SQLite needs another file beside it. Without a log no process has the file
      // open, so it can be opened as one that never changes.
      // Without room, opening it has left an empty log behind.
      let log = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")).map {
        $0[.size] as? Int ?? 0
      }
      let hasLog = log.map { hasRoom || $0 > 0 } ?? false
      // Another process may change it all the same.
      let immutable = hasLog ? nil : FileVersion(path)
      let address =
        hasLog ? path : URL(fileURLWithPath: path).absoluteString + "?immutable=1"
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(Self.patience)
      configuration.label = name
      configuration.prepareDatabase { database in
        schema.addFunctions(to: database)
        try database.execute(sql: "PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY")
      }
      let reader = try StoreReport.reporting(.opened, path) { [configuration] _ in
        try DatabaseQueue(path: address, configuration: configuration)
      }
      guard try reader.read({ try schema.check($0, path: path) }) == schema.steps.count else {
        throw StoreError.readOnly(path: path)
      }
      self.init(
        writer: reader, reader: reader, name: name, path: path, address: address, schema: schema,
        durability: .system, isReadOnly: true, immutable: immutable)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .readOnly(path: path)
    }
  }

  /// Creates a database in memory, which disappears with its last user: for tests and
  /// demonstrations.
  public static func inMemory(
    _ name: String, schema: StoreSchema
  ) throws(StoreError) -> StoreFile {
    do {
      let queue = try DatabaseQueue(
        configuration: configuration(name, ":memory:", schema, .system))
      try schema.migrate(queue, path: ":memory:")
      return StoreFile(
        writer: queue, reader: queue, name: name, path: ":memory:", address: ":memory:",
        schema: schema, durability: .system)
    } catch {
      throw StoreError(error, path: ":memory:")
    }
  }

  private init(
    writer: DatabaseQueue, reader: DatabaseQueue, name: String, path: String, address: String,
    schema: StoreSchema, durability: Durability, isReadOnly: Bool = false,
    immutable: FileVersion? = nil
  ) {
    ownDurability = durability
    self.writer = writer
    self.path = path
    self.address = address
    self.immutable = immutable
    self.isReadOnly = isReadOnly
    self.schema = schema
    configuration = reader.configuration
    openedVersion = try? writer.writeWithoutTransaction(Self.version)
    let identity = FileIdentity(path)
    self.identity = identity
    let isFile = identity != nil
    let writing = StoreConnection(
      label: "\(name), writing", path: path, isFile: isFile, immutable: immutable, writer)
    self.writing = writing
    reading =
      reader === writer
      ? writing
      : StoreConnection(
        label: "\(name), reading", path: path, isFile: isFile, immutable: immutable, reader)
    groups = WriteGroups(queue: writing.queue) { count, body in
      try writing.use { writer in
        try Self.writing(count, with: writer, path, identity) { work in
          try writer.write { database in
            try schema.checkIsUnchanged(database, path: path)
            try database.countingRows(of: count, &work, body)
          }
        }
      }
    }
  }

  // `close` does not block, so this may run on any thread.
  deinit {
    reading.close()
    writing.close()
  }

  /// Closes the file and waits until it is closed; later calls fail.
  ///
  /// Of the writes that wait, those of the next transaction are made; the others fail with
  /// `CancellationError`.
  ///
  /// For callers that look at the file itself afterwards, such as tests.
  func closeAndWait() {
    for connection in [reading, writing] {
      connection.close()
      connection.queue.sync {}
    }
  }

  /// Closes every file that this process has open, when the process ends; later calls for these
  /// files fail.
  ///
  /// Wait for writes before: of those that wait for a file, only the next transaction is made.
  ///
  /// Copies the log beside each file into the file, and removes the log if no other process uses
  /// it: otherwise the next start would have to read the whole log. A file that is still in use
  /// when the time is over stays open, which loses nothing.
  ///
  /// - Parameter limit: how long closing may take, in seconds.
  public static func closeAll(within limit: Double = 0.3) {
    StoreConnection.closeAll(within: limit)
  }

  private static func configuration(
    _ name: String, _ path: String, _ schema: StoreSchema, _ durability: Durability,
    onlyReads: Bool = false
  ) -> Configuration {
    var configuration = Configuration()
    // Other processes write for milliseconds at a time; longer waits end in an error.
    configuration.busyMode = .timeout(patience)
    configuration.label = name
    configuration.prepareDatabase { database in
      schema.addFunctions(to: database)
      do {
        // In kB. The default of two megabytes is too small for a list of 10,000 rows, which is read
        // again and again while feeds are being fetched.
        try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA cache_size = -8000")
        // SQLite copies the log into the file, and waits for the disk, when the log has this many
        // pages: not in the middle of every reload. When the log starts again from its beginning,
        // it is truncated to this size; otherwise it would never shrink.
        let pages = 2_000
        try database.execute(
          sql: """
            PRAGMA wal_autocheckpoint = \(pages); PRAGMA journal_size_limit = \(pages * 4_096)
            """)
        // What part of a transaction may have to roll back is small and needs no file.
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        // For systems where `fsync` returns before the disk has the data. Not set again for each
        // write to the disk: SQLite would have to compile all statements again after it.
        try database.execute(sql: "PRAGMA fullfsync = ON")
        try database.execute(sql: durability.pragmas)
        if onlyReads { try database.execute(sql: "PRAGMA query_only = 1") }
      } catch let error as DatabaseError where error.isOfSystem {
        throw StoreError(error, path: path, systemError: database.systemError)
      }
    }
    return configuration
  }

  // MARK: Using

  /// Runs `body` in a read transaction, which sees one snapshot.
  ///
  /// - Throws: ``StoreError``, the error of `body`, or `CancellationError` when the task was
  ///   cancelled before this call or the file was closed.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await reading.run { [path, schema] reader in
      try StoreReport.reporting(.read, path) { _ in
        try Self.explaining(reader, path) {
          try reader.readSnapshot { database in
            try schema.checkIsUnchanged(database, path: path)
            return try body(database)
          }
        }
      }
    }
  }

  /// Throws if a newer version of the program has changed the tables since the file was opened.
  ///
  /// Called first in every read with ``anotherReader(_:)``; ``read(_:)`` and
  /// ``write(durability:_:)`` do it themselves.
  public func checkIsUnchanged(_ database: Database) throws {
    try schema.checkIsUnchanged(database, path: path)
  }

  /// Runs `body` in a write transaction that has the write lock from its beginning: everything is
  /// written or nothing.
  ///
  /// Returns once the changes are as durable as `durability` says, or the file's own ``Durability``
  /// if that is nil.
  ///
  /// Writes that wait at the same time may share a transaction, which is cheaper. A write whose
  /// `durability` differs from the file's gets a transaction of its own, and may overtake writes
  /// that are already waiting.
  ///
  /// - Parameter body: may run more than once if an earlier run was rolled back.
  /// - Throws: ``StoreError``, the error of `body`, or `CancellationError` when the task was
  ///   cancelled before this call or the file was closed; then none of its changes are written.
  public func write<Value: Sendable>(
    durability: Durability? = nil, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard let durability, durability != ownDurability else { return try await writeInGroup(body) }
    return try await writing.run { [path, schema, identity, ownDurability] writer in
      try Self.writing(1, with: writer, path, identity) { work in
        try writer.writeWithoutTransaction { database in
          // The setting belongs to the connection and can change only between transactions; it is
          // reset for the writes that follow.
          try database.execute(sql: durability.pragmas)
          defer { try? database.execute(sql: ownDurability.pragmas) }
          return try database.transaction(.immediate) {
            try schema.checkIsUnchanged(database, path: path)
            return try database.countingRows(of: 1, &work, body)
          }
        }
      }
    }
  }

  private func writeInGroup<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writing.told { continuation in
      let write = WriteGroups.Write { database in
        let value = try body(database)
        return { continuation.resume(returning: value) }
      } failed: {
        continuation.resume(throwing: $0)
      }
      groups.add(write)
    }
  }

  /// Returns another connection, for reads that would keep other readers waiting; the common
  /// connection if the database is in memory.
  ///
  /// The caller has to close it.
  public func anotherReader(_ label: String) -> StoreConnection {
    guard reading !== writing || isReadOnly else { return reading }
    return StoreConnection(label: label, path: path, isFile: true, immutable: immutable) {
      [address, configuration] in
      try DatabaseQueue(path: address, configuration: configuration)
    }
  }

  /// Returns the current value of `openedVersion`, after waiting until no other connection, in this
  /// process or another, is writing.
  func waitForVersion() throws -> Int? {
    try writing.queue.sync {
      try writing.use { writer in try Self.patiently { try writer.write(Self.version) } }
    }
  }

  private static func version(_ database: Database) throws -> Int? {
    try Int.fetchOne(database, sql: "PRAGMA data_version")
  }

  /// Runs `body` if the path still leads to the file that was opened: what is written to a deleted
  /// file is lost when the program ends.
  private static func writing<Value>(
    _ count: Int, with writer: DatabaseQueue, _ path: String, _ identity: FileIdentity?,
    _ body: (inout StoreReport.Work) throws -> Value
  ) throws -> Value {
    try StoreReport.reporting(.wrote(writes: count, rows: 0), path) { work in
      try patiently {
        guard identity == FileIdentity(path) else { throw StoreError.gone(path: path) }
        return try explaining(writer, path) { try body(&work) }
      }
    }
  }

  /// Adds the `errno` to a failure of the system: only the connection knows it.
  private static func explaining<Value>(
    _ connection: DatabaseQueue, _ path: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where error.isOfSystem {
      let systemError = connection.inDatabase { $0.systemError }
      throw StoreError(error, path: path, systemError: systemError)
    }
  }

  /// Retries while another process has a lock: SQLite does not wait for every lock, and among many
  /// waiting connections it may pass over the same one again and again.
  private static func patiently<Value>(_ body: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + .seconds(patience)
    while true {
      do {
        return try body()
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
      {
        usleep(.random(in: 1_000...20_000))
      }
    }
  }
}

extension DatabaseQueue {
  /// Runs `body` in a transaction that reads one snapshot, on a connection that only reads; that of a
  /// database in memory is not prevented from writing.
  ///
  /// GRDB's `read` makes the connection read-only before `body` and writable after it. At each such
  /// change SQLite drops the compiled form of all statements, also of cached ones.
  public func readSnapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try unsafeRead { database in try database.transaction(.deferred) { try body(database) } }
  }
}

extension Database {
  fileprivate func transaction<Value>(
    _ kind: TransactionKind, _ body: () throws -> Value
  ) throws -> Value {
    try beginTransaction(kind)
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      try? rollback()
      throw error
    }
  }
}

extension DatabaseError {
  /// Whether SQLite failed because the system refused an operation.
  fileprivate var isOfSystem: Bool { [.SQLITE_IOERR, .SQLITE_CANTOPEN].contains(resultCode) }
}
