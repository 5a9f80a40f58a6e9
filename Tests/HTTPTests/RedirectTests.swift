import HTTP
import TestServer
import Testing

@Suite struct RedirectTests {
  let server: TestServer
  let client = HTTPClient()

  init() throws {
    server = try TestServer()
    server["/end"] = .whole("here")
  }

  func send(_ path: String, maximumRedirects: Int = 5) async throws -> HTTPResponse {
    try await client.send(
      HTTPRequest(url: server.url(path), limits: .init(maximumRedirects: maximumRedirects)))
  }

  func chain(_ statuses: Int...) {
    for (index, status) in statuses.enumerated() {
      let next = index + 1 < statuses.count ? "/\(index + 1)" : "/end"
      server["/\(index)"] = .redirect(to: next, status: status)
    }
  }

  @Test func `an answer says where it was in the end`() async throws {
    chain(302, 303, 307)
    let response = try await send("/0")
    #expect(response.body == Array("here".utf8))
    #expect(response.finalURL == server.url("/end"))
    #expect(!response.isMovedPermanently)
  }

  @Test func `only permanent redirects all the way move an address for good`() async throws {
    chain(301, 308)
    #expect(try await send("/0").isMovedPermanently)
    chain(301, 302)
    #expect(try await !send("/0").isMovedPermanently)
    chain(302, 301)
    #expect(try await !send("/0").isMovedPermanently)
  }

  @Test func `the headers of a redirect are not the answer's`() async throws {
    server["/0"] = .whole("", status: 302, headers: ["Location": "/end", "ETag": "\"old\""])
    #expect(try await send("/0").headers["ETag"] == nil)
  }

