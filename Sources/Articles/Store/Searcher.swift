import Foundation
import GRDB
import GRDBSQLite
import Storage
import Synchronization

/// A separate connection for searches, so that a slow search blocks nothing else and can be stopped
/// halfway when it is no longer needed.
final class Searcher: Sendable {
  private let file: StoreFile
  private let connection: StoreConnection
  /// How many steps of SQLite's virtual machine pass between two checks for cancellation: some
  /// microseconds.
  private static let stepsBetweenLooks: Int32 = 1_000

  /// Opens the file only on the first search, so that the program's start does not wait for it.
  init(_ file: StoreFile) {
    self.file = file
    connection = file.anotherReader("articles, searching")
  }

  deinit { connection.close() }

  /// One search, from the moment it is requested.
  final class Search: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    fileprivate func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Throws if the search was cancelled; called between two statements.
    func check() throws {
      if isCancelled { throw CancellationError() }
    }
  }

  /// Runs `body` in a read transaction, until the task is cancelled.
  ///
  /// - Throws: `StoreError`, `CancellationError`, or the error of `body`.
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
    _ search: Search, on reader: DatabaseQueue, _ body: (Database, Search) throws -> Value
  ) throws -> Value {
    do {
      return try reader.readSnapshot { database in
        try search.check()
        // Not `sqlite3_interrupt`: it has no effect between two statements, and might stop the next
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
