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
  }

  /// The connection that writes: for what must not be asynchronous.
  public let writer: DatabaseQueue
  /// Where the file is.
  public let path: String
  // Two connections and no pool of them: a pool writes to the file whenever it is opened, which
  // other processes would be told of as a change.
  private let reader: DatabaseQueue
  // SQLite works in calls that block: they have threads of their own. GRDB's own asynchronous calls
  // would put the system's pool to work, which from then on wakes the process every second.
  private let reading: DispatchQueue
  private let writing: DispatchQueue
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
      throw .cannotOpen(path: path, reason: "the folder cannot be made")
    }
    // SQLite needs files beside it, and its own answer to a folder that forbids them is vague.
    guard access(directory, W_OK) == 0 else { throw .readOnly(path: path) }
    do {
      try Self.checkIsOurs(path, schema: schema)
      let configuration = Self.configuration(name, schema, durability)
      let (writer, reader) = try Self.patiently {
        let writer = try DatabaseQueue(path: path, configuration: configuration)
        try schema.migrate(writer, path: path)
        return (writer, try DatabaseQueue(path: path, configuration: configuration))
      }
      self.init(writer: writer, reader: reader, name: name, path: path)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// A file that is gone with its last user: for tests and demonstrations.
  public static func inMemory(
    _ name: String, schema: StoreSchema
  ) throws(StoreError) -> StoreFile {
    do {
      let queue = try DatabaseQueue(configuration: configuration(name, schema, .system))
      try schema.migrate(queue, path: ":memory:")
      return StoreFile(writer: queue, reader: queue, name: name, path: ":memory:")
    } catch {
      throw StoreError(error, path: ":memory:")
    }
  }

  private init(writer: DatabaseQueue, reader: DatabaseQueue, name: String, path: String) {
    self.writer = writer
    self.reader = reader
    self.path = path
    reading = DispatchQueue(label: "\(name), reading", qos: .userInitiated)
    writing = DispatchQueue(label: "\(name), writing", qos: .userInitiated)
  }

  private static func configuration(
    _ name: String, _ schema: StoreSchema, _ durability: Durability
  ) -> Configuration {
    var configuration = Configuration()
    // Another process writes for milliseconds at a time; longer waits end in an error.
    configuration.busyMode = .timeout(patience)
    configuration.label = name
    configuration.prepareDatabase { database in
      for function in schema.functions { database.add(function: function) }
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      switch durability {
      // The second one for systems whose fsync ends before the disk has it.
      case .disk: try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
      case .system: try database.execute(sql: "PRAGMA synchronous = NORMAL")
      }
    }
    return configuration
  }

  /// Looks at a file before it is opened for use, which would already change it.
  private static func checkIsOurs(_ path: String, schema: StoreSchema) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    guard let bytes = try file.read(upToCount: DatabaseHead.size), !bytes.isEmpty else { return }
    // While there is such a file, part of the truth is in there; and nothing would be changed that
    // is not so already.
    guard access(path + "-wal", F_OK) != 0 else { return }
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
    try await run(on: reading) { [reader] in try reader.read(body) }
  }

  /// Writes, in one transaction that holds the only right to write from its beginning; when this
  /// returns, what was written is on the disk.
  ///
  /// - Throws: ``StoreError``, or what `body` throws; then nothing was written.
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await run(on: writing) { [writer] in
      try Self.patiently { try writer.write(body) }
    }
  }

  /// One more connection, for reading what would keep other readers waiting; the common one where
  /// the file is in memory.
  ///
  /// - Throws: ``StoreError``.
  public func connection() throws(StoreError) -> DatabaseQueue {
    guard writer !== reader else { return reader }
    var configuration = reader.configuration
    configuration.readonly = true
    do {
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Does something while nobody else, in this process or another, is writing.
  func waitingWrite<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Self.patiently { try writer.write(body) }
  }

  private func run<Value: Sendable>(
    on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    do {
      return try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result(catching: body)) }
      }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
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
