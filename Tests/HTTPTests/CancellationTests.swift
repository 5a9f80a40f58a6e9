import TestServer
import Testing

@testable import HTTP

/// A request that nobody wants any more ends at once, wherever it is.
@Suite struct CancellationTests {
  let server: TestServer
  let client = HTTPClient()

  init() throws {
    server = try TestServer()
  }

  func start(_ path: String) -> Task<HTTPResponse, any Error> {
    Task { [client, url = server.url(path)] in try await client.send(.patient(url)) }
  }

  @Test(arguments: [Answer.heldHead("late"), .heldBody("half of it late"), .endless()])
  func `a cancelled task closes its connection, whatever the answer was doing`(
    answer: Answer
  ) async throws {
    server["/feed"] = answer
    let client = client
    var request = HTTPRequest.patient(server.url("/feed"))
    request.limits.maximumBytes = .max
    let task = Task { [request] in try await client.send(request) }
    try await server.request(to: "/feed")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await server.abandonment(of: "/feed")
  }

  @Test func `a client that was prepared fetches, and its thread ends when it is shut down`()
    async throws
  {
    server["/feed"] = .whole("here")
    client.prepare()
    client.prepare()
    #expect(try await start("/feed").value.body == Array("here".utf8))
    await client.shutDown()
    client.prepare()
    await #expect(throws: CancellationError.self) { try await start("/feed").value }
    let unused = HTTPClient()
    unused.prepare()
    await unused.shutDown()
  }

  @Test func `a task cancelled before it began asks nobody`() async {
    let task = Task { [client, url = server.url("/feed")] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.send(.patient(url))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test func `cancelling one request leaves the others alone`() async throws {
    server["/a"] = .heldHead("a")
    server["/b"] = .heldHead("b")
    let (a, b) = (start("/a"), start("/b"))
    try await server.request(to: "/a")
    try await server.request(to: "/b")
    a.cancel()
    await #expect(throws: CancellationError.self) { try await a.value }
    server.release("/b")
    #expect(try await b.value.body == Array("b".utf8))
  }

  @Test func `cancelling a request that waits for a place asks nobody`() async throws {
    let worker = Worker(
      options: .init(maximumTransfersPerHost: 1), scope: { _ in .reserved }, now: { .now })
    server["/first"] = .heldHead("first")
    let transfers = try ["/first", "/second", "/third"].map { path in
      let request = HTTPRequest.patient(server.url(path))
      let address = try WebAddress(request.url)
      return Transfer(request, address: address, worker: worker, progress: nil)
    }
    for transfer in transfers { worker.post(.start(transfer)) }
    try await server.request(to: "/first")
    transfers[1].cancel()
    server.release("/first")
    #expect(try await transfers[2].head().status == 404)
    #expect(server.requests.map(\.path) == ["/first", "/third"])
    worker.close()
    await worker.waitUntilClosed()
  }

  @Test func `shutting down ends what runs, closes every connection and refuses what follows`()
    async throws
  {
    server["/hanging"] = .heldHead("late")
    _ = try await client.send(.patient(server.url("/feed")))
    let hanging = start("/hanging")
    try await server.request(to: "/hanging")
    let connections = Set(server.requests.map(\.connection)).count

    await client.shutDown()
    await #expect(throws: CancellationError.self) { try await hanging.value }
    try await server.connectionsEnded(connections)
    await #expect(throws: CancellationError.self) {
      try await client.send(.patient(server.url("/feed")))
    }
    await client.shutDown()
  }

  @Test func `shutting down a client that never did anything returns`() async {
    await client.shutDown()
  }

  @Test func `a client that goes out of use closes its connections`() async throws {
    var client: HTTPClient? = HTTPClient()
    _ = try await client?.send(.patient(server.url("/feed")))
    client = nil
    try await server.connectionsEnded(1)
  }
}
