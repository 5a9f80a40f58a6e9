import Foundation
import GRDB

/// A SQLite file that several processes may use at once.
///
/// ```swift
/// let file = try StoreFile("articles", in: directory, schema: schema)
/// let count = try await file.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM article") }
/// ```
public final class StoreFile: Sendable {
  /// What has to be true when something is told to be kept.
  public enum Durability: Sendable {
    /// It has reached the disk.
    case disk
    /// It outlives the process; a machine that loses its power may lose the newest of it.
    case system

    /// What a connection is told.
    fileprivate var pragmas: String {
      switch self {
      // The second one for systems whose fsync ends before the disk has it.
      case .disk: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON"
      case .system: "PRAGMA synchronous = NORMAL"
      }
    }
  }

  /// The connection that writes: for what must not be asynchronous.
  public let writer: DatabaseQueue
  /// Where the file is.
  public let path: String
  // Two connections and no pool of them: a pool writes to the file whenever it is opened, which
  // other processes would be told of as a change. SQLite works in calls that block: they have threads
  // of their own. GRDB's own asynchronous calls would put the system's pool to work, which from then
  // on wakes the process every second.
  let reading: StoreConnection
  let writing: StoreConnection
  private let groups: WriteGroups
  private let ownDurability: Durability
  private let configuration: Configuration
  private let identity: FileIdentity?
  private let schema: StoreSchema
  /// What SQLite counts up when another connection than the writer has committed, as it was when the
  /// file was opened.
  let openedVersion: Int?
  /// How long somebody else's lock is waited for, in seconds.
  private static let patience = 10.0

