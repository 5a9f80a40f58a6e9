import Foundation
import HTTP
import Loading
import TestServer
import Testing

@testable import Articles

/// How servers are treated that say when and where they want to be asked.
@MainActor @Suite struct LibraryMannersTests {
  let server: TestServer
  let today = Today()
  let store: ArticleStore
  let library: Library

  init() throws {
    server = try TestServer()
    store = try .inMemory()
    library = Library(
      store: store, options: .patient, now: { [today] in today.now }, chance: { 0.5 })
  }

  /// What opening the reader asks for by itself, after a while.
  private func appear(after seconds: TimeInterval) async -> Int {
    today.pass(seconds)
    let before = server.requests.count
    _ = await Resource(library.articles(in: .all)).refresh(cause: .appeared)
    return server.requests.count - before
  }

  private func summary() async throws -> FeedSummary {
    try #require(try await library.addedFeeds().first)
  }

  @Test func `a server's own word on freshness is kept, unless the user asks`() async throws {
    server["/feed"] = .whole(feedText(["a"]), headers: ["Cache-Control": "max-age=7200"])
    try await library.add(server.url("/feed"))
    #expect(await appear(after: 3_601) == 0)
    #expect(await appear(after: 3_598) == 0)
    #expect(await appear(after: 1) == 1)
    try await library.reload()
    #expect(server.requests.count == 3)
  }

  @Test func `a feed that keeps failing is asked for less and less, until it works`() async throws {
    server["/feed"] = .whole("", status: 500)
    await #expect(throws: FetchError.status(500)) { try await library.add(server.url("/feed")) }
    #expect(await appear(after: 299) == 0)
    #expect(await appear(after: 1) == 1)
    #expect(await appear(after: 599) == 0)
    #expect(await appear(after: 1) == 1)
    #expect(await appear(after: 1_199) == 0)
    server["/feed"] = .whole(feedText(["a"]))
    #expect(await appear(after: 1) == 1)
    server["/feed"] = .whole("", status: 500)
    #expect(await appear(after: 3_600) == 1)
    #expect(await appear(after: 300) == 1)
  }

  @Test(arguments: [429, 503])
  func `a server that wants to be left alone is, for as long as it wants`(status: Int) async throws
  {
    server["/feed"] = .whole("", status: status, headers: ["Retry-After": "7000"])
    _ = try? await library.add(server.url("/feed"))
    #expect(await appear(after: 6_999) == 0)
    // Not even when the user asks: the server said no.
    let report = try await library.reload()
    #expect(report.error?.failures.count == 1)
    #expect(report.error?.message.retryDate == today.now.addingTimeInterval(1))
    #expect(server.requests.count == 1)
    #expect(await appear(after: 1) == 1)
    // It is free to answer again, and then to be asked.
    server["/feed"] = .whole(feedText(["a"]))
    today.pass(7_000)
    try await library.reload()
    try await library.reload()
    #expect(server.requests.count == 4)
  }

  @Test func `a server that gets too many requests gets none for its other feeds`() async throws {
    library.options.reloadInterval = 600
    let paths = (0..<12).map { "/\($0)" }
    for path in paths {
      server[path] = .whole(feedText([path], title: path))
      try await library.add(server.url(path))
    }
    let other = try TestServer()
    other["/other"] = .whole(feedText(["other"], title: "Other"))
    try await library.add(other.url("/other"))
    let busy = Answer.whole("", status: 429, headers: ["Retry-After": "300"])
    for path in paths { server[path] = busy }
    let before = server.requests.count
    let report = try await library.reload()
    // Those that were sent before the first answer, at most.
    let requests = server.requests.count - before
    #expect(1 <= requests && requests <= 4)
    #expect(report.error?.failures.count == paths.count)
    #expect(report.error?.message.retryDate == today.now.addingTimeInterval(300))
    #expect(other.requests.count == 2)

    // What was not requested has not failed, and is fetched soon after that time.
    let failures = try await store.feeds(in: .all).map(\.failureCount)
    #expect(failures.count { $0 == 0 } == paths.count + 1 - requests)
    for path in paths { server[path] = .whole(feedText([path, "new"], title: path)) }
    #expect(try await reloadScheduled(after: 299) == 0)
    #expect(try await reloadScheduled(after: 302) == paths.count)
  }

