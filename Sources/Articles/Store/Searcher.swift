import Foundation
import GRDB
import GRDBSQLite
import Storage
import Synchronization

/// A connection for searches alone, so that one that takes its time keeps nothing else waiting and
/// can be stopped in the middle when nobody waits for it any more.
final class Searcher: Sendable {
  private let file: StoreFile
  private let connection: StoreConnection
  /// How many steps of SQLite's machine there are between two looks: some microseconds.
  private static let stepsBetweenLooks: Int32 = 1_000

  /// Opens nothing yet: a start does not wait for it.
  init(_ file: StoreFile) {
    self.file = file
    connection = file.anotherReader("articles, searching")
  }

  deinit { connection.close() }

  /// One search, from when it is asked for.
  final class Search: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    fileprivate func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// For between two statements.
    func check() throws {
      if isCancelled { throw CancellationError() }
    }
  }

  /// Reads, until the task is cancelled.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database, Search) throws -> Value
  ) async throws -> Value {
    let search = Search()
    return try await withTaskCancellationHandler {
      try await connection.run { [file] reader in
        try Self.run(search, on: reader) { database, search in
          try file.checkIsUnchanged(database)
          return try body(database, search)
        }
      }
    } onCancel: {
      search.cancel()
    }
  }

  private static func run<Value>(
    _ search: Search, on reader: any DatabaseReader, _ body: (Database, Search) throws -> Value
  ) throws -> Value {
    do {
      return try reader.read { database in
        try search.check()
        // Not SQLite's interrupt: that is lost between two statements, and it might hit the next
        // search on this connection.
        sqlite3_progress_handler(
          database.sqliteConnection, stepsBetweenLooks,
          { search in
            search.map { Unmanaged<Search>.fromOpaque($0).takeUnretainedValue() }?.isCancelled
              == true
              ? 1 : 0
          },
          Unmanaged.passUnretained(search).toOpaque())
        defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
        return try body(database, search)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      throw CancellationError()
    }
  }
}
