import Foundation
import GRDB

/// Where feeds and articles are kept: one SQLite file that several processes may use at once.
///
/// ```swift
/// let store = try ArticleStore(directory: "/home/ann/.local/share/argyle")
/// ```
public final class ArticleStore: Sendable {
  let database: any DatabaseWriter
  let path: String
  // SQLite works in calls that block: they have threads of their own. GRDB's own asynchronous calls
  // would put the system's pool to work, which from then on wakes the process every second.
  private let reading = DispatchQueue(label: "articles, reading", qos: .userInitiated)
  private let writing = DispatchQueue(label: "articles, writing", qos: .userInitiated)

  /// Opens `articles.sqlite` in a directory, making both when they do not exist.
  ///
  /// - Throws: ``StoreError``.
  public convenience init(directory: String) throws(StoreError) {
    let path = directory + "/articles.sqlite"
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
      try Self.checkIsOurs(path)
      let pool = try DatabasePool(path: path, configuration: Self.configuration)
      try Schema.migrate(pool, path: path)
      self.init(pool, path: path)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// A store that is gone with its last user: for tests and demonstrations.
  public static func inMemory() throws(StoreError) -> ArticleStore {
    do {
      let queue = try DatabaseQueue(configuration: configuration)
      try Schema.migrate(queue, path: ":memory:")
      return ArticleStore(queue, path: ":memory:")
    } catch {
      throw StoreError(error, path: ":memory:")
    }
  }

  private init(_ database: some DatabaseWriter, path: String) {
    self.database = database
    self.path = path
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    // Another process writes for milliseconds at a time; longer waits end in an error.
    configuration.busyMode = .timeout(10)
    configuration.label = "articles"
    return configuration
  }

  /// Looks at a file before it is opened for use, which would already change it.
  private static func checkIsOurs(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    guard let head = try file.read(upToCount: 72), !head.isEmpty else { return }
    guard head.starts(with: "SQLite format 3\0".utf8) else { throw StoreError.notOurs(path: path) }
    // While there is such a file, part of the truth is in there; and nothing would be changed that
    // is not so already.
    guard access(path + "-wal", F_OK) != 0 else { return }
    let mark = head.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    guard mark != UInt32(bitPattern: Schema.applicationID) else { return }
    var configuration = configuration
    configuration.readonly = true
    _ = try DatabaseQueue(path: path, configuration: configuration).read {
      try Schema.check($0, path: path)
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await run(on: reading) { [database] in try database.read(body) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await run(on: writing) { [database] in try database.write(body) }
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
}
