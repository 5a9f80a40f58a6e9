import Synchronization
import TestServer
import Testing

@testable import HTTP

/// Each thing that can go wrong on the way has an error of its own.
@Suite struct FailureTests {
  let server: TestServer
  let client = HTTPClient()

  init() throws {
    server = try TestServer()
  }

  func failure(at path: String, limits: HTTPRequest.Limits = .init()) async -> HTTPError? {
    await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(url: server.url(path), limits: limits))
    }
  }

  @Test(arguments: ["", "feed", "example.org/feed", "http://", "http://a b/", "http://h:port/"])
  func `what is no absolute address is refused before anything is sent`(text: String) async {
    await #expect(throws: HTTPError.invalidAddress(text)) {
      try await client.send(.patient(text))
    }
  }

  @Test func `control characters in an address are refused and not repeated`() async {
    await #expect(throws: HTTPError.invalidAddress("http://h/GET [31m")) {
      try await client.send(.patient("http://h/\r\nGET \u{1B}[31m"))
    }
    await #expect(throws: HTTPError.invalidAddress("\(server.url("/"))@elsewhere")) {
      try await client.send(HTTPRequest(url: "\(server.url("/"))\0@elsewhere"))
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://h/", "gopher://h/", "javascript://h/"])
  func `only the web's schemes are asked`(url: String) async {
    let scheme = String(url.prefix { $0 != ":" })
    await #expect(throws: HTTPError.unsupportedScheme(scheme)) {
      try await client.send(.patient(url))
    }
  }

  @Test(arguments: [("X-Tag", "a\r\nHost: elsewhere"), ("X Tag", "a"), ("", "a"), ("X:", "a")])
  func `a header that would become two is refused`(name: String, value: String) async {
    var request = HTTPRequest.patient(server.url("/"))
    request.headers.append(name, value)
    await #expect(throws: HTTPError.invalidHeader(name: name)) {
      try await client.send(request)
    }
  }

  @Test func `a name that does not exist says so`() async {
    await #expect(throws: HTTPError.cannotResolve(host: "no-such-host.invalid")) {
      try await client.send(.patient("http://No-Such-Host.invalid/feed"))
    }
  }

  @Test func `a refused connection says where and why, and a server that is back answers`()
    async throws
  {
    server["/feed"] = .whole("well")
    server.refuseConnections()
    #expect(
      await failure(at: "/feed")
        == .cannotConnect(host: "127.0.0.1:\(server.port)", reason: "Connection refused"))
    try server.acceptConnections()
    let response = try await client.send(.patient(server.url("/feed")))
    #expect(response.body == Array("well".utf8))
  }

  @Test func `half of the promised length is not taken for a body`() async {
    server["/feed"] = .cut("a body of which half is missing")
    #expect(await failure(at: "/feed") == .truncated)
  }

  @Test func `chunks without the last are not taken for a body`() async {
    server["/feed"] = .cutChunked("a chunk")
    #expect(await failure(at: "/feed") == .truncated)
  }

  @Test func `a reset in place of an answer is a lost connection`() async {
    server["/feed"] = .reset
    guard case .connectionLost = await failure(at: "/feed") else {
      Issue.record("not a lost connection")
      return
    }
  }

  @Test func `a reset in the body is a lost connection`() async throws {
    server["/feed"] = .resetInBody("a body that is lost on its way")
    let stream = try await client.stream(.patient(server.url("/feed")))
    var body = stream.makeAsyncIterator()
    #expect(try await body.next() == Array("a body that is ".utf8))
    server.release("/feed")
    let error = await #expect(throws: HTTPError.self) { try await body.next() }
    guard case .connectionLost = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a connection that closes without a word is an empty answer`() async {
    server["/feed"] = .empty
    #expect(await failure(at: "/feed") == .emptyAnswer)
  }

  @Test func `what a server sends after its last answer is not taken for the next one`()
    async throws
  {
    server["/first"] = .whole("first")
    let count = Mutex(0)
    server.answer("/second") { _ in
      let isFirst = count.withLock {
        $0 += 1
        return $0 == 1
      }
      return isFirst ? .raw("more of the first") : .whole("second")
    }
    for path in ["/first", "/second"] {
      let response = try await client.send(HTTPRequest(url: server.url(path)))
      #expect(response.body == Array(path.dropFirst().utf8))
    }
    #expect(server.connectionCount == 2)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "<html>no status line</html>\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
  ])
  func `what is not HTTP is malformed`(bytes: String) async {
    server["/feed"] = .raw(bytes)
    let error = await failure(at: "/feed")
    guard case .malformedAnswer = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a body that is not in its encoding is a bad encoding`() async {
    server["/feed"] = .whole("this is not gzip", headers: ["Content-Encoding": "gzip"])
    guard case .badEncoding = await failure(at: "/feed") else {
      Issue.record("not a bad encoding")
      return
    }
  }

  @Test func `a server that does not speak TLS cannot be asked securely`() async {
    let url = "https://127.0.0.1:\(server.port)/feed"
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(.patient(url))
    }
    guard case .cannotSecure("127.0.0.1:\(server.port)", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [404, 410, 429, 500, 503])
  func `no status is an error`(status: Int) async throws {
    server["/feed"] = .whole("sorry", status: status)
    let response = try await client.send(.patient(server.url("/feed")))
    #expect(response.status == status)
    #expect(response.body == Array("sorry".utf8))
  }
}
