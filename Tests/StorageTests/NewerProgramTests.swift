import GRDB
import PseudoTerminal
import Testing

@testable import Storage

/// An older program that has a file open while a newer one changes its tables.
@Suite struct NewerProgramTests {
  private let directory: TemporaryDirectory
  private let older: StoreFile
  private let reader: StoreConnection

  init() async throws {
    directory = try TemporaryDirectory()
    older = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 1))
    reader = older.anotherReader("another")
    try await older.write { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
  }

  private var refusal: StoreError {
    .newer(path: directory.path + "/numbers.sqlite", version: 2, known: 1)
  }

  @Test func `it neither writes nor reads from then on`() async throws {
    let newer = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 2))
    for durability in [nil, StoreFile.Durability.system] {
      await #expect(throws: refusal) {
        try await older.write(durability: durability) {
          try $0.execute(sql: "DELETE FROM number")
        }
      }
    }
    // A column that had a value in each row may have none now: to read it would end the process.
    await #expect(throws: refusal) {
      try await older.read { try Int.fetchAll($0, sql: "SELECT value FROM number") }
    }
    await #expect(throws: refusal) {
      try await reader.run { [older] in try $0.readSnapshot(older.checkIsUnchanged) }
    }
    let numbers = try await newer.read { try Int.fetchAll($0, sql: "SELECT value FROM number") }
    #expect(numbers == [1])
  }

  @Test func `writes that wait while it is changed are all refused`() async throws {
    let held = older.writing
    held.queue.suspend()
    let writes = (2...20).map { number in
      Task { [older] in
        try await older.write { try $0.execute(sql: "INSERT INTO number VALUES (\(number))") }
      }
    }
    let newer = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 2))
    held.queue.resume()
    for write in writes { await #expect(throws: refusal) { try await write.value } }
    let numbers = try await newer.read {
      try Int.fetchAll($0, sql: "SELECT value FROM number")
    }
    #expect(numbers == [1])
  }

  @Test func `what another program of the same version stores is no reason`() async throws {
    let other = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 1))
    try await other.write { try $0.execute(sql: "INSERT INTO number VALUES (2)") }
    try await older.write { try $0.execute(sql: "INSERT INTO number VALUES (3)") }
    let numbers = try await older.read { try Int.fetchAll($0, sql: "SELECT value FROM number") }
    #expect(numbers == [1, 2, 3])
  }
}

extension StoreSchema {
  static func numbers(steps: Int) -> StoreSchema {
    let all = [
      "CREATE TABLE number (value INTEGER PRIMARY KEY)", "ALTER TABLE number ADD COLUMN name TEXT",
    ]
    return StoreSchema(applicationID: 1, steps: Array(all.prefix(steps)))
  }
}
