import TestServer
import Testing

@testable import HTTP

/// How many requests are at work at one time.
@Suite struct PlaceTests {
  let server: TestServer

  init() throws {
    server = try TestServer()
  }

  /// One request for each number, all of them held.
  func start(
    _ numbers: ClosedRange<Int>, at server: TestServer, _ client: HTTPClient
  ) -> [Task<HTTPResponse, any Error>] {
    numbers.map { number in
      server["/\(number)"] = .heldHead("\(number)")
      return Task { [url = server.url("/\(number)")] in
        try await client.send(.patient(url))
      }
    }
  }

  /// A whole exchange of somebody else, so that what is on its way has time to arrive.
  func passTime() async throws {
    let server = try TestServer()
    let client = HTTPClient()
    for _ in 1...20 { _ = try await client.send(.patient(server.url("/"))) }
  }

  @Test func `a host is asked for so many things at once and no more`() async throws {
    let client = HTTPClient(options: .init(maximumTransfersPerHost: 2))
    let tasks = start(1...6, at: server, client)
    var released: Set<String> = []
    for count in [2, 4, 6] {
      try await server.requests(count: count)
      try await passTime()
      let held = server.requests.map(\.path).filter { !released.contains($0) }
      #expect(held.count == 2)
      for path in held {
        released.insert(path)
        server.release(path)
      }
    }
    for task in tasks { _ = try await task.value }
  }

  @Test func `another host has places of its own, within the total`() async throws {
    let other = try TestServer()
    let client = HTTPClient(options: .init(maximumTransfers: 3, maximumTransfersPerHost: 2))
    let here = start(1...2, at: server, client)
    try await server.requests(count: 2)
    let there = start(1...2, at: other, client)
    try await other.requests(count: 1)
    try await passTime()
    #expect(other.requests.count == 1)

    // The place that is given back goes to the one who waits.
    server.release("/1")
    try await other.requests(count: 2)
    server.release("/2")
    for number in 1...2 { other.release("/\(number)") }
    for task in here + there { _ = try await task.value }
  }

  @Test func `a stream has its place until it is dropped, also when all of it has come`()
    async throws
  {
    let client = HTTPClient(options: .init(maximumTransfers: 1))
    server["/first"] = .whole("one")
    var stream: HTTPStream? = try await client.stream(.patient(server.url("/first")))
    var body = stream?.makeAsyncIterator()
    #expect(try await body?.next() == Array("one".utf8))
    #expect(try await body?.next() == nil)
    let next = start(1...1, at: server, client)[0]
    try await passTime()
    #expect(server.requests.count == 1)

    (stream, body) = (nil, nil)
    try await server.request(to: "/1")
    server.release("/1")
    #expect(try await next.value.status == 200)
  }

  @Test func `what is urgent goes before what waits`() async throws {
    let worker = Worker(
      options: .init(maximumTransfers: 1), scope: { _ in .reserved }, now: { .now })
    func start(_ path: String, isUrgent: Bool = false) throws -> Transfer {
      var request = HTTPRequest.patient(server.url(path))
      request.isUrgent = isUrgent
      let transfer = Transfer(
        request, address: try WebAddress(request.url), worker: worker, progress: nil)
      worker.post(.start(transfer))
      return transfer
    }
    server["/1"] = .heldHead("1")
    let first = try start("/1")
    try await server.request(to: "/1")
    let others = [try start("/2"), try start("/picture", isUrgent: true)]
    server.release("/1")
    for transfer in [first] + others.reversed() {
      _ = try await transfer.head()
      transfer.release()
    }
    #expect(server.requests.map(\.path).prefix(2) == ["/1", "/picture"])
    worker.close()
    await worker.waitUntilClosed()
  }

  @Test func `the wait for a place takes nothing from a request's time`() async throws {
    let clock = StillClock()
    let client = HTTPClient(
      options: .init(maximumTransfersPerHost: 1), now: { [clock] in clock.now })
    let first = start(1...1, at: server, client)[0]
    try await server.request(to: "/1")
    server["/next"] = .whole("next")
    let waiting = Task { [url = server.url("/next")] in
      let limits = HTTPRequest.Limits(
        connect: .seconds(600), stall: .seconds(1), total: .seconds(1))
      return try await client.send(HTTPRequest(url: url, limits: limits))
    }
    try await passTime()
    clock.pass(.seconds(2))
    server.release("/1")
    #expect(try await waiting.value.body == Array("next".utf8))
    _ = try await first.value
  }
}
