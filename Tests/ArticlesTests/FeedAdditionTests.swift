import Foundation
import GRDB
import Loading
import Synchronization
import TestServer
import Testing

@testable import Articles

/// Adding feeds, and those that are mistaken.
@MainActor @Suite struct FeedAdditionTests {
  let server: TestServer
  let today = Today()
  let library: Library

  init() throws {
    server = try TestServer()
    library = Library(
      store: try .inMemory(), options: .patient, now: { [today] in today.now })
  }

  @Test func `a new feed has no more articles than a reload keeps`() async throws {
    server["/feed"] = .whole(feedText((0..<25).map { "\($0)" }))
    library.options.retention = Retention(age: nil, countPerFeed: 10)
    let addition = try await library.addition(of: server.url("/feed"))
    #expect(addition.dropped == 15)
    let kept = try await library.storedArticles(matching: ArticleQuery()).map(\.title)
    #expect(kept == (0..<10).map { "\($0)" })
    try await library.reload()
    #expect(try await library.storedArticles(matching: ArticleQuery()).map(\.title) == kept)
  }

  @Test func `a page without a feed is kept only when that is asked for, with the reason`()
    async throws
  {
    server["/feed"] = .whole("<html><p>Sorry", status: 200)
    await #expect(throws: FeedError.notAFeed(found: .html)) {
      try await library.add(server.url("/feed"))
    }
    #expect(try await library.addedFeeds().isEmpty)
    await #expect(throws: FeedError.notAFeed(found: .html)) {
      try await library.add(server.url("/feed"), keepsMistakes: true)
    }
    let summary = try #require(await Resource(library.feeds()).refresh().value?.first)
    #expect(summary.feed.address == server.url("/feed"))
    #expect(summary.failure?.message.what == "This is a web page, not a feed.")
    #expect(summary.failure?.date == today.now)

    server["/feed"] = .whole(feedText(["a"]))
    let report = try await library.reload()
    #expect(report.entries.map(\.outcome) == [.updated(newArticles: 1)])
    #expect(await Resource(library.feeds()).refresh().value?.first?.failure == nil)
  }

  @Test func `the same address is refused a second time`() async throws {
    server["/feed"] = .whole(feedText([]))
    try await library.add(server.url("/feed"))
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/feed"))) {
      try await library.add("  " + server.url("/feed"))
    }
    await #expect(throws: LibraryError.unusableAddress("javascript://x")) {
      try await library.add("javascript://x")
    }
  }

  @Test func `a feed that cannot be fetched is corrected by adding it again with a password`()
    async throws
  {
    server.answer("/feed") { request in
      request["Authorization"] == "Basic YW5uOnNlY3JldA=="
        ? .whole(feedText(["a"])) : .whole("", status: 401)
    }
    func address(_ password: String) -> String {
      server.url("/feed").replacing("http://", with: "http://ann:\(password)@")
    }
    let failed = try await library.addition(of: server.url("/feed"))
    #expect(failed.failure != nil)
    let wrong = try await library.addition(of: address("wrong"), keepsMistakes: true)
    #expect(wrong.failure as? FetchError == .passwordRefused)
    #expect(wrong.kind == .fetchedAgain)
    #expect(try await library.addedFeeds().map(\.feed.id) == [failed.feed.id])
    let corrected = try await library.addition(of: address("secret"))
    #expect(corrected.feed.id == failed.feed.id)
    #expect(corrected.failure == nil)
    #expect(try await library.storedArticles(matching: ArticleQuery()).map(\.title) == ["a"])
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/feed"))) {
      try await library.addition(of: address("secret"))
    }
    // What it has stays until other credentials are accepted.
    #expect(try await library.addition(of: address("wrong")).failure != nil)
    #expect(try await library.reload().error == nil)
    // Only its first addition is undone.
    #expect(try await library.undo()?.kind == .addedFeed)
    #expect(try await library.undo() == nil)
  }

  @Test func `a password is not called wrong by a server that did not get it`() async throws {
    let other = try TestServer()
    server["/feed"] = .redirect(to: other.url("/feed"))
    other["/feed"] = .whole("", status: 401)
    let address = server.url("/feed").replacing("://", with: "://ann:secret@")
    let addition = try await library.addition(of: address, keepsMistakes: true)
    #expect(addition.failure as? FetchError == .passwordWithheld(address: other.url("/feed")))
  }

  @Test func `a corrected password is kept when the feed has moved on its server`() async throws {
    let allows = { @Sendable (request: RecordedRequest) in
      request["Authorization"] == "Basic " + Data("ann:right".utf8).base64EncodedString()
    }
    server.answer("/old") { [server] in
      allows($0) ? .redirect(to: server.url("/new"), status: 301) : .whole("", status: 401)
    }
    server.answer("/new") { allows($0) ? .whole(feedText(["a"])) : .whole("", status: 401) }
    let address = { (password: String) in
      server.url("/old").replacing("://", with: "://ann:\(password)@")
    }
    #expect(try await library.addition(of: address("wrong"), keepsMistakes: true).failure != nil)
    #expect(try await library.addition(of: address("right")).failure == nil)
    let stored = try #require(try await library.store.feeds(in: .all).first)
    #expect(stored.feed.address == server.url("/new"))
    #expect(stored.credentials?.text == "ann:right")
    #expect(try await library.reload().error == nil)
  }

  @Test func `a page among imported feeds is replaced with its feed by adding it again`()
    async throws
  {
    server["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    server["/feed"] = .whole(feedText(["a"], title: "Found"))
    let opml = "<opml><body><outline xmlUrl='\(server.url("/"))'/></body></opml>"
    try await library.add(OPML.read(Array(opml.utf8)))
    try await library.reload()
    #expect(try await library.addedFeeds().map(\.articleCount) == [0])
    let addition = try await library.addition(of: server.url("/"))
    #expect(addition.feed.address == server.url("/feed"))
    #expect(try await library.addedFeeds().map(\.articleCount) == [1])
  }

  @Test(arguments: [false, true])
  func `a removed feed that a page names is back, also if it cannot be fetched now`(
    pageIsThere: Bool
  ) async throws {
    let feed = server.url("/feed")
    server["/feed"] = .whole(feedText(["a"]))
    let removed = try await library.addition(of: feed).feed.id
    try await library.remove(removed)
    if pageIsThere {
      server["/"] = .whole("", status: 500)
      _ = try await library.addition(of: server.url("/"))
    }
    server["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    server["/feed"] = .whole("", status: 500)
    let added = try await library.addition(of: server.url("/"))
    #expect(added.feed.id == removed)
    #expect(added.failure != nil)
    let summaries = try await library.addedFeeds()
    #expect(summaries.map(\.feed.address) == [feed])
    #expect(summaries.first?.failure != nil)
    guard !pageIsThere else { return }
    #expect(try await library.undo()?.undoing == .all)
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test(arguments: [false, true])
  func `a removed feed that a page names stays removed if the addition is cancelled`(
    pageIsThere: Bool
  ) async throws {
    server["/feed"] = .whole(feedText(["a"]))
    try await library.remove(library.addition(of: server.url("/feed")).feed.id)
    if pageIsThere {
      server["/"] = .whole("", status: 500)
      _ = try await library.addition(of: server.url("/"))
    }
    let before = try await library.addedFeeds().map(\.feed.address)
    server["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    server["/feed"] = .heldHead(feedText(["a", "b"]))
    // While the articles are stored, which is after the feed has taken the place of the page.
    try await cancelAddition(of: "/", at: "UPDATE OF lastFetched ON feed") {
      try await server.request(to: "/feed", count: 2)
      server.release("/feed")
    }
    #expect(try await library.addedFeeds().map(\.feed.address) == before)
  }

  @Test func `an addition is taken back if it is cancelled while the feed is inserted`()
    async throws
  {
    server["/feed"] = .whole(feedText(["a"]))
    try await cancelAddition(of: "/feed", at: "INSERT ON feed")
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test func `a feed whose articles are being stored when its addition is cancelled can be undone`()
    async throws
  {
    server["/feed"] = .whole(feedText(["a"]))
    try await cancelAddition(of: "/feed", at: "UPDATE OF lastFetched ON feed")
    #expect(try await library.addedFeeds().count == 1)
    #expect(try await library.undo()?.kind == .addedFeed)
    #expect(try await library.addedFeeds().isEmpty)
  }

  /// Adds a feed, and cancels that in a trigger.
  private func cancelAddition(
    of path: String, at event: String, meanwhile: () async throws -> Void = {}
  ) async throws {
    let addition = Mutex<Task<Library.Addition, any Error>?>(nil)
    try await library.store.write { database in
      database.add(
        function: DatabaseFunction("cancelAddition", argumentCount: 0) { _ in
          addition.withLock { $0?.cancel() }
          return nil
        })
      try database.execute(
        sql: "CREATE TEMP TRIGGER cancelling AFTER \(event) BEGIN SELECT cancelAddition(); END")
    }
    // It waits for the task to be known.
    addition.withLock { addition in
      addition = Task { [library, server] in try await library.addition(of: server.url(path)) }
    }
    let running = try #require(addition.withLock { $0 })
    try await meanwhile()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func `a cancelled addition is taken back, unless another process has fetched the feed`()
    async throws
  {
    server["/feed"] = .heldHead(feedText(["a"]))
    let address = server.url("/feed")
    let running = Task { [library] in try await library.addition(of: address) }
    try await server.hold(at: "/feed")
    #expect(try await library.addedFeeds().map(\.feed.address) == [address])
    running.cancel()
    await library.uncancelledWritesFinished()
    #expect(try await library.addedFeeds().isEmpty)
    await #expect(throws: CancellationError.self) { try await running.value }

    let another = Task { [library] in try await library.addition(of: address) }
    try await server.hold(at: "/feed", count: 2)
    let id = try #require(try await library.addedFeeds().first).id
    try await library.store.write { database in
      try database.execute(
        sql: "UPDATE feed SET lastFetched = 1 WHERE id = ?", arguments: [id])
    }
    another.cancel()
    await #expect(throws: CancellationError.self) { try await another.value }
    #expect(try await library.addedFeeds().map(\.feed.address) == [address])
  }

  @Test func `a removed feed that a page names stays removed if it is no feed any more`()
    async throws
  {
    server["/feed"] = .whole(feedText(["a"]))
    try await library.remove(library.addition(of: server.url("/feed")).feed.id)
    server["/"] = .whole("<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    server["/feed"] = .whole("Gone fishing.")
    await #expect(throws: FeedError.self) { try await library.addition(of: server.url("/")) }
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test func `a feed with articles is not removed because its address names one that is there`()
    async throws
  {
    server["/old"] = .whole(feedText(["a"]))
    server["/feed"] = .whole(feedText(["b"]))
    for path in ["/old", "/feed"] { try await library.add(server.url(path)) }
    server["/old"] = .whole(
      "<!doctype html><link rel=alternate type=application/rss+xml href=/feed>")
    try await library.reload()
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/feed"))) {
      try await library.addition(of: server.url("/old"))
    }
    #expect(try await library.addedFeeds().map(\.articleCount) == [1, 1])
  }

  @Test(arguments: [" ", "\n", "\r\n  "])
  func `several addresses are refused, and not joined to one`(separator: String) async throws {
    let text = "https://example.org/a" + separator + "https://example.org/b"
    await #expect(throws: LibraryError.severalAddresses(2)) { try await library.add(text) }
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test(arguments: [
    ("", "The feed ends in the middle."),
    (
      "<item></guid></item></channel></rss>",
      "The feed has a mistake in line 1 and cannot be read further."
    ),
  ])
  func `what comes before a mistake is there, the failure too, and the rest is fetched again`(
    rest: String, failure: String
  ) async throws {
    let whole = feedText(["a", "b"])
    let headers = ["ETag": "\"1\"", "Last-Modified": "Fri, 27 Nov 2026 08:00:00 GMT"]
    let end = try #require(whole.range(of: "<item><guid>b"))
    server["/feed"] = .whole(whole[..<end.lowerBound] + rest, headers: headers)
    let addition = try await library.addition(of: server.url("/feed"))
    #expect(addition.failure is FeedError)
    let rows = await Resource(library.articles(in: .all, refresh: .never)).refresh()
    #expect(rows.value?.map(\.title) == ["a"])
    let summary = try #require(await Resource(library.feeds()).refresh().value?.first)
    #expect(summary.feed.title == "Feed")
    #expect(summary.failure?.message.what == failure)

    server["/feed"] = .whole(whole, headers: headers)
    let report = try await library.reload()
    #expect(report.entries.map(\.outcome) == [.updated(newArticles: 1)])
    let request = try #require(server.requests(to: "/feed").last)
    #expect(request["If-None-Match"] == nil && request["If-Modified-Since"] == nil)
    #expect(await Resource(library.feeds()).refresh().value?.first?.failure == nil)
  }

  @Test func `an address is kept after a failure that may pass, not after a mistake`() async throws
  {
    server["/busy"] = .whole("", status: 503)
    server["/page"] = .whole("<!doctype html><p>No feed here.")
    for path in ["/busy", "/page", "/missing"] {
      _ = try? await library.add(server.url(path))
    }
    #expect(try await library.addedFeeds().map(\.feed.address) == [server.url("/busy")])
    _ = try? await library.add(server.url("/page"), keepsMistakes: true)
    #expect(try await library.addedFeeds().count == 2)
    // Of one that was here before, what it had stays.
    server["/page"] = .whole(feedText(["a"]))
    let page = try #require(
      try await library.addedFeeds().first { $0.feed.address.hasSuffix("page") })
    try await library.reload(.feed(page.id))
    try await library.remove(page.id)
    server["/page"] = .whole("<!doctype html><p>No feed here.")
    _ = try? await library.add(server.url("/page"))
    try await library.undo()
    #expect(try await library.addedFeeds().first { $0.id == page.id }?.articleCount == 1)
  }
}