  /// How many requests the reload by itself makes after a while.
  private func reloadScheduled(after seconds: TimeInterval) async throws -> Int {
    today.pass(seconds)
    let before = server.requests.count
    try await library.reloadScheduled()
    return server.requests.count - before
  }

  @Test func `feeds are reloaded by themselves after their interval, or the one for all`()
    async throws
  {
    server["/often"] = .whole(feedText(["a"], title: "Often"))
    server["/usual"] = .whole(feedText(["b"], title: "Usual"))
    server["/never"] = .whole(feedText(["c"], title: "Never"))
    let often = try await library.add(server.url("/often"))
    try await library.add(server.url("/usual"))
    let never = try await library.add(server.url("/never"))
    try await library.arrange(often.id, as: FeedArrangement(reloadMinutes: 10))
    try await library.arrange(never.id, as: FeedArrangement(reloadMinutes: 0))
    func due() async throws -> [String: TimeInterval?] {
      let feeds = await Resource(library.feeds()).refresh().value ?? []
      return Dictionary(
        uniqueKeysWithValues: feeds.map {
          ($0.feed.title, $0.nextReload?.timeIntervalSince(today.now))
        })
    }
    #expect(try await due() == ["Often": 600, "Usual": nil, "Never": nil])
    #expect(try await reloadScheduled(after: 599) == 0)
    #expect(try await reloadScheduled(after: 1) == 1)
    library.options.reloadInterval = 3_600
    #expect(try await due() == ["Often": 600, "Usual": 3_000, "Never": nil])
    #expect(try await reloadScheduled(after: 3_000) == 2)
    #expect(server.requests(to: "/never").count == 1)
  }

  @Test func `a feed that was fetched by a clock that was ahead is due`() async throws {
    library.options.reloadInterval = 3_600
    server["/feed"] = .whole(feedText(["a"]))
    func due() async throws -> Date? {
      try #require(await Resource(library.feeds()).refresh().value?.first).nextReload
    }
    today.pass(86_400)
    try await library.add(server.url("/feed"))
    today.pass(-86_400)
    #expect(try await due() == .distantPast)
    #expect(try await reloadScheduled(after: 0) == 1)
    #expect(try await due() == today.now.addingTimeInterval(3_600))
  }

  @Test func `a reload by itself waits for what the server and its failures ask for`() async throws
  {
    library.options.reloadInterval = 600
    server["/feed"] = .whole(feedText(["a"]), headers: ["Cache-Control": "max-age=7200"])
    try await library.add(server.url("/feed"))
    #expect(try await reloadScheduled(after: 7_199) == 0)
    server["/feed"] = .whole("", status: 500)
    #expect(try await reloadScheduled(after: 1) == 1)
    #expect(try await reloadScheduled(after: 599) == 0)
    #expect(try await reloadScheduled(after: 1) == 1)
    // Failed twice: the pause is as long as the interval, then longer.
    #expect(try await reloadScheduled(after: 600) == 1)
    #expect(try await reloadScheduled(after: 1_199) == 0)
    #expect(try await reloadScheduled(after: 1) == 1)
  }

