import Synchronization
import TestServer
import Testing

@testable import HTTP

/// How long a server may say nothing, with a clock that only the test moves.
@Suite struct SilenceTests {
  let server: TestServer
  let clock = StillClock()
  let client: HTTPClient
  // A loaded machine may take its time: only the silence counts here.
  let limits = HTTPRequest.Limits(stall: .seconds(20), total: .seconds(600))

  init() throws {
    server = try TestServer()
    server["/"] = .whole("")
    client = HTTPClient(options: .init(), now: { [clock] in clock.now })
  }

  /// Moves the clock, and makes the client look at it: a whole exchange of another request.
  func pass(_ duration: Duration) async throws {
    clock.pass(duration)
    _ = try await client.send(.patient(server.url("/")))
  }

  func open(_ path: String) async throws -> HTTPStream {
    try await client.stream(HTTPRequest(url: server.url(path), limits: limits))
  }

  @Test func `silence before the answer is a timeout while waiting`() async throws {
    server["/feed"] = .heldHead("late")
    let task = Task { try await open("/feed") }
    try await server.request(to: "/feed")
    try await pass(.seconds(20))
    await #expect(throws: HTTPError.timedOut(.waiting)) { try await task.value }
    try await server.abandonment(of: "/feed")
  }

  @Test func `silence in the body is a timeout while receiving`() async throws {
    server["/feed"] = .heldBody("half")
    let stream = try await open("/feed")
    var body = stream.makeAsyncIterator()
    #expect(try await body.next() == Array("ha".utf8))
    try await pass(.seconds(20))
    await #expect(throws: HTTPError.timedOut(.receiving)) { try await body.next() }
    try await server.abandonment(of: "/feed")
  }

  @Test func `every byte ends a silence`() async throws {
    server["/feed"] = .drip("abc", size: 1)
    let stream = try await open("/feed")
    var body = stream.makeAsyncIterator()
    for letter in "abc".utf8 {
      try await pass(.seconds(19))
      server.release("/feed")
      #expect(try await body.next() == [letter])
    }
    #expect(try await body.next() == nil)
  }

  @Test func `a head ends a silence too`() async throws {
    server["/feed"] = Answer([
      .hold, .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".utf8)),
      .hold, .send(Array("body".utf8)),
    ])
    let task = Task { try await open("/feed") }
    try await server.request(to: "/feed")
    try await pass(.seconds(19))
    server.release("/feed")
    let stream = try await task.value
    var body = stream.makeAsyncIterator()
    try await pass(.seconds(19))
    server.release("/feed")
    #expect(try await body.next() == Array("body".utf8))
  }

  @Test func `silence in the body of a redirect is a timeout too`() async throws {
    server["/feed"] = Answer([
      .send(Array("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 9\r\n\r\n".utf8)), .hold,
    ])
    let task = Task { try await open("/feed") }
    try await server.hold(at: "/feed")
    try await pass(.zero)
    try await pass(.seconds(20))
    await #expect(throws: HTTPError.timedOut(.receiving)) { try await task.value }
  }

  /// More than any buffer on the way holds: a server that nobody made to wait would get to the
  /// limit, and the error would stand where the rest of the bytes should.
  @Test func `a server is made to wait while nobody reads, and that is no silence`() async throws {
    server["/feed"] = .endless()
    let stream = try await client.stream(
      HTTPRequest(
        url: server.url("/feed"),
        limits: .init(maximumBytes: 64 << 20, stall: .seconds(20), total: .seconds(600))))
    while !stream.lease.transfer.state.withLock(\.isPaused) { try await pass(.zero) }
    for _ in 1...3 { try await pass(.seconds(20)) }

    var body = stream.makeAsyncIterator()
    var received = 0
    while received < 8 << 20 { received += try #require(await body.next()).count }
    #expect(received < 9 << 20)
  }

  @Test func `the client wakes by itself when a silence is over`() async throws {
    server["/feed"] = .heldHead("late")
    // No other limit is near that could wake it; curl itself looks up once after 200 ms.
    let limits = HTTPRequest.Limits(
      connect: .seconds(3600), stall: .milliseconds(300), total: .seconds(3600))
    await #expect(throws: HTTPError.timedOut(.waiting)) {
      try await HTTPClient().send(HTTPRequest(url: server.url("/feed"), limits: limits))
    }
  }
}

/// Stands still until it is moved.
final class StillClock: Sendable {
  private let time = Mutex(SuspendingClock.now)

  var now: SuspendingClock.Instant { time.withLock(\.self) }

  func pass(_ duration: Duration) {
    time.withLock { $0 += duration }
  }
}
