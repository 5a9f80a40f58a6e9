import Foundation
import Loading
import TestServer
import Testing

@testable import Articles

/// Two who want the same feed at the same time: two lists on a screen, say.
@MainActor @Suite struct SharedFetchTests {
  let server: TestServer
  let store: ArticleStore
  let today = Today()
  let library: Library

  init() throws {
    server = try TestServer()
    store = try .inMemory()
    library = Library(
      store: store, options: .patient, now: { [today] in today.now }, chance: { 0.5 })
  }

  /// A feed that was fetched once, and whose next answer is held back.
  private func addHeldFeed(_ answer: Answer) async throws -> Feed {
    server["/feed"] = .whole(feedText(["a"]))
    let feed = try await library.add(server.url("/feed"))
    server["/feed"] = answer
    return feed
  }

  private func waiter(of feed: Feed) async {
    var changes = library.fetchingChanges().makeAsyncIterator()
    while library.board.waiterCount(of: feed.id) == 0 { await changes.next() }
  }

  @Test func `the server is asked once, and both have the answer`() async throws {
    let feed = try await addHeldFeed(.heldHead(feedText(["b", "a"])))
    async let first = library.reload()
    try await server.hold(at: "/feed")
    async let second = library.reload(.feed(feed.id))
    await waiter(of: feed)
    server.release("/feed")
    let reports = try await [first, second]
    #expect(reports.map(\.newArticles) == [1, 1])
    #expect(server.requests.count == 2)
    #expect(library.fetching.isEmpty)
    // What is asked for after the end is asked for.
    server.release("/feed")
    try await library.reload()
    #expect(server.requests.count == 3)
  }

  @Test func `a failure is one failure, told to both`() async throws {
    let feed = try await addHeldFeed(Answer([.hold] + Answer.whole("", status: 500).steps))
    async let first = library.reload()
    try await server.hold(at: "/feed")
    async let second = library.reload()
    await waiter(of: feed)
    server.release("/feed")
    let reports = try await [first, second]
    #expect(reports.map { $0.error?.failures.count } == [1, 1])
    #expect(try await store.feeds(in: .all).map(\.failureCount) == [1])
    #expect(server.requests.count == 2)
  }

  @Test func `when the one who fetches gives up, the other one fetches`() async throws {
    let feed = try await addHeldFeed(.heldHead(feedText(["b", "a"])))
    let first = Task { try await library.reload() }
    try await server.hold(at: "/feed")
    async let second = library.reload()
    await waiter(of: feed)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // Else it might be the answer to the first that goes on.
    try await server.abandonment(of: "/feed")
    server.release("/feed")
    #expect(try await second.newArticles == 1)
    #expect(server.requests.count == 3)
  }

  @Test func `one who only waits may go, and the feed is fetched all the same`() async throws {
    let feed = try await addHeldFeed(.heldHead(feedText(["b", "a"])))
    async let first = library.reload()
    try await server.hold(at: "/feed")
    let second = Task { try await library.reload() }
    await waiter(of: feed)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    server.release("/feed")
    #expect(try await first.newArticles == 1)
    #expect(server.requests.count == 2)
  }

  @Test(.timeLimit(.minutes(1)))
  func `who waits for the end of a feed's fetches ends one that begins meanwhile, too`()
    async throws
  {
    let board = FetchBoard<Int, Int>()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let (endless, continuation) = AsyncStream.makeStream(of: Void.self)
    let fetches = Task.detached {
      // The first does not notice that it is cancelled.
      _ = try? await board.run(1) {
        begin.finish()
        await Task { for await _ in released {} }.value
        return 1
      }
      _ = try? await board.run(1) {
        for await _ in endless {}
        return 2
      }
    }
    for await _ in begun {}
    let end = Task.detached { await board.endAndWait(1) }
    release.finish()
    await end.value
    fetches.cancel()
    await fetches.value
    continuation.finish()
    #expect(board.progress.isEmpty)
  }

  @Test func `a feed whose fetch was ended is left alone by lists until it is due`() async throws {
    let feed = try await addHeldFeed(.heldHead(feedText(["b", "a"])))
    today.pass(7_200)
    async let first = library.reload()
    try await server.hold(at: "/feed")
    library.cancelFetching(feed.id)
    #expect(try await first.entries.map(\.outcome) == [.cancelled])
    try await server.abandonment(of: "/feed")
    // As a list does that found the feed due just before.
    let hourly = RefreshPolicy.ifDue(after: 3_600)
    let list = try await library.reload(refresh: hourly)
    #expect(list.entries.map(\.outcome) == [.cancelled])
    #expect(server.requests.count == 2)
    server["/feed"] = .whole(feedText(["b", "a"]))
    today.pass(3_601)
    #expect(try await library.reload(refresh: hourly).newArticles == 1)
  }

  @Test func `a feed whose fetch was ended is fetched when a user asks for it`() async throws {
    let feed = try await addHeldFeed(.heldHead(feedText(["b", "a"])))
    async let first = library.reload()
    try await server.hold(at: "/feed")
    library.cancelFetching(feed.id)
    _ = try await first
    server["/feed"] = .whole(feedText(["b", "a"]))
    #expect(try await library.reload().newArticles == 1)
  }

  @Test func `a user ends the fetch for both`() async throws {
    let feed = try await addHeldFeed(.heldHead(feedText(["b", "a"])))
    async let first = library.reload()
    try await server.hold(at: "/feed")
    async let second = library.reload()
    await waiter(of: feed)
    library.cancelFetching(feed.id)
    let reports = try await [first, second]
    #expect(reports.map { $0.entries.map(\.outcome) } == [[.cancelled], [.cancelled]])
  }
}
