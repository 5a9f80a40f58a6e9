import Foundation
import GRDB
import PseudoTerminal
@testable import Storage
import Testing

@testable import Socks

@Suite struct SockStoreTests {
  let later = noon.addingTimeInterval(60)

  private func store(_ socks: [Sock]) throws -> EmbeddedSockStore {
    try EmbeddedSockStore(inMemoryWith: socks, now: { [later] in later })
  }

  // MARK: What is kept

  @Test func `what was kept is there when the drawer is opened again`() async throws {
    let directory = try TemporaryDirectory()
    let draft = SockDraft(
      id: id(7),
      [
        .name("Grün, links"), .picture(.web("https://example.org/a.png")), .sogginess(30),
        .pattern("dots"), .colour("green"), .notes("darned\ntwice"),
      ])
    do {
      let store = try EmbeddedSockStore(directory: directory.path + "/a/b", now: { noon })
      try await store.add(draft)
    }
    let store = try EmbeddedSockStore(directory: directory.path + "/a/b")
    #expect(try await store.all() == [draft.sock(at: noon)])
    #expect(try await store.sock(id(7)) == draft.sock(at: noon))
  }

  @Test func `a new drawer is filled once, and one that was emptied stays empty`() async throws {
    let directory = try TemporaryDirectory()
    let bundled = [sock(1, pair: 2), sock(2, pair: 1), sock(3)]
    do {
      let store = try EmbeddedSockStore(directory: directory.path, bundled: bundled)
      #expect(try await store.all() == bundled)
      for sock in bundled { try await store.remove(sock.id) }
    }
    let store = try EmbeddedSockStore(directory: directory.path, bundled: bundled)
    #expect(try await store.all().isEmpty)
  }

