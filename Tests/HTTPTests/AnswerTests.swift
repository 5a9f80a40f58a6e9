import HTTP
import TestServer
import Testing

/// What a good answer is made of.
@Suite struct AnswerTests {
  let server: TestServer
  let client = HTTPClient()

  init() throws {
    server = try TestServer()
  }

  func text(at path: String) async throws -> String {
    String(decoding: try await client.send(.patient(server.url(path))).body, as: UTF8.self)
  }

  @Test func `status, headers, body and address of an answer`() async throws {
    server["/feed"] = .whole("<rss/>", status: 203, headers: ["ETag": "\"1\""])
    let response = try await client.send(.patient(server.url("/feed?page=2")))
    #expect(response.status == 203)
    #expect(response.headers["etag"] == "\"1\"")
    #expect(response.headers["Content-Length"] == "6")
    #expect(response.body == Array("<rss/>".utf8))
    #expect(response.finalURL == server.url("/feed?page=2"))
    #expect(!response.isMovedPermanently)
  }

  @Test func `headers keep their order and their repetitions`() async throws {
    server["/feed"] = .raw(
      "HTTP/1.1 200 OK\r\nLink: <a>\r\nX: \t1 \r\nlink: <b>\r\n folded\r\nEmpty:\r\n\r\n")
    let headers = try await client.send(.patient(server.url("/feed"))).headers
    #expect(headers.fields.map(\.name) == ["Link", "X", "link", "Empty"])
    #expect(headers.values(of: "LINK") == ["<a>", "<b> folded"])
    #expect(headers["x"] == "1")
    #expect(headers["empty"] == "")
    #expect(headers["absent"] == nil)
  }

  @Test func `the request carries its headers and the client's name`() async throws {
    let client = HTTPClient(options: .init(userAgent: "Argyle/1.0"))
    var request = HTTPRequest(
      url: server.url("/feed"), headers: ["If-None-Match": "\"1\"", "X-Empty": ""])
    request.headers.append("Accept", "application/atom+xml")
    _ = try await client.send(request)
    let recorded = try await server.request(to: "/feed")
    #expect(recorded.method == "GET")
    #expect(recorded["User-Agent"] == "Argyle/1.0")
    #expect(recorded["If-None-Match"] == "\"1\"")
    #expect(recorded["X-Empty"] == "")
    #expect(recorded["Accept"] == "application/atom+xml")
    #expect(recorded["Accept-Encoding"]?.contains("gzip") == true)
  }

  @Test func `a header of the request takes the place of curl's own`() async throws {
    let request = HTTPRequest(url: server.url("/feed"), headers: ["user-agent": "Another"])
    _ = try await client.send(request)
    let agents = try await server.request(to: "/feed").headers.filter {
      $0.name.lowercased() == "user-agent"
    }
    #expect(agents.map(\.value) == ["Another"])
  }

  @Test func `not modified comes without a body`() async throws {
    server.answer("/feed") { request in
      request["If-None-Match"] == "\"1\"" ? .whole("", status: 304) : .whole("new")
    }
    let request = HTTPRequest(url: server.url("/feed"), headers: ["If-None-Match": "\"1\""])
    let response = try await client.send(request)
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
  }

  @Test func `chunks, compression and an open end all give the body`() async throws {
    server["/chunked"] = .chunked(["one ", "two ", "three"])
    server["/gzip"] = .gzipped("inflated")
    server["/unmeasured"] = .unmeasured("until the end")
    #expect(try await text(at: "/chunked") == "one two three")
    #expect(try await text(at: "/gzip") == "inflated")
    #expect(try await text(at: "/unmeasured") == "until the end")
  }

  @Test func `a compressed body of many blocks arrives whole`() async throws {
    let body = String(repeating: "a sock, a shoe; ", count: 20_000)
    server["/gzip"] = .gzipped(body)
    #expect(try await text(at: "/gzip") == body)
  }

  @Test func `an address with spaces and letters beyond ASCII is sent escaped`() async throws {
    _ = try await client.send(.patient(server.url("/süß und sauer?q=ä b#part")))
    let target = server.requests.first?.target
    #expect(target == "/s%c3%bc%c3%9f%20und%20sauer?q=%c3%a4+b")
  }

  @Test func `interim answers are not the answer`() async throws {
    server["/feed"] = .raw(
      "HTTP/1.1 103 Early Hints\r\nLink: <early>\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody")
    let response = try await client.send(.patient(server.url("/feed")))
    #expect(response.status == 200)
    #expect(response.headers["Link"] == nil)
    #expect(response.body == Array("body".utf8))
  }

  @Test func `the connection serves the next request too`() async throws {
    for _ in 1...3 { _ = try await client.send(.patient(server.url("/feed"))) }
    #expect(server.requests.map(\.connection) == [1, 1, 1])
  }
}
