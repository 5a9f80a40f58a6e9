import Foundation
import HTTP
import Loading
import PseudoTerminal
import Synchronization
import TestServer
import Testing

@testable import Articles

/// A calendar that a test sets.
final class Today: Sendable {
  private let seconds = Mutex(1_795_262_400.0)

  var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

  func pass(_ interval: TimeInterval) {
    seconds.withLock { $0 += interval }
  }
}

func feedText(_ titles: [String], title: String = "Feed") -> String {
  let items = titles.map {
    "<item><guid>\($0)</guid><title>\($0)</title><description>Text of \($0)</description></item>"
  }
  return "<rss><channel><title>\(title)</title>\(items.joined())</channel></rss>"
}

@MainActor @Suite struct LibraryTests {
  let server: TestServer
  let today = Today()
  let library: Library

  init() throws {
    server = try TestServer()
    library = Library(
      store: try .inMemory(), options: .patient, now: { [today] in today.now })
  }

  private func titles(_ state: LoadingState<[Article]>) -> [String]? {
    guard case .loaded(let articles) = state else { return nil }
    return articles.map(\.title)
  }

  private func reloadError(_ error: (any Error)?) throws -> ReloadError {
    try #require(error as? ReloadError)
  }

  @Test func `a feed is added, listed and read`() async throws {
    server["/feed"] = .whole(feedText(["a", "b"], title: "Socks"))
    let feed = try await library.add(server.url("/feed"))
    #expect(feed.title == "Socks")
    #expect(feed.lastFetched == today.now)

    let feeds = await Resource(library.feeds()).refresh()
    #expect(feeds.value?.map(\.articleCount) == [2])
    let rows = await Resource(library.articles(in: .feed(feed.id), refresh: .never)).refresh()
    #expect(titles(rows) == ["a", "b"])
    let id = try #require(rows.value?.last?.id)
    let document = await Resource(library.document(of: id)).refresh()
    #expect(document.value?.article.title == "b")
    #expect(document.value?.document.blocks == [.paragraph([.text("Text of b")])])
  }