  @Test func `as many redirects as allowed are followed, and not one more`() async throws {
    chain(302, 302, 302)
    #expect(try await send("/0", maximumRedirects: 3).status == 200)
    await #expect(throws: HTTPError.tooManyRedirects(limit: 2)) {
      try await send("/0", maximumRedirects: 2)
    }
    await #expect(throws: HTTPError.tooManyRedirects(limit: 0)) {
      try await send("/2", maximumRedirects: 0)
    }
  }

  @Test func `a loop ends`() async throws {
    server["/a"] = .redirect(to: "/b")
    server["/b"] = .redirect(to: "/a")
    await #expect(throws: HTTPError.tooManyRedirects(limit: 5)) { try await send("/a") }
    #expect(server.requests.count == 6)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/_x", "http://",
    "javascript:alert(1)", "data:text/xml,<rss/>", "mailto:a@example.org", "//",
  ])
  func `what is not the web is not followed`(location: String) async {
    server["/feed"] = .redirect(to: location)
    await #expect(throws: HTTPError.redirectRefused(to: location)) { try await send("/feed") }
  }

  @Test func `an answer that is not HTTP is no refused redirect`() async throws {
    server["/feed"] = .redirect(to: "/garbage")
    server["/garbage"] = .raw("garbage\r\n")
    let error = await #expect(throws: HTTPError.self) { try await send("/feed") }
    guard case .malformedAnswer = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a redirect without an address is an answer`() async throws {
    server["/feed"] = .whole("choose", status: 300)
    let response = try await send("/feed")
    #expect(response.status == 300)
    #expect(response.body == Array("choose".utf8))
  }

  @Test func `an address may have blanks, and bytes of any encoding`() async throws {
    let head = Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /a b/".utf8)
    server["/utf-8"] = Answer([.send(head + Array("é\r\n\r\n".utf8))])
    server["/latin-1"] = Answer([.send(head + [0xE9] + Array("\r\n\r\n".utf8))])
    _ = try await send("/utf-8")
    _ = try await send("/latin-1")
    #expect(
      server.requests.map(\.path).filter { $0.hasPrefix("/a") } == ["/a%20b/%c3%a9", "/a%20b/%E9"])
  }

  @Test func `a password is not sent over http to another machine, unless that is wanted`()
    async throws
  {
    await #expect(throws: HTTPError.passwordInClear(host: "example.org")) {
      try await client.send(.patient("http://ann:secret@example.org/feed"))
    }
    var options = HTTPClient.Options()
    options.address = { _ in "127.0.0.1" }
    var request = HTTPRequest(
      url: "http://example.org:\(server.port)/end", headers: ["Authorization": "Basic x"])
    await #expect(throws: HTTPError.passwordInClear(host: "example.org")) {
      try await HTTPClient(options: options).send(request)
    }
    #expect(server.connectionCount == 0)
    request.sendsPasswordsInClear = true
    #expect(try await HTTPClient(options: options).send(request).status == 200)
    #expect(server.requests.first?["Authorization"] == "Basic x")
  }

  @Test func `credentials do not follow to another host`() async throws {
    let other = try TestServer()
    server["/feed"] = .redirect(to: other.url("/feed"))
    server["/here"] = .redirect(to: "/end")
    let headers: HTTPHeaders = ["Authorization": "Bearer secret", "Cookie": "session=secret"]
    for (path, isOfOtherServer) in [("/feed", true), ("/here", false)] {
      let response = try await client.send(HTTPRequest(url: server.url(path), headers: headers))
      #expect(response.isOfOtherServer == isOfOtherServer)
    }

    #expect(server.requests(to: "/feed").first?["Authorization"] == "Bearer secret")
    #expect(server.requests(to: "/end").first?["Authorization"] == "Bearer secret")
    let elsewhere = try await other.request(to: "/feed")
    #expect(elsewhere["Authorization"] == nil)
    #expect(elsewhere["Cookie"] == nil)
  }

  @Test func `a password in the address does not follow to another host`() async throws {
    let other = try TestServer()
    server["/feed"] = .redirect(to: other.url("/feed"))
    let url = "http://reader:secret@127.0.0.1:\(server.port)/feed"
    let response = try await client.send(.patient(url))
    #expect(server.requests(to: "/feed").first?["Authorization"] == "Basic cmVhZGVyOnNlY3JldA==")
    #expect(try await other.request(to: "/feed")["Authorization"] == nil)
    #expect(response.finalURL == other.url("/feed"))
  }

  private static func redirect(to location: String, cookies: [String]) -> Answer {
    let fields = cookies.map { "Set-Cookie: \($0)\r\n" }.joined()
    let head =
      "HTTP/1.1 302 Found\r\n\(fields)Location: \(location)\r\nContent-Length: 0\r\n\r\n"
    return Answer([.send(Array(head.utf8))])
  }

  @Test func `a server that redirects until its cookies come back gets them, each time anew`()
    async throws
  {
    server.answer("/feed") { request in
      request["Cookie"] == "a=2; b=x=y"
        ? .whole("here")
        : Self.redirect(
          to: "/feed", cookies: ["b=1", "a=2; Path=/", "b=x=y; HttpOnly", "none", "=c"])
    }
    // Over http, and to a server that is not this machine by its name.
    var options = HTTPClient.Options()
    options.address = { _ in "127.0.0.1" }
    let client = HTTPClient(options: options)
    for _ in 1...2 {
      let response = try await client.send(.patient("http://example.org:\(server.port)/feed"))
      #expect(response.body == Array("here".utf8))
    }
    let sent = server.requests.map { $0["Cookie"] }
    #expect(sent == [nil, "a=2; b=x=y", nil, "a=2; b=x=y"])
  }

  @Test func `a cookie that the server deletes is not sent back`() async throws {
    let set = ["a=1", "b=2", "c=3; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "d=4"]
    server["/feed"] = Self.redirect(to: "/next", cookies: set)
    server["/next"] = Self.redirect(
      to: "/end",
      cookies: [
        "a=; Path=/; Max-Age=0", "b=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT", "e=5",
      ])
    _ = try await send("/feed")
    #expect(server.requests(to: "/end").map { $0["Cookie"] } == ["c=3; d=4; e=5"])
  }

  @Test func `a cookie goes only to the server that has set it`() async throws {
    let other = try TestServer()
    server["/feed"] = Self.redirect(to: other.url("/token"), cookies: ["a=1; Domain=127.0.0.1"])
    other["/token"] = Self.redirect(to: server.url("/end"), cookies: ["a=2", "b=2"])
    #expect(try await send("/feed").status == 200)
    #expect(try await other.request(to: "/token")["Cookie"] == nil)
    #expect(server.requests(to: "/end").map { $0["Cookie"] } == ["a=1"])
  }

  @Test func `the cookies of redirects have limits, and do not replace one of the request`()
    async throws
  {
    let many = (0..<60).map { "c\($0)=1" }
    server["/many"] = Self.redirect(to: "/end", cookies: many)
    server["/large"] = Self.redirect(
      to: "/end", cookies: ["a=" + String(repeating: "x", count: 9_000), "b=1"])
    _ = try await send("/many")
    _ = try await send("/large")
    _ = try await client.send(HTTPRequest(url: server.url("/large"), headers: ["Cookie": "own=1"]))
    let sent = server.requests(to: "/end").map { $0["Cookie"] }
    #expect(sent == [many.prefix(50).joined(separator: "; "), "b=1", "own=1"])
  }
}
