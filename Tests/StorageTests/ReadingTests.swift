import GRDB
import GRDBSQLite
import PseudoTerminal
import Testing

@testable import Storage

/// Tests of the connections that only read.
@Suite struct ReadingTests {
  private let directory: TemporaryDirectory
  private let file: StoreFile
  private let other: StoreConnection

  init() async throws {
    directory = try TemporaryDirectory()
    file = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 1))
    other = file.anotherReader("another")
    try await file.write { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
  }

  /// Runs a read on each of the two connections.
  private func onBoth<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> [Value] {
    try await [file.read(body), other.run { try $0.readSnapshot(body) }]
  }

  @Test func `a statement is compiled for the first read, and not again for the others`()
    async throws
  {
    let sql = "SELECT value FROM number"
    for _ in 1...3 {
      _ = try await onBoth { try Int.fetchAll($0.cachedStatement(sql: sql)) }
      try await file.write { try $0.execute(sql: "INSERT INTO number DEFAULT VALUES") }
    }
    let times = try await onBoth { database in
      sqlite3_stmt_status(
        try database.cachedStatement(sql: sql).sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
    }
    #expect(times == [0, 0])
    other.close()
  }

  @Test func `what reads cannot write`() async throws {
    for write in ["INSERT INTO number VALUES (2)", "DELETE FROM number", "DROP TABLE number"] {
      await #expect(throws: (any Error).self) { try await file.read { try $0.execute(sql: write) } }
      await #expect(throws: (any Error).self) {
        try await other.run { try $0.readSnapshot { try $0.execute(sql: write) } }
      }
    }
    let rows = try await onBoth { try Int.fetchAll($0, sql: "SELECT value FROM number") }
    #expect(rows == [[1], [1]])
    other.close()
  }
}
