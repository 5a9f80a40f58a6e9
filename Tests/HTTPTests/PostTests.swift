import HTTP
import PseudoTerminal
import TestServer
import Testing

@Suite struct PostTests {
  @Test func `a form arrives as it was given`() async throws {
    let server = try TestServer()
    server["/login"] = .whole("Auth=x")
    let form = [("Email", "ann@example.org"), ("Passwd", "ä &=%+\n\0"), ("i", "1"), ("i", "2")]
    let response = try await HTTPClient().send(
      HTTPRequest(url: server.url("/login"), body: .init(form: form, isSecret: true)))
    #expect(response.body == Array("Auth=x".utf8))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request["Expect"] == nil)
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == "Email=ann%40example.org&Passwd=%C3%A4%20%26%3D%25%2B%0A%00&i=1&i=2")
  }

  @Test(arguments: [0, 1, 3 << 20]) func `a body of any size arrives whole`(size: Int) async throws
  {
    let server = try TestServer()
    server["/"] = .whole("ok")
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let response = try await HTTPClient().send(
      HTTPRequest(url: server.url("/"), body: .init(bytes, type: "application/octet-stream")))
    #expect(response.status == 200)
    #expect(server.requests.map(\.body) == [bytes])
    #expect(server.requests.map(\.method) == ["POST"])
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a body goes nowhere but where it was sent`(
    status: Int
  ) async throws {
    let server = try TestServer()
    server["/"] = .whole("", status: status, headers: ["Location": "/other"])
    await #expect(throws: HTTPError.bodyRedirected(to: "/other")) {
      try await HTTPClient().send(
        HTTPRequest(url: server.url("/"), body: .init(form: [("a", "b")])))
    }
    #expect(server.requests.map(\.path) == ["/"])
  }

  @Test(arguments: [true, false]) func `a body is sent again only where that does no harm`(
    isRepeatable: Bool
  ) async throws {
    let server = try TestServer()
    let client = HTTPClient()
    server["/"] = .whole("ok")
    server["/do"] = Answer([.close])
    // On a connection that was used before, a server may have hung up without having read anything.
    _ = try await client.send(HTTPRequest(url: server.url("/")))
    var body = HTTPRequest.Body(form: [("a", "b")])
    body.isRepeatable = isRepeatable
    let request = HTTPRequest(url: server.url("/do"), body: body)
    await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(server.requests(to: "/do").count == (isRepeatable ? 2 : 1))
  }

  @Test func `a password in a form is not sent in clear to another machine`() async throws {
    await #expect(throws: HTTPError.passwordInClear(host: "reader.example")) {
      try await HTTPClient().send(
        HTTPRequest(
          url: "http://reader.example/", body: .init(form: [("Passwd", "x")], isSecret: true)))
    }
  }
}