  @Test func `a drawer that cannot be filled is not made`() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: SockError.self) {
      _ = try EmbeddedSockStore(
        directory: directory.path, bundled: [sock(1), sock(2, sogginess: 101)])
    }
    var configuration = Configuration()
    // The file may still be closing.
    configuration.busyMode = .timeout(10)
    let tables = try DatabaseQueue(
      path: directory.path + "/socks.sqlite", configuration: configuration
    ).read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master")
    }
    #expect(tables == 0)
  }

  @Test func `a drawer of before texts were looked up is brought up to date, whole`() async throws {
    let directory = try TemporaryDirectory()
    let socks = [sock(1, "赤い靴下"), sock(2, "جورب أحمر", pair: 3), sock(3, pair: 2)]
    do {
      let schema = StoreSchema.drawer(filledWith: socks)
      _ = try StoreFile(
        "socks", in: directory.path,
        schema: StoreSchema(
          applicationID: schema.applicationID, steps: Array(schema.steps.prefix(1)),
          fill: schema.fill))
    }
    for _ in 0..<2 {
      let store = try EmbeddedSockStore(directory: directory.path, bundled: [sock(9)])
      #expect(try await store.socks(0..<9, SockQuery(order: SockOrder(by: .created))) == socks)
      for (text, found) in [("赤い靴", 1), ("靴下", 1), ("رب أح", 2), ("red", 3)] {
        let socks = try await store.socks(0..<1, SockQuery(filter: SockFilter(text: text)))
        #expect(socks.first?.id == (text == "red" ? id(3) : id(found)), "\(text)")
      }
      try await store.checkTexts()
    }
  }

  // MARK: Changing

  @Test func `an update changes the fields it names, and the date`() async throws {
    let store = try store([sock(1)])
    try await store.update(id(1), [.sogginess(40), .name("Renamed")])
    var expected = sock(1, "Renamed", sogginess: 40)
    expected.changed = later
    #expect(try await store.sock(id(1)) == expected)
  }

  @Test func `an update that changes nothing writes nothing`() async throws {
    let store = try store([sock(1)])
    try await store.write {
      try $0.execute(
        sql: "CREATE TRIGGER t BEFORE UPDATE ON sock BEGIN SELECT RAISE(ABORT, 'x'); END")
    }
    try await store.update(id(1), [.sogginess(10)])
    #expect(try await store.sock(id(1)) == sock(1))
    await #expect(throws: SockError.self) { try await store.update(id(1), [.sogginess(11)]) }
  }

  struct Refused: CustomTestStringConvertible {
    let edit: SockEdit
    let refusal: SockRefusal
    // Some are very long.
    var testDescription: String { "\(refusal)" }

    init(_ edit: SockEdit, _ refusal: SockRefusal) {
      self.edit = edit
      self.refusal = refusal
    }
  }

  @Test(arguments: [
    Refused(.sogginess(-1), .sogginess(-1)), Refused(.sogginess(101), .sogginess(101)),
    Refused(.name(""), .empty(.name)), Refused(.name(" \u{A0}"), .empty(.name)),
    Refused(.name("a\nb"), .notOneLine(.name)),
    Refused(.colour("\u{1B}[31m"), .notOneLine(.colour)),
    Refused(.pattern("a\u{2028}b"), .notOneLine(.pattern)),
    Refused(.name(String(repeating: "é", count: 201)), .tooLong(.name, limit: 200)),
    Refused(.notes(String(repeating: "x", count: 20_001)), .tooLong(.notes, limit: 20_000)),
    Refused(.notes("a\0b"), .notOneLine(.notes)), Refused(.picture(.file("")), .noPicture),
    Refused(.picture(.file("https://example.org")), .noPicture),
  ])
  func `what a sock cannot be like is refused and not written`(refused: Refused) async throws {
    let (edit, refusal) = (refused.edit, refused.refusal)
    let store = try store([sock(1)])
    await #expect(throws: SockError.invalid(refusal)) {
      try await store.update(id(1), [.colour("blue"), edit])
    }
    #expect(try await store.all() == [sock(1)])
    let new = SockDraft(id: id(2), [.name("New"), edit])
    await #expect(throws: SockError.invalid(refusal)) { try await store.add(new) }
    #expect(try await store.count(.all) == 1)
  }

  @Test(arguments: [
    "UPDATE sock SET sogginess = 101", "UPDATE sock SET sogginess = -1",
    "UPDATE sock SET sogginess = 'wet'", "UPDATE sock SET name = ''",
    "UPDATE sock SET pair = id", "UPDATE sock SET pair = 'nobody'",
    "UPDATE sock SET id = 'short'", "UPDATE sock SET pair = '\(id(1).uuidString)' WHERE key > 1",
  ])
  func `the table itself refuses what no sock can be`(sql: String) async throws {
    let store = try store([sock(1), sock(2), sock(3)])
    await #expect(throws: SockError.self) { try await store.write { try $0.execute(sql: sql) } }
    #expect(try await store.all() == [sock(1), sock(2), sock(3)])
  }

  @Test func `a sock is added once`() async throws {
    let store = try store([sock(1)])
    await #expect(throws: SockError.alreadyThere(id(1))) {
      try await store.add(SockDraft(id: id(1), [.name("Again")]))
    }
    #expect(try await store.all() == [sock(1)])
  }

  @Test func `what is not there cannot be read or changed`() async throws {
    let store = try store([sock(1)])
    let missing = SockError.noSuchSock(id(9))
    await #expect(throws: missing) { try await store.sock(id(9)) }
    await #expect(throws: missing) { try await store.update(id(9), [.sogginess(1)]) }
    await #expect(throws: missing) { try await store.remove(id(9)) }
    await #expect(throws: missing) { try await store.pair(id(1), id(9)) }
    await #expect(throws: missing) { try await store.pair(id(9), id(1)) }
    await #expect(throws: missing) { try await store.unpair(id(9)) }
    await #expect(throws: missing) { try await store.partners(of: id(9), limit: 1) }
    #expect(try await store.all() == [sock(1)])
  }

  // MARK: Pairs

  @Test func `two socks become a pair, and who was theirs is single`() async throws {
    let store = try store([
      sock(1, pair: 2), sock(2, pair: 1), sock(3, pair: 4), sock(4, pair: 3), sock(5),
    ])
    try await store.pair(id(2), id(3))
    #expect(try await store.all().map(\.pair) == [nil, id(3), id(2), nil, nil])
    #expect(try await store.all().map(\.changed) == [later, later, later, later, noon])
    try await store.pair(id(3), id(2))
    try await store.unpair(id(3))
    try await store.unpair(id(5))
    #expect(try await store.all().map(\.pair) == [nil, nil, nil, nil, nil])
    await #expect(throws: SockError.pairedWithItself) { try await store.pair(id(1), id(1)) }
  }

  @Test func `the other one of a removed sock is single`() async throws {
    let store = try store([sock(1, pair: 2), sock(2, pair: 1)])
    try await store.remove(id(1))
    var expected = sock(2)
    expected.changed = later
    #expect(try await store.all() == [expected])
  }

  @Test func `partners are single and alike in pattern and colour`() async throws {
    let store = try store([
      sock(1, pair: 2), sock(2, pair: 1), sock(3, "Zoe"), sock(4, "Ann"), sock(5, colour: "blue"),
      sock(6, pattern: "dots"),
    ])
    #expect(try await store.partners(of: id(1), limit: 9).map(\.id) == [id(4), id(3)])
    #expect(try await store.partners(of: id(1), limit: 1).map(\.id) == [id(4)])
    #expect(try await store.partners(of: id(3), limit: 9).map(\.id) == [id(4)])
    #expect(try await store.partners(of: id(5), limit: 9).isEmpty)
  }

  // MARK: Lists

  @Test func `an id is found by its beginning`() async throws {
    let store = try store([sock(0xA1), sock(0xA2), sock(0xB1)])
    #expect(try await store.ids(withPrefix: "00000000-0000-0000-0000-0000000000b1") == [id(0xB1)])
    let some = try await store.ids(withPrefix: "00000000-0000-0000-0000-0000000000A")
    #expect(some == [id(0xA1), id(0xA2)])
    #expect(try await store.ids(withPrefix: "0", limit: 2).count == 2)
    #expect(try await store.ids(withPrefix: "").count == 3)
    #expect(try await store.ids(withPrefix: "F").isEmpty)
    #expect(try await store.ids(withPrefix: "_%").isEmpty)
  }
}
