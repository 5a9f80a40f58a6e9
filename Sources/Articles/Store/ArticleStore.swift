import GRDB
import Storage
import Synchronization

/// Stores feeds and articles in one SQLite file that several processes may use at once.
///
/// ```swift
/// let store = try ArticleStore(directory: "/home/ann/.local/share/argyle")
/// ```
public final class ArticleStore: Sendable {
  let file: StoreFile
  let searcher: Searcher
  /// Whether lists across feeds show an article that several feeds carry only once.
  let joinsCopies = Atomic(true)
  let arrivalState = Mutex(ArrivalState())

  var path: String { file.path }

  /// Opens `articles.sqlite` in a directory; creates both if they do not exist.
  ///
  /// If the directory cannot be written or its disk is full, the stored articles can be read, see
  /// ``isReadOnly``.
  ///
  /// - Throws: ``StoreError``.
  public convenience init(directory: String) throws(StoreError) {
    // A power failure may lose the newest writes. Articles are fetched again, and waiting for the
    // disk after each feed of a reload would cost more than that. What the user does cannot be
    // fetched again: marks and changes of feeds are written with `.disk`, which also makes
    // everything written before them durable.
    self.init(
      try StoreFile(
        "articles", in: directory, schema: .articles, durability: .system, mayBeReadOnly: true))
  }

  /// Opens the file in a directory for reading.
  convenience init(reading directory: String) throws(StoreError) {
    self.init(
      try StoreFile(reading: "articles", at: directory + "/articles.sqlite", schema: .articles))
  }

  /// Whether nothing can be stored, because the directory cannot be written or its disk was full.
  public var isReadOnly: Bool { file.isReadOnly }

  /// Creates a store in memory, which disappears with its last user: for tests and demonstrations.
  public static func inMemory() throws(StoreError) -> ArticleStore {
    ArticleStore(try StoreFile.inMemory("articles", schema: .articles))
  }

  private init(_ file: StoreFile) {
    self.file = file
    searcher = Searcher(file)
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await file.read(body)
  }

  /// - Parameter durability: nil for the file's own, which is `.system`.
  func write<Value: Sendable>(
    durability: StoreFile.Durability? = nil,
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await file.write(durability: durability, body)
  }
}

extension Database {
  /// Runs a statement, which is parsed only the first time.
  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Runs a statement, and returns whether it has changed any row.
  func changes(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    try run(sql, arguments)
    return changesCount > 0
  }
}

// Ids are passed to statements and read from rows as they are.
extension Article.ID: DatabaseValueConvertible, StatementColumnConvertible {}
extension Feed.ID: DatabaseValueConvertible, StatementColumnConvertible {}
extension SyncAccount.ID: DatabaseValueConvertible, StatementColumnConvertible {}
extension Download.ID: DatabaseValueConvertible, StatementColumnConvertible {}