  @Test func `a reload by the user does not make the pause after a failure longer`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    let feed = try await library.add(server.url("/feed"))
    server["/feed"] = .whole("", status: 500)
    #expect(await appear(after: 3_600) == 1)
    let end = try #require(try await library.addedFeeds().first?.failure?.nextAttempt)
    for _ in 0..<3 {
      today.pass(10)
      try await library.reload()
      #expect(try await library.addedFeeds().first?.failure?.nextAttempt == end)
    }
    #expect(await appear(after: end.timeIntervalSince(today.now)) == 1)
    let next = try #require(try await library.addedFeeds().first?.failure?.nextAttempt)
    // Twice as long as the first.
    #expect(next.timeIntervalSince(today.now) == 600)
    #expect(feed.id == (try await library.addedFeeds().first?.id))
    // A clock that was ahead does not make the pause last until then.
    today.pass(-1_000_000)
    try await library.reload()
    let now = try #require(try await library.addedFeeds().first?.failure?.nextAttempt)
    #expect(now.timeIntervalSince(today.now) < 10_000)
  }

  @Test func `a feed that is gone is asked for no more, but the user can`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    server["/other"] = .whole(feedText(["b"]))
    let feed = try await library.add(server.url("/feed"))
    try await library.add(server.url("/other"))
    server["/feed"] = .whole("", status: 410)
    #expect(await appear(after: 3_600) == 2)
    let gone = try #require(try await library.addedFeeds().first { $0.id == feed.id })
    #expect(gone.goneSince == today.now)
    #expect(gone.failure?.message.what == "The feed is gone for good.")

    #expect(await appear(after: 1_000_000) == 1)
    let report = try await library.reload()
    #expect(report.entries.map(\.feed.address) == [server.url("/other")])
    #expect(report.error == nil)
    #expect(report.goneCount == 1)
    #expect(server.requests(to: "/feed").count == 2)

    // Alone on the screen, it says why there is nothing new.
    let resource = Resource(library.articles(in: .feed(feed.id)))
    _ = await resource.refresh(cause: .appeared)
    #expect(resource.failure != nil)
    #expect(server.requests(to: "/feed").count == 2)

    server["/feed"] = .whole(feedText(["new", "a"]))
    let forced = try await library.reload(.feed(feed.id))
    #expect(forced.entries.map(\.outcome) == [.updated(newArticles: 1)])
    #expect(forced.goneCount == 0)
    #expect(try await library.addedFeeds().allSatisfy { $0.goneSince == nil })
  }

  @Test(arguments: ["\"a\u{1B}\"", "\"\u{1}\"", "\"\u{7F}\""])
  func `a validator that cannot be sent back stops no later fetch`(validator: String) async throws {
    server["/feed"] = .whole(
      feedText(["a"]), headers: ["ETag": validator, "Last-Modified": validator])
    let feed = try await library.add(server.url("/feed"))
    #expect(try await library.reload().error == nil)
    let request = try #require(server.requests(to: "/feed").last)
    #expect(request["If-None-Match"] == nil && request["If-Modified-Since"] == nil)

    // Nor one that is in the store since an earlier version.
    let facts = FetchFacts(etag: validator, lastModified: validator)
    _ = try await store.save(
      PreparedFeed(ParsedFeed()), of: feed.id, facts: facts, at: today.now)
    #expect(try await library.reload().error == nil)
    #expect(server.requests(to: "/feed").count == 3)
  }

  @Test func `an address that moved for good is remembered`() async throws {
    server["/old"] = .redirect(to: "/new", status: 301)
    server["/new"] = .whole(feedText(["a"]))
    try await library.add(server.url("/old"))
    #expect(try await summary().feed.address == server.url("/new"))
    try await library.reload()
    #expect(server.requests(to: "/old").count == 1)
  }

  @Test func `an address that only moved for now is not, nor one that moved to no feed`()
    async throws
  {
    server["/old"] = .redirect(to: "/new", status: 302)
    server["/new"] = .whole(feedText(["a"]))
    try await library.add(server.url("/old"))
    #expect(try await summary().feed.address == server.url("/old"))
    server["/old"] = .redirect(to: "/new", status: 301)
    server["/new"] = .whole("<html>")
    try await library.reload()
    #expect(try await summary().feed.address == server.url("/old"))
  }

  @Test(arguments: [301, 308])
  func `an address that moved for good to a known feed is that feed, and is not added`(
    status: Int
  ) async throws {
    server["/old"] = .redirect(to: "/new", status: status)
    server["/new"] = .whole(feedText(["a"]))
    let known = try await library.add(server.url("/new"))
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/new"))) {
      try await library.add(server.url("/old"))
    }
    #expect(try await library.addedFeeds().map(\.id) == [known.id])

    // The same for the feed that a page names.
    server["/"] = .whole("<!doctype html><link rel=feed href=/old>")
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/new"))) {
      try await library.add(server.url("/"))
    }
    #expect(try await library.addedFeeds().map(\.id) == [known.id])

    // What moved only for now may come back as a feed of its own.
    server["/old"] = .redirect(to: "/new", status: 302)
    #expect(try await library.add(server.url("/old")).address == server.url("/old"))
  }

  @Test func `two feeds that moved to one address stay two`() async throws {
    server["/old"] = .whole(feedText(["a"]))
    server["/new"] = .whole(feedText(["a"]))
    try await library.add(server.url("/new"))
    try await library.add(server.url("/old"))
    server["/old"] = .redirect(to: "/new", status: 301)
    try await library.reload()
    #expect(
      Set(try await library.addedFeeds().map(\.feed.address)) == [
        server.url("/new"), server.url("/old"),
      ])
  }

  @Test func `a feed is found by its title, with other capitals only where none is exact`()
    async throws
  {
    for title in ["Über Wolle", "Knots", "knots"] {
      let path = "/\(title.utf8.count)\(title.hasPrefix("k"))"
      server[path] = .whole(feedText(["a"]))
      try await library.arrange(
        library.add(server.url(path)).id, as: FeedArrangement(title: title, folder: nil))
    }
    #expect(try await library.feed(named: "uber wolle").feed.title == "Über Wolle")
    #expect(try await library.feed(named: "Knots").feed.title == "Knots")
    #expect(try await library.feed(named: "knots").feed.title == "knots")
    await #expect(throws: LibraryError.ambiguousTitle("KNOTS")) {
      try await library.feed(named: "KNOTS")
    }
    await #expect(throws: LibraryError.noSuchFeed("knot")) { try await library.feed(named: "knot") }
  }

  @Test func `a name and a password are sent and never shown`() async throws {
    server.answer("/feed") { request in
      request["Authorization"] == "Basic YW5uOnNlY3JldA=="
        ? .whole(feedText(["a"])) : .whole("", status: 401)
    }
    let address = server.url("/feed").replacing("http://", with: "http://ann:secret@")
    let feed = try await library.add(address)
    #expect(feed.address == server.url("/feed"))
    #expect(try await library.feed(named: address).id == feed.id)
    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/feed"))) {
      try await library.add(address)
    }
    server["/feed"] = .whole("", status: 401)
    let report = try await library.reload()
    #expect(report.error?.message.what == "The server does not accept the password.")
    #expect(!String(describing: report).contains("secret"))
  }

  @Test func `a name and a password stay with their server when the feed moves`() async throws {
    let other = try TestServer()
    other["/feed"] = .whole(feedText(["a"]))
    server["/feed"] = .redirect(to: other.url("/feed"), status: 301)
    try await library.add(server.url("/feed").replacing("http://", with: "http://ann:secret@"))
    #expect(try await summary().feed.address == other.url("/feed"))
    try await library.reload()
    #expect(other.requests.count == 2)
    #expect(other.requests.allSatisfy { $0["Authorization"] == nil })
  }

  @Test func `nothing changed is an error where nothing was asked about`() async throws {
    server["/feed"] = .whole("", status: 304)
    await #expect(throws: FetchError.nothingToCompare) {
      try await library.add(server.url("/feed"))
    }
  }

  @Test func `one fetch is ended and the others go on`() async throws {
    server["/one"] = .whole(feedText(["a"], title: "One"))
    server["/two"] = .whole(feedText(["b"], title: "Two"))
    let one = try await library.add(server.url("/one"))
    let two = try await library.add(server.url("/two"))
    server["/one"] = .heldBody(feedText(["lost", "a"], title: "One"))
    server["/two"] = .heldBody(feedText(["new", "b"], title: "Two"))
    async let report = library.reload()
    try await server.hold(at: "/one")
    try await server.hold(at: "/two")
    #expect(Set(library.fetching.keys) == [one.id, two.id])
    library.cancelFetching(one.id)
    try await server.abandonment(of: "/one")
    server.release("/two")
    #expect(try await report.entries.map(\.outcome) == [.cancelled, .updated(newArticles: 1)])
    #expect(library.fetching.isEmpty)
    #expect(try await library.addedFeeds().allSatisfy { $0.failure == nil })
  }

  @Test func `all fetches are ended at once`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    try await library.add(server.url("/feed"))
    server["/feed"] = .heldHead(feedText(["a"]))
    async let report = library.reload()
    try await server.hold(at: "/feed")
    library.cancelFetching()
    #expect(try await report.entries.map(\.outcome) == [.cancelled])
  }

  @Test func `how much of a feed has come is told`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    let feed = try await library.add(server.url("/feed"))
    server["/feed"] = .heldBody(feedText(["b"]))
    var changes = library.fetchingChanges().makeAsyncIterator()
    async let report = library.reload()
    while library.fetching[feed.id]?.percent != 50 { await changes.next() }
    server.release("/feed")
    #expect(try await report.error == nil)
  }
}
