import HTTP
import TestServer
import Testing

/// How much and how long: every limit ends a request with an error of its own.
@Suite struct LimitTests {
  let server: TestServer
  let client = HTTPClient()

  init() throws {
    server = try TestServer()
  }

  func send(_ path: String, _ limits: HTTPRequest.Limits) async throws -> HTTPResponse {
    var limits = limits
    // A loaded machine may take its time, but for the tests that set a time.
    if limits.total == HTTPRequest.Limits().total { limits.total = .seconds(600) }
    return try await client.send(HTTPRequest(url: server.url(path), limits: limits))
  }

  // MARK: Size

  @Test func `a body of just the limit is whole, one byte more is refused`() async throws {
    server["/measured"] = .whole("12345678")
    server["/unmeasured"] = .unmeasured("12345678")
    for path in ["/measured", "/unmeasured"] {
      #expect(try await send(path, .init(maximumBytes: 8)).body.count == 8)
      await #expect(throws: HTTPError.tooLarge(limit: 7)) {
        try await send(path, .init(maximumBytes: 7))
      }
    }
  }

  @Test func `a body that says it is too large is not even read`() async throws {
    server["/feed"] = Answer([
      .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8)), .hold,
    ])
    await #expect(throws: HTTPError.tooLarge(limit: 1000)) {
      try await send("/feed", .init(maximumBytes: 1000))
    }
    try await server.abandonment(of: "/feed")
  }

  @Test func `an endless body ends at the limit`() async throws {
    server["/feed"] = .endless()
    await #expect(throws: HTTPError.tooLarge(limit: 1_000_000)) {
      try await send("/feed", .init(maximumBytes: 1_000_000))
    }
    try await server.abandonment(of: "/feed")
  }

  @Test func `a compressed body is stopped while it inflates`() async throws {
    server["/feed"] = .gzipBomb(4 << 20)
    #expect(try await send("/feed", .init()).body.count >= 4 << 20)
    await #expect(throws: HTTPError.tooLarge(limit: 1 << 20)) {
      try await send("/feed", .init(maximumBytes: 1 << 20))
    }
  }

  @Test(arguments: ["/measured", "/unmeasured", "/compressed"])
  func `an error status is told, however large the page that explains it`(path: String) async throws
  {
    let headers = ["Retry-After": "60"]
    server["/measured"] = .whole("12345678", status: 429, headers: headers)
    server["/unmeasured"] = .endless(status: 429, headers: headers)
    server["/compressed"] = .gzipBomb(1 << 20, status: 429, headers: headers)
    let limit = path == "/compressed" ? 1 << 19 : 7
    let response = try await send(path, .init(maximumBytes: limit))
    #expect(response.status == 429)
    #expect(response.headers["Retry-After"] == "60")
    #expect(response.body.count <= limit)
  }

  @Test func `the length of a body that is not read, or not there, has no part in the limit`()
    async throws
  {
    server["/feed"] = .whole(
      String(repeating: "x", count: 100), status: 302, headers: ["Location": "/end"])
    server["/end"] = .whole("here")
    #expect(try await send("/feed", .init(maximumBytes: 8)).body == Array("here".utf8))
    server["/unchanged"] = Answer([
      .send(Array("HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n".utf8))
    ])
    #expect(try await send("/unchanged", .init(maximumBytes: 8)).status == 304)
  }

  @Test func `endless headers end`() async throws {
    server["/feed"] = Answer([
      .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(Array("X-Header: value\r\n".utf8)),
    ])
    await #expect(throws: HTTPError.headersTooLarge(limit: 256 << 10)) {
      try await send("/feed", .init())
    }
    try await server.abandonment(of: "/feed")
  }

  @Test func `one endless header ends, and is not called a lack of memory`() async throws {
    server["/feed"] = Answer([
      .send(Array("HTTP/1.1 200 OK\r\nX-Header: ".utf8)), .sendForever(Array("value ".utf8)),
    ])
    await #expect(throws: HTTPError.headersTooLarge(limit: 100 << 10)) {
      try await send("/feed", .init())
    }
    try await server.abandonment(of: "/feed")
  }

  @Test(arguments: [4, 1 << 40], [false, true])
  func `the body of a redirect is not read to its end, and has no part in the limit`(
    limit: Int, inflatesToNothing: Bool
  ) async throws {
    let head = "HTTP/1.1 302 Found\r\nLocation: /end\r\nTransfer-Encoding: chunked\r\n"
    func chunk(_ bytes: [UInt8]) -> [UInt8] {
      Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
    if inflatesToNothing {
      let start = Array((head + "Content-Encoding: gzip\r\n\r\n").utf8)
      let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
      let empty = Array(repeating: [0, 0, 0, 0xFF, 0xFF] as [UInt8], count: 200).flatMap(\.self)
      server["/feed"] = Answer([.send(start + chunk(gzipHead)), .sendForever(chunk(empty))])
    } else {
      let start = Array((head + "\r\n").utf8)
      server["/feed"] = Answer([
        .send(start), .sendForever(chunk(Array(repeating: 0x78, count: 0x400))),
      ])
    }
    server["/end"] = .whole("here")
    let response = try await send("/feed", .init(maximumBytes: limit))
    #expect(response.body == Array("here".utf8))
    try await server.abandonment(of: "/feed")
  }

  // MARK: Time

  @Test func `the total counts although bytes keep coming`() async throws {
    server["/feed"] = .endless()
    let error = await #expect(throws: HTTPError.self) {
      try await send("/feed", .init(maximumBytes: .max, total: .milliseconds(50)))
    }
    // On a busy machine the time may be up before the first byte.
    switch error {
    case .tooSlow, .timedOut: break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test func `a connection that is never made times out while connecting`() async throws {
    server[TestServer.tlsHello] = Answer([.hold])
    await #expect(throws: HTTPError.timedOut(.connecting)) {
      try await client.send(
        HTTPRequest(
          url: "https://127.0.0.1:\(server.port)/", limits: .init(connect: .milliseconds(50))))
    }
  }

  @Test func `after a timeout the next request is served`() async throws {
    server["/feed"] = .heldHead("late")
    await #expect(throws: HTTPError.self) {
      try await send("/feed", .init(stall: .milliseconds(20)))
    }
    server["/feed"] = .whole("well")
    #expect(try await send("/feed", .init()).body == Array("well".utf8))
  }
}
