import Foundation
import GRDB
import PseudoTerminal
import Testing

@testable import Storage

/// Files to which a symbolic link leads: SQLite's other files are beside the target of the link.
@Suite(.timeLimit(.minutes(1))) struct LinkedFileTests {
  private let directory: TemporaryDirectory
  private var folder: String { directory.path + "/elsewhere" }
  private var link: String { directory.path + "/numbers.sqlite" }

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "elsewhere/numbers.sqlite")
  }

  private func open(in directory: String) throws -> StoreFile {
    try StoreFile("numbers", in: directory, schema: .numbers(steps: 1))
  }

  private func insert(_ number: Int, into file: StoreFile) async throws {
    try await file.write {
      try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
    }
  }

  @Test func `every change by another process is noticed`() async throws {
    let file = try open(in: directory.path)
    let other = try open(in: folder)
    let (changes, noticed) = AsyncStream.makeStream(of: Void.self)
    let watch = try #require(ForeignChanges(of: file) { noticed.yield() })
    var iterator = changes.makeAsyncIterator()
    for number in 1...2 {
      try await insert(number, into: other)
      _ = await iterator.next()
    }
    withExtendedLifetime(watch) {}
    #expect(file.path == folder + "/numbers.sqlite")
  }

  @Test func `where it can only be read, what another process has in its log is read`()
    async throws
  {
    let writer = try open(in: folder)
    try await insert(1, into: writer)
    let file = try StoreFile(reading: "numbers", at: link, schema: .numbers(steps: 1))
    let numbers = try await file.read { try Int.fetchAll($0, sql: "SELECT value FROM number") }
    #expect(numbers == [1])
  }

  @Test func `a circle of links is no file`() throws {
    let files = FileManager.default
    try files.removeItem(atPath: link)
    try files.createSymbolicLink(atPath: link, withDestinationPath: "numbers.sqlite")
    #expect(throws: StoreError.self) { try open(in: directory.path) }
  }
}
