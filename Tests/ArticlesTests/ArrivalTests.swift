import Foundation
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// What is told of new articles.
@Suite struct ArrivalTests {
  private let server: TestServer
  private let directory: TemporaryDirectory

  init() throws {
    server = try TestServer()
    directory = try TemporaryDirectory()
  }

  /// Opens the library as a process of its own would.
  private func open() throws -> Library {
    Library(
      store: try ArticleStore(directory: directory.path), options: .patient,
      now: { Date(timeIntervalSince1970: 1_795_262_400) })
  }

  @Test func `what came since the program began to fetch is told once, what was there is not`()
    async throws
  {
    server["/feed"] = .whole(feedText(["a"]))
    try await open().add(server.url("/feed"))
    let library = try open()
    #expect(try await library.arrivals().articles.isEmpty, "nothing was fetched")
    server["/feed"] = .whole(feedText(["a", "b"]))
    try await library.reload()
    // Of the first fetch, too: nobody asked before it what was there.
    #expect(try await library.arrivals().articles.map(\.title) == ["b"])
    server["/feed"] = .whole(feedText(["a", "b", "c"]))
    server["/new"] = .whole(feedText(["d"]))
    try await library.reload()
    try await library.add(server.url("/new"))
    async let one = library.arrivals()
    async let other = library.arrivals()
    #expect(try await (one.own + other.own).map(\.title) == ["c"], "two ask at the same time")
  }

  @Test func `what another process has stored is told as its own`() async throws {
    let (reader, other) = (try open(), try open())
    server["/feed"] = .whole(feedText(["a"]))
    try await reader.add(server.url("/feed"))
    #expect(try await reader.arrivals().articles.isEmpty)
    server["/feed"] = .whole(feedText(["a", "b"]))
    try await reader.reload()
    #expect(try await reader.arrivals().own.map(\.title) == ["b"])
    server["/feed"] = .whole(feedText(["a", "b", "c"]))
    try await other.reload()
    #expect(try await other.arrivals().own.map(\.title) == ["c"])
    server["/feed"] = .whole(feedText(["a", "b", "c", "d"]))
    try await reader.reload()
    let arrivals = try await reader.arrivals()
    #expect(arrivals.articles.map(\.title).sorted() == ["c", "d"])
    #expect(arrivals.own.map(\.title) == ["d"])
    #expect(try await other.arrivals().articles.map(\.title) == ["d"])
  }
}
