import Foundation
import Testing

@testable import Socks

@Suite struct ExchangeTests {
  let later = noon.addingTimeInterval(60)

  private func store(_ socks: [Sock] = []) throws -> EmbeddedSockStore {
    try EmbeddedSockStore(inMemoryWith: socks, now: { [later] in later })
  }

  private func exported(_ store: EmbeddedSockStore) async throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(try await store.everySock())
  }

  private func document(_ text: String) throws(DrawerDocumentError) -> DrawerDocument {
    try DrawerDocument(Data(text.utf8))
  }

  @Test func `what is exported comes back the same, pairs and order too`() async throws {
    var socks = [
      sock(5, "Zoe ✨\"\\", pair: 2, notes: "one\ntwo"), sock(2, pair: 5), sock(9, sogginess: 100),
    ]
    socks[0].picture = .web("https://example.org/a.png?b=c")
    socks[1].picture = .bundled("argyle-red")
    socks[2].picture = .file("/tmp/a b.png")
    socks[2].changed = later
    let exported = try await exported(try store(socks))
    let other = try store()
    let report = try await other.put(try DrawerDocument(exported))
    #expect(report == EmbeddedSockStore.PutReport(added: 3))
    #expect(try await other.everySock() == socks)
    // Once more it changes nothing.
    #expect(
      try await other.put(try DrawerDocument(exported))
        == EmbeddedSockStore.PutReport(unchanged: 3))
    #expect(try await other.everySock() == socks)
    // And it puts back what was changed meanwhile.
    try await other.pair(id(2), id(9))
    try await other.update(id(9), [.sogginess(0)])
    try await other.put(try DrawerDocument(exported))
    #expect(try await other.everySock() == socks)
  }

  @Test func `a document changes only what it says`() async throws {
    let store = try store([sock(1, pair: 2, notes: "kept"), sock(2, pair: 1), sock(3)])
    let document = try document(
      """
      [{"id": "\(id(1))", "sogginess": 77},
       {"id": "\(id(3).uuidString.lowercased())", "pair": "\(id(2))"},
       {"name": "New", "picture": null}]
      """)
    #expect(
      try await store.put(document) == EmbeddedSockStore.PutReport(added: 1, changed: 2))
    let socks = try await store.everySock()
    #expect(socks.map(\.sogginess) == [77, 10, 10, 0])
    #expect(socks.map(\.pair) == [nil, id(3), id(2), nil])
    #expect(socks.map(\.notes) == ["kept", "", "", ""])
    #expect(socks[3].name == "New")
    #expect(socks[3].created == later)
    #expect(brokenPairs(socks).isEmpty)
  }

  @Test(arguments: [
    ("", "This is not JSON."), ("[", "This is not JSON."), ("[{]", "This is not JSON."),
    ("{}", "This is JSON, but not an array of socks."),
    ("null", "This is JSON, but not an array of socks."),
    ("[1]", "Entry 1: it must be an object."),
    (#"[{"name": "A"}, null]"#, "Entry 2: it must be an object."),
    (#"[{"name": 1}]"#, "Entry 1, “name”: it must be a text."),
    (#"[{"name": null}]"#, "Entry 1, “name”: it must be a text."),
    (#"[{"name": ""}]"#, "Entry 1, “name”: The name is empty."),
    (#"[{"name": "a\nb"}]"#, "Entry 1, “name”: The name must be one line of text."),
    (
      #"[{"name": "A", "sogginess": 101}]"#,
      "Entry 1, “sogginess”: A sogginess of 101 is not possible."
    ),
    (#"[{"name": "A", "sogginess": 1.5}]"#, "Entry 1, “sogginess”: it must be a whole number."),
    (#"[{"name": "A", "sogginess": true}]"#, "Entry 1, “sogginess”: it must be a whole number."),
    (
      #"[{"name": "A", "soginess": 1}]"#, "Entry 1, “soginess”: socks have no such field."
    ),
    (#"[{"name": "A", "id": "1"}]"#, "Entry 1, “id”: it must be an id."),
    (
      #"[{"name": "A", "created": "yesterday"}]"#,
      "Entry 1, “created”: it must be a date as in 2026-11-21T19:05:33Z."
    ),
    (
      #"[{"name": "A", "picture": ""}]"#, "Entry 1, “picture”: it must be the address of a picture."
    ),
    (
      "[{\"name\": \"A\", \"id\": \"\(id(1))\"}, {\"name\": \"B\", \"id\": \"\(id(1))\"}]",
      "Entry 2, “id”: it is the same as in entry 1."
    ),
    (
      "[{\"name\": \"A\", \"id\": \"\(id(1))\", \"pair\": \"\(id(1))\"}]",
      "Entry 1, “pair”: a sock cannot be paired with itself."
    ),
    (
      "[{\"name\": \"A\", \"id\": \"\(id(1))\", \"pair\": \"\(id(2))\"}, {\"name\": \"B\", \"id\": \"\(id(2))\"}]",
      "Entry 1, “pair”: entry 2 is not paired with it."
    ),
    (
      "[{\"name\": \"A\", \"pair\": \"\(id(7))\"}, {\"name\": \"B\", \"pair\": \"\(id(7))\"}]",
      "Entry 2, “pair”: it is the same as in entry 1."
    ),
  ])
  func `a document that is wrong is refused, and what is wrong is named`(
    text: String, what: String
  ) {
    let error = #expect(throws: DrawerDocumentError.self) { try document(text) }
    #expect(error?.what == what)
  }

  @Test(arguments: [
    (
      "[{\"id\": \"\(id(1))\", \"sogginess\": 99}, {\"id\": \"\(id(8))\"}]",
      DrawerDocumentError.entry(2, key: "name", .missing)
    ),
    (
      "[{\"id\": \"\(id(1))\", \"sogginess\": 99}, {\"name\": \"A\", \"pair\": \"\(id(8))\"}]",
      .entry(2, key: "pair", .noSuchSock)
    ),
  ])
  func `a document that does not fit the drawer changes nothing of it`(
    text: String, error: DrawerDocumentError
  ) async throws {
    let store = try store([sock(1)])
    let document = try document(text)
    await #expect(throws: error) { try await store.put(document) }
    #expect(try await store.everySock() == [sock(1)])
  }

  @Test func `relative paths of pictures are those of a folder`() async throws {
    var document = try document(
      #"[{"name": "A", "picture": "../b/./c.png"}, {"name": "B", "picture": "bundled:x"}]"#)
    document.resolveFiles(in: "/home/ann/a")
    let store = try store()
    try await store.put(document)
    #expect(
      try await store.everySock().map(\.picture) == [.file("/home/ann/b/c.png"), .bundled("x")])
  }
}