  @Test func `an article of the future is listed by the day on which it came`() async throws {
    server["/feed"] = .whole(
      """
      <rss><channel><title>Feed</title><item><title>Later</title>
      <pubDate>Fri, 01 Jan 2100 00:00:00 GMT</pubDate></item></channel></rss>
      """)
    try await library.add(server.url("/feed"))
    let article = try #require(
      try await library.storedArticles(matching: ArticleQuery()).first)
    #expect(article.published?.timeIntervalSince1970 == 4_102_444_800)
    #expect(article.listed == today.now)
  }

  @Test func `stored rows are there while the server is still silent`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    try await library.add(server.url("/feed"))
    today.pass(3_601)
    server["/feed"] = .heldHead(feedText(["b", "a"]))
    let resource = Resource(library.articles(in: .all))
    resource.appear()
    try await server.hold(at: "/feed")
    var seen: [[String]] = []
    for await state in resource.states() {
      guard let titles = titles(state) else { continue }
      if seen.isEmpty { server.release("/feed") }
      seen.append(titles)
      if titles.count == 2 { break }
    }
    #expect(seen.first == ["a"])
    #expect(seen.last == ["b", "a"])
    #expect(titles(await resource.settled()) == ["b", "a"])
  }

  @Test func `only what is due is fetched, and everything when the user asks`() async throws {
    server["/feed"] = .whole(feedText(["a"]))
    try await library.add(server.url("/feed"))
    today.pass(3_599)
    let resource = Resource(library.articles(in: .all))
    _ = await resource.refresh(cause: .appeared)
    #expect(server.requests.count == 1)
    today.pass(1)
    _ = await resource.refresh(cause: .appeared)
    #expect(server.requests.count == 2)
    _ = await resource.refresh(cause: .user)
    #expect(server.requests.count == 3)
    _ = await Resource(library.articles(in: .all, refresh: .never)).refresh(cause: .user)
    #expect(server.requests.count == 3)
    // Set back by a year, a clock does not stop the fetching for a year.
    today.pass(-31_536_000)
    _ = await resource.refresh(cause: .appeared)
    #expect(server.requests.count == 4)
  }

  @Test(arguments: [ArticleQuery.starred, .unread, ArticleQuery(since: .distantFuture)])
  func `a dead feed does not take the place of an empty list`(_ query: ArticleQuery) async throws {
    server["/one"] = .whole(feedText(["a"], title: "One"))
    let one = try await library.add(server.url("/one"))
    _ = try? await library.add(server.url("/dead"), keepsMistakes: true)
    try await library.markRead(ArticleQuery(.feed(one.id)))
    let resource = Resource(library.articles(matching: query, refresh: .hourly))
    let state = await resource.refresh(cause: .appeared)
    #expect(titles(state) == [])
    let error = try reloadError(resource.currentFailure?.error)
    #expect(error.feedCount == 2)
    #expect(error.message.what.hasSuffix("/dead: The server has no feed at this address."))
    #expect(error.message.isLasting)
  }

  @Test func `where every feed of a list failed and nothing is stored, that is the failure`()
    async throws
  {
    for path in ["/one", "/two"] {
      _ = try? await library.add(server.url(path), keepsMistakes: true)
    }
    let resource = Resource(library.articles(in: .all))
    let state = await resource.refresh(cause: .appeared)
    #expect(state.value == nil)
    #expect(try reloadError(state.error).message.what == "2 of 2 feeds failed.")
  }

  @Test func `which folders are closed is stored`() async throws {
    let folders = [["News"], ["News", "Deep"]].compactMap(FeedFolder.init)
    for folder in folders { try await library.setFolder(folder, isClosed: true) }
    try await library.setFolder(folders[0], isClosed: true)
    try await library.setFolder(folders[0], isClosed: false)
    let closed = await Resource(library.closedFolders()).refresh().value
    #expect(closed == [folders[1]])
  }

  @Test func `a failure over stored articles leaves them and says which feed`() async throws {
    server["/one"] = .whole(feedText(["a"], title: "One"))
    server["/two"] = .whole(feedText(["b"], title: "Two"))
    try await library.add(server.url("/one"))
    try await library.add(server.url("/two"))
    server["/two"] = .whole("", status: 500)
    server["/one"] = .whole(feedText(["new", "a"], title: "One"))
    today.pass(60)

    let resource = Resource(library.articles(in: .all))
    let state = await resource.refresh()
    #expect(titles(state)?.sorted() == ["a", "b", "new"])
    let error = try reloadError(resource.failure?.error)
    #expect(error.failures.map(\.feed.title) == ["Two"])
    #expect(error.message.what == "Two: The server has a problem of its own.")

    // Not asked for again by itself within five minutes, but not forgotten either.
    let count = server.requests.count
    _ = await resource.refresh(cause: .appeared)
    #expect(server.requests.count == count)
    #expect(try reloadError(resource.failure?.error).failures.count == 1)

    // A retry asks all: who presses the key wants everything up to date.
    server["/two"] = .whole(feedText(["b"], title: "Two"))
    resource.retry()
    _ = await resource.settled()
    #expect(server.requests.count == count + 2)
    #expect(resource.failure?.error == nil)
  }

  @Test func `with nothing stored a failure is all there is`() async throws {
    let added = try? await library.add(server.url("/missing"), keepsMistakes: true)
    #expect(added == nil)
    let resource = Resource(library.articles(in: .all))
    let state = await resource.refresh()
    guard case .failed(let error) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(try reloadError(error).message.what == "The server has no feed at this address.")
  }

  @Test func `progress counts the feeds`() async throws {
    for name in ["/1", "/2", "/3"] {
      server[name] = .whole(feedText([]))
      try await library.add(server.url(name))
    }
    let messages = Mutex<[LoadingProgress]>([])
    try await library.reload { progress in messages.withLock { $0.append(progress) } }
    #expect(
      messages.withLock { $0 }.map(\.message) == [
        "0 of 3 feeds", "1 of 3 feeds", "2 of 3 feeds", "3 of 3 feeds",
      ])
    #expect(messages.withLock { $0 }.last?.fraction == 1)
  }

  @Test func `a reload tells what became of a feed while another does not answer`() async throws {
    for name in ["/slow", "/quick"] {
      server[name] = .whole(feedText([]))
      try await library.add(server.url(name))
    }
    server["/slow"] = .heldBody(feedText(["b"]))
    server["/quick"] = .whole(feedText(["a"]))
    let parts = Mutex<[ReloadReport.Part]>([])
    let report = try await library.reload(ended: { [server] part in
      parts.withLock { $0.append(part) }
      if part.entries.map(\.feed.address) == [server.url("/quick")] { server.release("/slow") }
    })
    let ended = parts.withLock(\.self).flatMap(\.entries)
    #expect(ended.map(\.feed.address) == [server.url("/quick"), server.url("/slow")])
    #expect(Set(ended) == Set(report.entries))
  }

  @Test func `a list shows all that has arrived while another feed does not answer`() async throws {
    for name in ["/a", "/b", "/slow"] {
      server[name] = .whole(feedText([]))
      try await library.add(server.url(name))
    }
    server["/a"] = .whole(feedText(["a"]))
    server["/b"] = .whole(feedText(["b"]))
    server["/slow"] = .heldBody(feedText(["c"]))
    today.pass(60)

    // Time passes only by sleeping, so that the second feed comes too soon after the first.
    let time = Mutex(AnyClock.Instant(offset: .zero))
    let clock = AnyClock(
      now: { time.withLock { $0 } },
      sleep: { deadline, _ in time.withLock { $0 = max($0, deadline) } })
    let resource = Resource(library.articles(in: .all), clock: clock)
    resource.load()
    try await server.hold(at: "/slow")
    for await state in resource.states() where titles(state)?.sorted() == ["a", "b"] { break }
    resource.cancel()
    try await server.abandonment(of: "/slow")
  }

  @Test func `cancelling ends the fetching at once and keeps what came`() async throws {
    server["/quick"] = .whole(feedText(["a"], title: "Quick"))
    server["/slow"] = .whole(feedText(["b"], title: "Slow"))
    try await library.add(server.url("/quick"))
    try await library.add(server.url("/slow"))
    server["/quick"] = .whole(feedText(["new", "a"], title: "Quick"))
    server["/slow"] = .heldBody(feedText(["lost", "b"]))
    today.pass(60)

    let resource = Resource(library.articles(in: .all))
    resource.load()
    try await server.hold(at: "/slow")
    for await state in resource.states() where titles(state)?.contains("new") == true { break }
    resource.cancel()
    try await server.abandonment(of: "/slow")
    #expect(resource.failure?.error == nil)
    let rows = await Resource(library.articles(in: .all, refresh: .never)).refresh()
    #expect(titles(rows)?.sorted() == ["a", "b", "new"])
    #expect(await Resource(library.feeds()).refresh().value?.compactMap(\.failure) == [])
  }

  @Test func `a transfer that breaks off is an error and changes nothing`() async throws {
    server["/feed"] = .whole(feedText(["a", "b", "c"]))
    try await library.add(server.url("/feed"))
    server["/feed"] = .cut(feedText(["x", "y", "z"]))
    let report = try await library.reload()
    #expect(report.error?.failures.count == 1)
    let rows = await Resource(library.articles(in: .all, refresh: .never)).refresh()
    #expect(titles(rows) == ["a", "b", "c"])
  }

  @Test func `a reload counts what comes before a mistake, and keeps the site that comes after it`()
    async throws
  {
    func feed(_ items: String, _ end: String) -> Answer {
      .whole("<rss><channel><title>Feed</title>\(items)\(end)")
    }
    let end = "<link>https://example.org/</link></channel></rss>"
    server["/feed"] = feed("<item><guid>a</guid></item>", end)
    try await library.add(server.url("/feed"))
    server["/feed"] = feed("<item><guid>b</guid></item><item><guid>c</guid></item>", "<item>")
    let report = try await library.reload()
    #expect(report.newArticles == 2)
    #expect(report.entries.map(\.newArticles) == [2])
    #expect(report.error?.failures.count == 1)
    let feeds = await Resource(library.feeds()).refresh().value
    #expect(feeds?.first?.feed.site == "https://example.org/")
    #expect(feeds?.first?.failure?.message.what == "The feed ends in the middle.")
  }

  @Test func `what is only read again keeps its failures, and is fetched when somebody retries`()
    async throws
  {
    server["/feed"] = .whole(feedText(["a"]))
    try await library.add(server.url("/feed"))
    server["/feed"] = .whole("", status: 500)
    try await library.reload()
    let count = server.requests(to: "/feed").count
    let list = Resource(library.articles(in: .all, refresh: .whenAsked))
    _ = await list.refresh(cause: .refresh)
    #expect(list.latestValue?.map(\.title) == ["a"])
    #expect(list.currentFailure != nil)
    #expect(server.requests(to: "/feed").count == count)
    server["/feed"] = .whole(feedText(["a", "b"]))
    let rows = await list.refresh(cause: .retry)
    #expect(titles(rows)?.sorted() == ["a", "b"])
    #expect(list.currentFailure == nil)
  }

  @Test func `an unchanged feed is not sent again`() async throws {
    server.answer("/feed") { request in
      request["If-None-Match"] == "\"1\""
        ? .whole("", status: 304)
        : .whole(feedText(["a"]), headers: ["ETag": "\"1\""])
    }
    try await library.add(server.url("/feed"))
    today.pass(60)
    #expect(try await library.reload().entries.map(\.outcome) == [.unchanged])
    #expect(
      await Resource(library.feeds()).refresh().value?.first?.feed.lastFetched == today.now)
  }

  @Test func `the encoding that the server names is used`() async throws {
    server["/feed"] = .whole(
      Array("<rss><channel><title>".utf8) + [0xD2] + Array("</title></channel></rss>".utf8),
      headers: ["Content-Type": "text/xml; charset=\"windows-1251\""])
    #expect(try await library.add(server.url("/feed")).title == "Т")
  }

  @Test func `files are feeds too`() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(feedText(["a"], title: "File"), to: "my feed.xml")
    let feed = try await library.add("my feed.xml", directory: directory.path)
    #expect(feed.title == "File")
    #expect(feed.address.hasPrefix("file:///"))
    await #expect(throws: LibraryError.self) { try await library.add(path) }
    await #expect(throws: LibraryError.self) { try await library.add(feed.address) }

    await #expect(throws: FetchError.fileMissing(path: "/nowhere/feed")) {
      try await library.add("/nowhere/feed")
    }
    await #expect(throws: FetchError.notAFile(path: "/dev/zero")) {
      try await library.add("/dev/zero")
    }
    let pipe = directory.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    await #expect(throws: FetchError.notAFile(path: pipe)) { try await library.add(pipe) }
    #expect(try await library.addedFeeds().map(\.id) == [feed.id], "mistakes are not kept")
  }

  @Test func `every change of the store is told`() async throws {
    var changes = library.changes().makeAsyncIterator()
    server["/feed"] = .whole(feedText(["a"]))
    let feed = try await library.add(server.url("/feed"))
    _ = await changes.next()
    try await library.remove(feed.id)
    _ = await changes.next()
    await #expect(throws: LibraryError.noSuchFeed()) { try await library.remove(feed.id) }
    let rows = await Resource(library.articles(in: .all)).refresh()
    #expect(rows.value == [])
  }

  @Test func `a write whose task was cancelled is waited for`() async {
    let (begun, begin) = AsyncStream.makeStream(of: Never.self)
    let (gate, open) = AsyncStream.makeStream(of: Never.self)
    let order = Mutex<[String]>([])
    let library = library
    let write = Task {
      try await library.uncancelled {
        begin.finish()
        for await _ in gate {}
        order.withLock { $0.append("stored") }
      }
    }
    for await _ in begun {}
    write.cancel()
    let wait = Task {
      await library.uncancelledWritesFinished()
      order.withLock { $0.append("waited") }
    }
    open.finish()
    await wait.value
    #expect(order.withLock(\.self) == ["stored", "waited"])
    _ = await write.result
    // Nothing is left to wait for.
    await library.uncancelledWritesFinished()
  }

  @Test func `an article that was removed is said to be gone`() async throws {
    let state = await Resource(library.document(of: Article.ID(rawValue: 7))).refresh()
    guard case .failed(let error) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(error as? LibraryError == .articleGone)
  }
}
