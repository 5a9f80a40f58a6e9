import Foundation
import GRDB
import PseudoTerminal
import Testing

@testable import Socks
@testable import Storage

/// Everything that a file can be instead of a drawer: it is said clearly, and left as it is.
@Suite struct DrawerFileTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/socks.sqlite"
  }

  private func refusal() -> StoreError? {
    do throws(SockError) {
      _ = try EmbeddedSockStore(directory: directory.path, bundled: [sock(1)])
      return nil
    } catch {
      guard case .store(let error) = error else { return nil }
      return error
    }
  }

  /// What the folder holds, byte by byte.
  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      contents[name] = try directory.bytes(of: name)
    }
    return contents
  }

  /// What the group and others may do with the files of the folder.
  private func permissions() throws -> [String: mode_t] {
    var permissions: [String: mode_t] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      var status = stat()
      try #require(stat(directory.path + "/" + name, &status) == 0)
      permissions[name] = status.st_mode & 0o777
    }
    return permissions
  }

  @Test func `nobody else may read it, whatever the folder allows, nor what was made before`()
    throws
  {
    chmod(directory.path, 0o755)
    let expected: [String: mode_t] = [
      "socks.sqlite": 0o600, "socks.sqlite-wal": 0o600, "socks.sqlite-shm": 0o600,
    ]
    let store = try EmbeddedSockStore(directory: directory.path, bundled: [sock(1)])
    #expect(try permissions() == expected)
    for name in expected.keys { chmod(directory.path + "/" + name, 0o644) }
    let other = try EmbeddedSockStore(directory: directory.path, bundled: [sock(1)])
    #expect(try permissions() == expected)
    withExtendedLifetime((store, other)) {}
  }

  @Test(arguments: ["my shopping list", "SQLite format 3", String(repeating: "\0", count: 5_000)])
  func `what is no database is refused and left as it is`(text: String) throws {
    _ = try directory.write(text, to: "socks.sqlite")
    let before = try contents()
    #expect(refusal() == .notOurs(path: path))
    #expect(try contents() == before)
  }

  @Test func `the articles' file under another name is refused and left as it is`() throws {
    let file = try StoreFile(
      "socks", in: directory.path,
      schema: StoreSchema(applicationID: 0x4172_6779, steps: ["CREATE TABLE feed (id)"]))
    file.closeAndWait()
    let before = try contents()
    #expect(refusal() == .notOurs(path: path))
    #expect(try contents() == before)
  }

  @Test func `a newer version's drawer is refused and left as it is`() throws {
    let store = try EmbeddedSockStore(directory: directory.path, bundled: [sock(1)])
    try store.file.writer.write { try $0.execute(sql: "PRAGMA user_version = 99") }
    store.file.closeAndWait()
    let before = try contents()
    #expect(
      refusal() == .newer(path: path, version: 99, known: StoreSchema.drawerSteps.count))
    #expect(try contents() == before)
  }

  @Test func `a damaged page is told when it is met, and nothing is overwritten`() async throws {
    let whole = try EmbeddedSockStore(
      directory: directory.path, bundled: (1...500).map { sock($0) })
    whole.file.closeAndWait()
    var bytes = try directory.bytes(of: "socks.sqlite")
    // Every page but the first, which tells what the file is.
    for index in 4_096..<bytes.count { bytes[index] = 0xAA }
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = SockError.store(.damaged(path: path))
    let store = try EmbeddedSockStore(directory: directory.path)
    await #expect(throws: damaged) { try await store.socks(0..<10, SockQuery()) }
    await #expect(throws: damaged) { try await store.sock(id(1)) }
    await #expect(throws: damaged) { try await store.update(id(1), [.sogginess(1)]) }
    await #expect(throws: damaged) { try await store.add(SockDraft([.name("New")])) }
    store.file.closeAndWait()
    #expect(try directory.bytes(of: "socks.sqlite") == bytes)
  }

  @Test func `a full disk is said to be full, and what was kept stays`() async throws {
    let store = try EmbeddedSockStore(directory: directory.path, bundled: [sock(1)])
    try await store.write { try $0.execute(sql: "PRAGMA max_page_count = 30") }
    var added = 0
    await #expect(throws: SockError.store(.full(path: path))) {
      while true {
        try await store.add(
          SockDraft([.name("Number \(added)"), .notes(String(repeating: "x", count: 4_000))]))
        added += 1
      }
    }
    #expect(added > 0)
    #expect(try await store.count(.all) == added + 1)
    try await store.update(id(1), [.sogginess(99)])
    let integrity = try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(integrity == ["ok"])
  }

  @Test(arguments: [
    (ENOSPC, StoreError.full(path: "/p")), (EDQUOT, .overQuota(path: "/p")),
    (EFBIG, .tooLarge(path: "/p")), (EIO, .failed(path: "/p", reason: "disk I/O error")),
  ])
  func `a write that the system refuses is told by what the system says`(
    systemError: Int32, error: StoreError
  ) {
    let refusal = DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "disk I/O error")
    #expect(StoreError(refusal, path: "/p", systemError: systemError) == error)
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may write everywhere"))
  func `a folder that may not be written is named, and stays empty`() throws {
    chmod(directory.path, 0o500)
    defer { chmod(directory.path, 0o700) }
    #expect(refusal() == .readOnly(path: path))
    #expect(try contents().isEmpty)
  }

  @Test func `a folder that cannot be made is named`() throws {
    let file = try directory.write("", to: "file")
    let error = #expect(throws: SockError.self) {
      _ = try EmbeddedSockStore(directory: file + "/data")
    }
    #expect(error == .store(.noFolder(path: file + "/data")))
  }

  @Test func `who finds the drawer locked waits its turn, and readers do not wait`() async throws {
    let store = try EmbeddedSockStore(directory: directory.path, bundled: [sock(1)])
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try await other.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
    }
    // Readers are not in anybody's way.
    #expect(try await store.count(.all) == 1)
    async let update: Void = store.update(id(1), [.sogginess(40)])
    try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    try await update
    #expect(try await store.sock(id(1)).sogginess == 40)
  }
}
