import Foundation
import PseudoTerminal
import Testing

@testable import SockFixture
@testable import Socks

/// Several programs and one drawer.
@Suite struct SharedDrawerTests {
  private func openDrawer(_ directory: TemporaryDirectory) throws -> EmbeddedSockStore {
    try EmbeddedSockStore(
      directory: directory.path, bundled: FixedDrawer.socks, now: { FixedDrawer.date })
  }

  @Test func `programs that change one drawer at once lose nothing, and none finds it locked`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let drawer = try openDrawer(directory)
    let children = try [("sogginess", 60), ("notes", 60), ("pairs", 60)].map { what, count in
      try Child("SockFixture", [what, directory.path, "1", "\(count)"])
    }
    // This program takes part, too.
    for number in 1...60 {
      try await drawer.update(FixedDrawer.id(1), [.colour("colour \(number)")])
    }
    for child in children {
      let (status, lines) = child.finished()
      #expect(status == 0)
      #expect(lines.last == "saved 60")
    }
    let socks = try await drawer.everySock()
    #expect(socks[0].sogginess == 60)
    #expect(socks[0].notes == "60")
    #expect(socks[0].colour == "colour 60")
    #expect(socks.map(\.pair) == [FixedDrawer.id(2), FixedDrawer.id(1), nil])
  }

  @Test func `a drawer that many make at once is filled once`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await EmbeddedSockStore(directory: path, bundled: FixedDrawer.socks).count(.all)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 3, count: 8))
  }

  @Test(.timeLimit(.minutes(10)))
  func `what another program changes is told`() async throws {
    let directory = try TemporaryDirectory()
    let drawer = try openDrawer(directory)
    var changes = drawer.changes().makeAsyncIterator()
    let child = try Child("SockFixture", ["notes", directory.path, "1", "1"])
    // It comes although the log is written before the change can be seen.
    while try await drawer.sock(FixedDrawer.id(1)).notes != "1" { _ = await changes.next() }
    #expect(child.finished().status == 0)
    #expect(try await drawer.sock(FixedDrawer.id(1)).notes == "1")
  }

  @Test(.timeLimit(.minutes(10)))
  func `every change of this program is told, and what changes nothing is not`() async throws {
    var opened: EmbeddedSockStore? = try EmbeddedSockStore(inMemoryWith: FixedDrawer.socks)
    var changes = try #require(opened?.changes()).makeAsyncIterator()
    do {
      let drawer = try #require(opened)
      try await drawer.remove(FixedDrawer.id(2))
      try #require(await changes.next() != nil)
      try await drawer.update(FixedDrawer.id(1), [.sogginess(5)])
      try #require(await changes.next() != nil)
      // None of these is a change.
      try await drawer.update(FixedDrawer.id(1), [.sogginess(5)])
      await #expect(throws: SockError.self) { try await drawer.remove(FixedDrawer.id(9)) }
      await #expect(throws: SockError.self) {
        try await drawer.write { database in
          try database.execute(sql: "UPDATE sock SET sogginess = 7")
          try database.execute(sql: "UPDATE sock SET sogginess = 700")
        }
      }
    }
    opened = nil
    let more: Void? = await changes.next()
    #expect(more == nil)
  }

  @Test func `the stream of changes ends with the drawer`() async throws {
    var drawer: EmbeddedSockStore? = try EmbeddedSockStore(inMemoryWith: [])
    let changes = try #require(drawer?.changes())
    drawer = nil
    for await _ in changes { Issue.record("nothing has changed") }
  }
}
