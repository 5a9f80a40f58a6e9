import Foundation
import GRDB
import PseudoTerminal
import Testing

@testable import Articles
@testable import Storage

@Suite struct StoreOpeningTests {
  private func refusal(_ directory: String) -> StoreError? {
    do throws(StoreError) {
      _ = try ArticleStore(directory: directory)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a file that is no database is refused and left as it is`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("my shopping list", to: "articles.sqlite")
    #expect(refusal(directory.path) == .notOurs(path: path))
    #expect(try directory.bytes(of: "articles.sqlite") == Data("my shopping list".utf8))
  }

  @Test(arguments: ["articles.sqlite", "articles.sqlite-wal", "articles.sqlite-shm"])
  func `a folder or a pipe in the place of a file is refused and not waited for`(name: String)
    throws
  {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/\(name)"
    try #require(mkfifo(path, 0o600) == 0)
    #expect(refusal(directory.path) == .notOurs(path: path))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(refusal(directory.path) == .notOurs(path: path))
  }

  @Test func `somebody else's database is refused and left as it is`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/articles.sqlite"
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE music (title)") }
    let before = try directory.bytes(of: "articles.sqlite")
    #expect(refusal(directory.path) == .notOurs(path: path))
    #expect(try directory.bytes(of: "articles.sqlite") == before)
  }

  @Test func `a newer version's database is refused and keeps its contents`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/articles.sqlite"
    do {
      let store = try ArticleStore(directory: directory.path)
      _ = try await store.insertFeed(address: "https://example.org/feed")
      try await store.write { try $0.execute(sql: "PRAGMA user_version = 99") }
      store.file.closeAndWait()
    }
    #expect(
      refusal(directory.path)
        == .newer(path: path, version: 99, known: StoreSchema.articleSteps.count))
    let count = try await DatabaseQueue(path: path).read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM feed")
    }
    #expect(count == 1)
  }

  @Test(arguments: [-1, 0, Int(Int32.min)])
  func `a version that no program has written is damage`(version: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/articles.sqlite"
    do {
      let store = try ArticleStore(directory: directory.path)
      try store.file.writer.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
      store.file.closeAndWait()
    }
    #expect(refusal(directory.path) == .damaged(path: path))
  }

  @Test(arguments: [true, false])
  func `a file that was removed or replaced is not written to any more`(isReplaced: Bool)
    async throws
  {
    let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let path = directory.path + "/articles.sqlite"
    let store = try ArticleStore(directory: directory.path)
    _ = try await store.insertFeed(address: "https://example.org/feed")
    _ = try ArticleStore(directory: other.path)
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + ending)
    }
    if isReplaced {
      try FileManager.default.moveItem(atPath: other.path + "/articles.sqlite", toPath: path)
    }
    for durability in [nil, StoreFile.Durability.disk] {
      await #expect(throws: StoreError.gone(path: path)) {
        try await store.write(durability: durability) {
          try $0.execute(sql: "DELETE FROM feed")
        }
      }
    }
  }

  @Test func `an empty file becomes a store`() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("", to: "articles.sqlite")
    #expect(refusal(directory.path) == nil)
  }

  @Test func `a folder that cannot be is said to be so`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "file")
    #expect(refusal(file) == .noFolder(path: file))
    #expect(refusal(file + "/data") == .noFolder(path: file + "/data"))
  }

  @Test func `a damaged file is said to be damaged`() async throws {
    let directory = try TemporaryDirectory()
    do {
      let store = try ArticleStore(directory: directory.path)
      try await store.write { try $0.execute(sql: "CREATE TABLE extra AS SELECT zeroblob(100000)") }
      try await store.file.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      store.file.closeAndWait()
    }
    var bytes = try directory.bytes(of: "articles.sqlite")
    for index in 100..<4_096 { bytes[index] = 0xAA }
    try bytes.write(to: URL(fileURLWithPath: directory.path + "/articles.sqlite"))
    #expect(throws: StoreError.damaged(path: directory.path + "/articles.sqlite")) {
      let store = try ArticleStore(directory: directory.path)
      do {
        try store.file.writer.read { _ = try Row.fetchAll($0, sql: "SELECT * FROM feed") }
      } catch {
        throw StoreError(error, path: store.path)
      }
    }
  }

  @Test func `every step of the schema is applied once, in order`() throws {
    let directory = try TemporaryDirectory()
    for _ in 0..<2 {
      let store = try ArticleStore(directory: directory.path)
      let version = try store.file.writer.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
      #expect(version == StoreSchema.articleSteps.count)
    }
  }
}
