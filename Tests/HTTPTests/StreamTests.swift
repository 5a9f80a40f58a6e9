import HTTP
import Synchronization
import TestServer
import Testing

/// Bodies as they come, and how far they have come.
@Suite struct StreamTests {
  let server: TestServer
  let client = HTTPClient()

  init() throws {
    server = try TestServer()
  }

  @Test func `the head is there before the body, and the body piece by piece`() async throws {
    server["/feed"] = .drip("onetwosix", size: 3)
    let stream = try await client.stream(.patient(server.url("/feed")))
    #expect(stream.head.status == 200)
    #expect(stream.head.headers["Content-Length"] == "9")

    var body = stream.makeAsyncIterator()
    for piece in ["one", "two", "six"] {
      server.release("/feed")
      #expect(try await body.next() == Array(piece.utf8))
    }
    #expect(try await body.next() == nil)
    #expect(try await body.next() == nil)
  }

  @Test func `a reader that wants large pieces gets them, and what is left at the end`()
    async throws
  {
    server["/feed"] = .drip("onetwosix!", size: 3)
    let stream = try await client.stream(.patient(server.url("/feed")), pieceSize: 6)
    for _ in 1...4 { server.release("/feed") }
    var pieces: [[UInt8]] = []
    for try await bytes in stream { pieces.append(bytes) }
    #expect(pieces.flatMap(\.self) == Array("onetwosix!".utf8))
    #expect(pieces.dropLast().allSatisfy { $0.count >= 6 })
  }

  @Test func `a stream that is dropped closes its connection`() async throws {
    server["/feed"] = .endless()
    _ = try await client.stream(.patient(server.url("/feed")))
    try await server.abandonment(of: "/feed")
  }

  @Test func `cancelling the reader of a stream closes its connection`() async throws {
    server["/feed"] = .heldBody("half of it is late")
    let stream = try await client.stream(.patient(server.url("/feed")))
    let reader = Task { for try await _ in stream {} }
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    try await server.abandonment(of: "/feed")
  }

  @Test func `a stream keeps its client at work`() async throws {
    server["/feed"] = .heldBody("half of it is late")
    let stream = try await HTTPClient().stream(.patient(server.url("/feed")))
    server.release("/feed")
    var body: [UInt8] = []
    for try await bytes in stream { body += bytes }
    #expect(body == Array("half of it is late".utf8))
  }

  @Test func `progress grows to the expected length`() async throws {
    server["/feed"] = .drip(String(repeating: "x", count: 100), size: 25)
    let reports = Mutex<[HTTPProgress]>([])
    // Each report lets the next piece go.
    server.release("/feed")
    _ = try await client.send(.patient(server.url("/feed"))) { [server] progress in
      reports.withLock { $0.append(progress) }
      server.release("/feed")
    }
    #expect(reports.withLock { $0.map(\.received) } == [25, 50, 75, 100])
    #expect(reports.withLock { $0.allSatisfy { $0.expected == 100 } })
  }

  @Test func `progress of a compressed body counts what is on the wire`() async throws {
    server["/feed"] = .gzipBomb(1 << 20)
    let last = Mutex<HTTPProgress?>(nil)
    let response = try await client.send(.patient(server.url("/feed"))) { progress in
      last.withLock { $0 = progress }
    }
    let length = try #require(response.headers["Content-Length"].flatMap { Int($0) })
    #expect(last.withLock(\.self) == HTTPProgress(received: length, expected: length))
    #expect(response.body.count > length * 100)
  }

  @Test func `progress of a body without a length expects nothing`() async throws {
    server["/feed"] = .unmeasured("until the end")
    let last = Mutex<HTTPProgress?>(nil)
    _ = try await client.send(.patient(server.url("/feed"))) { progress in
      last.withLock { $0 = progress }
    }
    #expect(last.withLock(\.self) == HTTPProgress(received: 13, expected: nil))
  }

  @Test func `redirects make no progress`() async throws {
    server["/feed"] = .whole("moved there", status: 302, headers: ["Location": "/end"])
    server["/end"] = .whole("here")
    let reports = Mutex<[HTTPProgress]>([])
    _ = try await client.send(.patient(server.url("/feed"))) { progress in
      reports.withLock { $0.append(progress) }
    }
    #expect(reports.withLock(\.self) == [HTTPProgress(received: 4, expected: 4)])
  }
}
