import HTTP
import Loading
import Synchronization
import TestServer
import Testing

@testable import Articles

/// How much of what servers send is in memory at one time.
@Suite struct FetchMemoryTests {
  let server: TestServer

  init() throws {
    server = try TestServer()
  }

  /// What is at work at one time, and the most that ever was.
  private final class Count: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock(\.most) }

    func enter() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  /// A whole exchange of somebody else, so that what is on its way has time to arrive.
  private func passTime() async throws {
    let other = try TestServer()
    let client = HTTPClient()
    for _ in 1...10 {
      _ = try await client.send(
        HTTPRequest(url: other.url("/"), limits: Library.Options.patient.limits))
    }
  }

  private func feed(_ path: String) -> StoredFeed {
    StoredFeed(
      feed: Feed(id: Feed.ID(rawValue: 1), address: server.url(path), title: ""), lastAttempt: nil,
      etag: nil, lastModified: nil, failure: nil, hasArticles: false, notBefore: nil,
      failureCount: 0, goneSince: nil, retryAfter: nil, credentials: nil, origin: .user)
  }

  private func fetch(
    _ path: String, turn: FeedTurn = FeedTurn(limit: LoadLimit(1), executor: nil)
  ) -> FeedFetch {
    FeedFetch(
      feed: feed(path), origin: .user, limits: Library.Options.patient.limits, now: .now,
      turn: turn)
  }

  /// Fetches a path so often at once, and counts how many documents are used at one time.
  ///
  /// - Parameter use: uses a document, with the count of those that are used.
  private func most(
    of path: String, times: Int, size: Int, use: @escaping @Sendable (Count) async throws -> Void
  ) async throws -> Int {
    let client = HTTPClient(options: .init(maximumTransfersPerHost: times))
    let (source, count) = (WebSource(client: client), Count())
    let turn = FeedTurn(limit: LoadLimit(times), executor: nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...times {
        group.addTask {
          try await source.read(fetch(path, turn: turn)) { answer in
            guard case .document(let document) = answer else { return }
            #expect(document.bytes.count == size)
            count.enter()
            try await use(count)
            count.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    return count.most
  }

  @Test func `of large documents one is there at one time, however many come`() async throws {
    let size = WebSource.largeSize + 1
    server["/large"] = .whole(String(repeating: "x", count: size))
    let most = try await most(of: "/large", times: 6, size: size) { _ in try await passTime() }
    #expect(most == 1)
  }

  @Test func `after each large document, and no other, free memory goes back`() async throws {
    server["/large"] = .whole(String(repeating: "x", count: WebSource.largeSize + 1))
    server["/small"] = .whole("x")
    let count = Mutex(0)
    let source = WebSource(client: HTTPClient()) { count.withLock { $0 += 1 } }
    for (path, expected) in [("/small", 0), ("/large", 1), ("/small", 1), ("/large", 2)] {
      try await source.read(fetch(path)) { _ in }
      #expect(count.withLock(\.self) == expected)
    }
    await #expect(throws: CancellationError.self) {
      try await source.read(fetch("/large")) { _ in throw CancellationError() }
    }
    #expect(count.withLock(\.self) == 3)
  }

  @Test(.timeLimit(.minutes(10)))
  func `small documents do not wait for each other`() async throws {
    server["/small"] = .whole("x")
    let most = try await most(of: "/small", times: 6, size: 1) { count in
      while count.most < 6, !Task.isCancelled { await Task.yield() }
    }
    #expect(most == 6)
  }

  @Test func `a feed keeps its place in the client until it is stored`() async throws {
    let client = HTTPClient(options: .init(maximumTransfers: 2))
    let library = Library(store: try .inMemory(), client: client, options: .patient)
    for number in 1...5 {
      server["/\(number)"] = .whole(feedText(["\(number)"]))
      _ = try await library.store.insertFeed(address: server.url("/\(number)"))
    }
    // Whoever has the turns keeps everything from being parsed.
    let (turns, giveBack) = AsyncStream.makeStream(of: Never.self)
    let held = Count()
    let holders = (1...16).map { _ in
      Task {
        try await library.turns.withPermit {
          held.enter()
          for await _ in turns {}
        }
      }
    }
    while held.most < 16 { await Task.yield() }
    let reload = Task { try await library.reload() }
    try await server.requests(count: 2)
    try await passTime()
    #expect(server.requests.count == 2)
    giveBack.finish()
    #expect(try await reload.value.newArticles == 5)
    for holder in holders { try await holder.value }
  }
}