  /// Opens `NAME.sqlite` in a directory, making both when they do not exist.
  ///
  /// - Throws: ``StoreError``.
  public convenience init(
    _ name: String, in directory: String, schema: StoreSchema, durability: Durability = .disk
  ) throws(StoreError) {
    let path = "\(directory)/\(name).sqlite"
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(makingFolderOf: path, error)
    }
    // SQLite needs files beside it, and its own answer to a folder that forbids them is vague.
    guard access(directory, W_OK) == 0 else { throw .readOnly(path: path) }
    do {
      try Self.checkIsOurs(path, schema: schema)
      Self.hideFromOthers(path)
      let configuration = Self.configuration(name, path, schema, durability)
      errno = 0
      let (writer, reader) = try Self.patiently {
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try Self.explaining(writer, path) { try schema.migrate(writer, path: path) }
        return (writer, try DatabaseQueue(path: path, configuration: configuration))
      }
      self.init(
        writer: writer, reader: reader, name: name, path: path, schema: schema,
        durability: durability)
    } catch {
      // There is no connection that could be asked: what this thread was refused last is what it was.
      throw StoreError(error, path: path, systemError: errno)
    }
  }

  /// A file that is gone with its last user: for tests and demonstrations.
  public static func inMemory(
    _ name: String, schema: StoreSchema
  ) throws(StoreError) -> StoreFile {
    do {
      let queue = try DatabaseQueue(
        configuration: configuration(name, ":memory:", schema, .system))
      try schema.migrate(queue, path: ":memory:")
      return StoreFile(
        writer: queue, reader: queue, name: name, path: ":memory:", schema: schema,
        durability: .system)
    } catch {
      throw StoreError(error, path: ":memory:")
    }
  }

  private init(
    writer: DatabaseQueue, reader: DatabaseQueue, name: String, path: String,
    schema: StoreSchema, durability: Durability
  ) {
    ownDurability = durability
    self.writer = writer
    self.path = path
    self.schema = schema
    configuration = reader.configuration
    openedVersion = try? writer.writeWithoutTransaction(Self.version)
    let identity = FileIdentity(path)
    self.identity = identity
    let isFile = identity != nil
    let writing = StoreConnection(
      label: "\(name), writing", path: path, isFile: isFile, writer)
    self.writing = writing
    reading =
      reader === writer
      ? writing : StoreConnection(label: "\(name), reading", path: path, isFile: isFile, reader)
    groups = WriteGroups(queue: writing.queue) { body in
      try writing.use { writer in
        try Self.writing(with: writer, path, identity) {
          try writer.write { database in
            try schema.checkIsUnchanged(database, path: path)
            try body(database)
          }
        }
      }
    }
  }

  // Behind what still waits for them; at once, this may be any thread.
  deinit {
    reading.close()
    writing.close()
  }

  /// Closes the file behind what waits for it, and waits for that; what comes later fails.
  ///
  /// For those who look at the file itself then, as tests do.
  func closeAndWait() {
    for connection in [reading, writing] {
      connection.close()
      connection.queue.sync {}
    }
  }

  /// Closes every file that this process has open, at the end of the process: what comes later for a
  /// file fails.
  ///
  /// What is in the log beside a file is copied into the file, and the log is removed when nobody
  /// else uses it: else the next start would have to read it all. A file that is in use for longer
  /// stays open, which loses nothing.
  ///
  /// - Parameter limit: how long that may take, in seconds.
  public static func closeAll(within limit: Double = 0.3) {
    StoreConnection.closeAll(within: limit)
  }

  private static func configuration(
    _ name: String, _ path: String, _ schema: StoreSchema, _ durability: Durability
  ) -> Configuration {
    var configuration = Configuration()
    // Another process writes for milliseconds at a time; longer waits end in an error.
    configuration.busyMode = .timeout(patience)
    configuration.label = name
    configuration.prepareDatabase { database in
      for function in schema.functions { database.add(function: function) }
      do {
        // In kB: two megabytes, which is what it would be else, do not hold a list of 10,000 rows,
        // that is read again and again while feeds come in.
        try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA cache_size = -8000")
        // The log beside the file is copied into it, which waits for the disk, when it has so many
        // pages: not in the middle of every reload. It is cut to that size when it starts again from
        // its beginning; else it would stay as long as it ever was.
        let pages = 2_000
        try database.execute(
          sql: """
            PRAGMA wal_autocheckpoint = \(pages); PRAGMA journal_size_limit = \(pages * 4_096)
            """)
        // What a part of a transaction may have to roll back is small: no file for that.
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        try database.execute(sql: durability.pragmas)
      } catch let error as DatabaseError where error.isOfSystem {
        throw StoreError(error, path: path, systemError: database.systemError)
      }
    }
    return configuration
  }

  /// Lets nobody but the user read a file and those beside it: addresses may have passwords.
  ///
  /// SQLite would make it as the user's other files are made, and those beside it like the file.
  private static func hideFromOthers(_ path: String) {
    // Never an existing one: to close it would take away the locks of this process's other connections.
    let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    for path in [path, path + "-wal", path + "-shm", path + "-journal"] {
      var status = stat()
      // One of another user stays as it is.
      guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      chmod(path, status.st_mode & 0o700)
    }
  }

  /// Looks at a file before it is opened for use, which would already change it.
  private static func checkIsOurs(_ path: String, schema: StoreSchema) throws {
    // A pipe would be waited for without an end.
    for path in [path, path + "-wal", path + "-shm"] {
      var status = stat()
      guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
        throw StoreError.notOurs(path: path)
      }
    }
    // While there is such a file, part of the truth is in there; and nothing would be changed that
    // is not so already. And while this process has another connection to it there is one: to close
    // the file here would take away the locks of that connection, and another process would take it
    // for gone, and remove the log that it writes to.
    guard access(path + "-wal", F_OK) != 0 else { return }
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    guard let bytes = try file.read(upToCount: DatabaseHead.size), !bytes.isEmpty else { return }
    guard let head = DatabaseHead(bytes) else { throw StoreError.notOurs(path: path) }
    if head.applicationID == schema.applicationID {
      try schema.check(version: head.version, path: path)
    } else if !head.isNew {
      throw StoreError.notOurs(path: path)
    }
  }

  // MARK: Using

  /// Reads, in one snapshot.
  ///
  /// - Throws: ``StoreError``, or what `body` throws.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await reading.run { [path, schema] reader in
      try Self.explaining(reader, path) {
        try reader.read { database in
          try schema.checkIsUnchanged(database, path: path)
          return try body(database)
        }
      }
    }
  }

  /// Refuses to go on where a newer version of the program has changed the tables since the file was
  /// opened: for those who read with ``anotherReader(_:)``.
  public func checkIsUnchanged(_ database: Database) throws {
    try schema.checkIsUnchanged(database, path: path)
  }

  /// Writes, all that `body` does or nothing, with the only right to write from its beginning; when
  /// this returns, what was written is as durable as the file's own ``Durability`` says, or
  /// `durability`.
  ///
  /// Writes that wait for each other may go into one transaction, which costs less; one with a
  /// `durability` of its own has its own, and does not wait for all that wait already.
  ///
  /// - Parameter body: may run more than once, when the first time came to nothing.
  /// - Throws: ``StoreError``, or what `body` throws; then nothing of it was written.
  public func write<Value: Sendable>(
    durability: Durability? = nil, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard let durability, durability != ownDurability else { return try await writeInGroup(body) }
    return try await writing.run { [path, schema, identity, ownDurability] writer in
      try Self.writing(with: writer, path, identity) {
        try writer.writeWithoutTransaction { database in
          // Of the connection, and only between transactions: what comes next has its own again.
          try database.execute(sql: durability.pragmas)
          defer { try? database.execute(sql: ownDurability.pragmas) }
          return try Self.transaction(in: database) {
            try schema.checkIsUnchanged($0, path: path)
            return try body($0)
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

  private static func transaction<Value>(
    in database: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    try database.beginTransaction(.immediate)
    do {
      let value = try body(database)
      try database.commit()
      return value
    } catch {
      try? database.rollback()
      throw error
    }
  }

  /// One more connection, for reading what would keep other readers waiting; the common one where
  /// the file is in memory.
  ///
  /// Its owner closes it.
  public func anotherReader(_ label: String) -> StoreConnection {
    guard reading !== writing else { return reading }
    return StoreConnection(label: label, path: path, isFile: true) { [path, configuration] in
      try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  /// What `openedVersion` is by now, waiting until nobody else, in this process or another, writes.
  func waitForVersion() throws -> Int? {
    try writing.queue.sync {
      try writing.use { writer in try Self.patiently { try writer.write(Self.version) } }
    }
  }

  private static func version(_ database: Database) throws -> Int? {
    try Int.fetchOne(database, sql: "PRAGMA data_version")
  }

  /// Writes to the file that was opened, and to no other: what is written to one that has lost its
  /// name is lost with the program.
  private static func writing<Value>(
    with writer: DatabaseQueue, _ path: String, _ identity: FileIdentity?,
    _ body: () throws -> Value
  ) throws -> Value {
    try patiently {
      guard identity == FileIdentity(path) else { throw StoreError.gone(path: path) }
      return try explaining(writer, path, body)
    }
  }

  /// Says of a failure of the system which one it was: only the connection knows.
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

  /// Tries again what another process's lock has stopped: SQLite does not wait for every lock, and
  /// of many that wait for one it may pass over the same again and again.
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

extension DatabaseError {
  /// Whether it is the system that has refused something to SQLite.
  fileprivate var isOfSystem: Bool { [.SQLITE_IOERR, .SQLITE_CANTOPEN].contains(resultCode) }
}

/// Which file a path leads to.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
