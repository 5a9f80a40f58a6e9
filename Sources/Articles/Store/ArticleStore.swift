import GRDB
import Storage
import Synchronization

/// Where feeds and articles are kept: one SQLite file that several processes may use at once.
///
/// ```swift
/// let store = try ArticleStore(directory: "/home/ann/.local/share/argyle")
/// ```
public final class ArticleStore: Sendable {
  let file: StoreFile
  let searcher: Searcher
  /// Whether an article that several feeds have is one in lists across feeds.
  let joinsCopies = Atomic(true)

  var database: DatabaseQueue { file.writer }
  var path: String { file.path }

  /// Opens `articles.sqlite` in a directory, making both when they do not exist.
  ///
  /// - Throws: ``StoreError``.
  public convenience init(directory: String) throws(StoreError) {
    // With the power, articles of the last moments may be lost, which are fetched again: a write to
    // the disk for each feed of a reload would be dearer than that. Marks cannot be fetched again:
    // they are written with `.disk`, and all that was written before them with them.
    self.init(
      try StoreFile("articles", in: directory, schema: .articles, durability: .system))
  }

  /// A store that is gone with its last user: for tests and demonstrations.
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

  /// - Parameter durability: the file's own, `.system`, unless told otherwise.
  func write<Value: Sendable>(
    durability: StoreFile.Durability? = nil,
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await file.write(durability: durability, body)
  }
}
