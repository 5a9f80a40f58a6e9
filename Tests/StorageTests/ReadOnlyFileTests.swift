import Foundation
import GRDB
import PseudoTerminal
import Testing

@testable import Storage

/// Files in a folder that cannot be written.
@Suite struct ReadOnlyFileTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/numbers.sqlite" }

  init() async throws {
    directory = try TemporaryDirectory()
    let file = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 1))
    try await file.write { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
    file.closeAndWait()
  }

  private func open(steps: Int = 1) throws(StoreError) -> StoreFile {
    try StoreFile(reading: "numbers", at: path, schema: .numbers(steps: steps))
  }

  private func numbers(in file: StoreFile) async throws -> [Int] {
    try await file.read { try Int.fetchAll($0, sql: "SELECT value FROM number") }
  }

  private func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
  }

  @Test func `a file is read, and nothing is written to it or beside it`() async throws {
    let before = try directory.bytes(of: "numbers.sqlite")
    let file = try open()
    #expect(file.isReadOnly)
    #expect(try await numbers(in: file) == [1])
    let other = file.anotherReader("another")
    let count = try await other.run { reader in
      try reader.readSnapshot { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM number") }
    }
    #expect(count == 1)
    for durability in [nil, StoreFile.Durability.disk] {
      await #expect(throws: StoreError.readOnly(path: path)) {
        try await file.write(durability: durability) {
          try $0.execute(sql: "INSERT INTO number VALUES (2)")
        }
      }
    }
    #expect(try await numbers(in: file) == [1])
    other.close()
    file.closeAndWait()
    #expect(try directory.bytes(of: "numbers.sqlite") == before)
    #expect(try contents() == ["numbers.sqlite"])
  }

  @Test func `while another process has the file open, its changes are read`() async throws {
    let writer = try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 1))
    try await writer.write { try $0.execute(sql: "INSERT INTO number VALUES (2)") }
    let file = try open()
    #expect(try await numbers(in: file) == [1, 2])
    try await writer.write { try $0.execute(sql: "INSERT INTO number VALUES (3)") }
    #expect(try await numbers(in: file) == [1, 2, 3])
  }

  /// Lets another process write to the file, which then is longer, and close it.
  private static func change(_ path: String) throws {
    let writer = try DatabaseQueue(path: path)
    try writer.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE count (value) AS
            (VALUES (2) UNION ALL SELECT value + 1 FROM count WHERE value < 3000)
          INSERT INTO number SELECT value FROM count
          """)
    }
    try writer.close()
  }

  @Test func `a file that another process has changed is called changed, not damaged`()
    async throws
  {
    let file = try open()
    let other = file.anotherReader("another")
    #expect(try await numbers(in: file) == [1])
    try Self.change(path)
    await #expect(throws: StoreError.gone(path: path)) { try await numbers(in: file) }
    await #expect(throws: StoreError.gone(path: path)) {
      try await other.run { reader in
        try reader.readSnapshot { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM number") }
      }
    }
    other.close()
    #expect(try await numbers(in: open()).count == 3000)
  }

  @Test func `a change during a read is noticed`() async throws {
    let file = try open()
    await #expect(throws: StoreError.gone(path: path)) {
      try await file.read { [path] database in
        try Self.change(path)
        return try Int.fetchAll(database, sql: "SELECT value FROM number")
      }
    }
  }

  @Test func `a missing file, or one with older tables, is refused`() throws {
    #expect(throws: StoreError.readOnly(path: path)) { try open(steps: 2) }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: StoreError.readOnly(path: path)) { try open() }
    #expect(try contents().isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may write everywhere"))
  func `a folder that cannot be written is noticed`() async throws {
    chmod(directory.path, 0o500)
    defer { chmod(directory.path, 0o700) }
    #expect(throws: StoreError.readOnly(path: path)) {
      try StoreFile("numbers", in: directory.path, schema: .numbers(steps: 1))
    }
    let file = try StoreFile(
      "numbers", in: directory.path, schema: .numbers(steps: 1), mayBeReadOnly: true)
    #expect(try await numbers(in: file) == [1])
  }
}
