import TestServer
import Testing

@testable import HTTP

/// What public content names is never fetched from this machine or its network.
@Suite struct OriginTests {
  private let inside: TestServer

  init() throws {
    inside = try TestServer()
    for path in ["/secret", "/"] { inside[path] = .whole("mine") }
  }

  /// - Parameter names: hosts that the resolver has at this machine.
  private func client(names: [String] = []) -> HTTPClient {
    var options = HTTPClient.Options()
    options.address = { names.contains($0) ? "127.0.0.1" : nil }
    return HTTPClient(options: options)
  }

  /// A client to which the second address of this machine is one of the public network.
  private func clientWithOutside(names: [String: String] = [:]) -> HTTPClient {
    var options = HTTPClient.Options()
    options.address = { names[$0] }
    return HTTPClient(
      options: options,
      scope: {
        $0 == PrivateNetwork.bytes(of: LoopbackHost.second.address) ? .elsewhere : .reserved
      })
  }

  private func request(_ url: String, _ origin: RequestOrigin) -> HTTPRequest {
    var request = HTTPRequest.patient(url)
    request.origin = origin
    return request
  }

  // MARK: At the first step

  @Test(arguments: [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
    "017700000001", "127.0.0.1.", "0", "0.0.0.0", "localhost", "LOCALHOST", "localhost.",
    "x.localhost", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "169.254.169.254", "192.168.1.1",
    "10.0.0.1", "172.16.0.1", "100.64.0.1", "[fe80::1]", "[fd00::1]", "router", "nas.local",
    "metadata.google.internal", "%31%32%37.0.0.1", "①②⑦.⓪.⓪.①", "１２７.0.0.1", "ⓛocalhost",
    "user:password@127.0.0.1", "example.org@127.0.0.1", "127。0。0。1",
  ])
  func `public content cannot name a private address`(host: String) async throws {
    let url = "http://\(host):\(inside.port)/secret"
    let error = await #expect(throws: HTTPError.self) {
      try await client().send(request(url, .publicContent))
    }
    // In some of these spellings no host is named at all.
    switch error {
    case .privateAddress, .invalidAddress: break
    default: Issue.record("\(String(describing: error))")
    }
    #expect(inside.connectionCount == 0)
  }

  @Test func `nor a name that turns out to have one`() async throws {
    let url = "http://rebound.example.org:\(inside.port)/secret"
    let client = client(names: ["rebound.example.org"])
    await #expect(throws: HTTPError.privateAddress(host: "rebound.example.org")) {
      try await client.send(request(url, .publicContent))
    }
    #expect(inside.connectionCount == 0)
  }

  @Test func `nor by a connection that was made for the user`() async throws {
    let url = "http://feeds.example.org:\(inside.port)/secret"
    let client = client(names: ["feeds.example.org"])
    #expect(try await client.send(request(url, .user)).status == 200)
    await #expect(throws: HTTPError.privateAddress(host: "feeds.example.org")) {
      try await client.send(request(url, .publicContent))
    }
    #expect(inside.requests.count == 1)
  }

  // MARK: After a redirect

  @Test(arguments: RequestOrigin.samples)
  func `a public server may not send us on to a private one`(origin: RequestOrigin) async throws {
    let outside = try TestServer(host: .second)
    outside["/"] = .redirect(to: inside.url("/secret"))
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: inside.url("/secret"))) {
      try await clientWithOutside().send(request(outside.url("/"), origin))
    }
    #expect(inside.connectionCount == 0)
  }

  @Test(arguments: RequestOrigin.samples)
  func `nor by a name that has a private address`(origin: RequestOrigin) async throws {
    let outside = try TestServer(host: .second)
    let secret = "http://rebound.example.org:\(inside.port)/secret"
    outside["/"] = .redirect(to: secret)
    let client = clientWithOutside(names: ["rebound.example.org": "127.0.0.1"])
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: secret)) {
      try await client.send(request(outside.url("/"), origin))
    }
    #expect(inside.connectionCount == 0)
  }

  @Test func `not by a detour either, nor on a connection that stands`() async throws {
    let outside = try TestServer(host: .second)
    outside["/"] = .redirect(to: "/2")
    outside["/2"] = .redirect(to: inside.url("/secret"))
    let client = clientWithOutside()
    #expect(try await client.send(.patient(inside.url("/"))).status == 200)
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: inside.url("/secret"))) {
      try await client.send(.patient(outside.url("/")))
    }
    #expect(inside.requests.map(\.path) == ["/"])
  }

  @Test func `a private server may send the user on to itself, and a public one to another`()
    async throws
  {
    let outside = try TestServer(host: .second)
    inside["/"] = .redirect(to: outside.url("/"))
    outside["/"] = .redirect(to: "/end")
    outside["/end"] = .whole("here")
    let response = try await clientWithOutside().send(.patient(inside.url("/")))
    #expect(response.contentOrigin == .publicContent)
    #expect(!response.beginsInPublic)
  }

  // MARK: At a public address of this machine

  /// A client to which the second address of this machine is a public one of it.
  private func clientAtHome(inside: PrivateNetwork.Scope = .reserved) -> HTTPClient {
    HTTPClient(
      options: .init(),
      scope: { $0 == PrivateNetwork.bytes(of: LoopbackHost.second.address) ? .ours : inside })
  }

  @Test func `the user's own website is reached by its public address, and content names it there`()
    async throws
  {
    let website = try TestServer(host: .second)
    website["/"] = .redirect(to: "/feed")
    website["/feed"] = .whole("here")
    for origin in [RequestOrigin.user, .userInPublic] {
      let response = try await clientAtHome().send(request(website.url("/"), origin))
      #expect(response.beginsInPublic)
      #expect(response.contentOrigin == .privateContent(host: LoopbackHost.second.address))
    }
  }

  @Test func `public content does not reach it, nor does a public server send us there`()
    async throws
  {
    let website = try TestServer(host: .second)
    let host = LoopbackHost.second.address
    await #expect(throws: HTTPError.privateAddress(host: host)) {
      try await clientAtHome().send(request(website.url("/"), .publicContent))
    }
    inside["/"] = .redirect(to: website.url("/"))
    for origin in RequestOrigin.samples where origin != .publicContent {
      await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: website.url("/"))) {
        try await clientAtHome(inside: .elsewhere).send(request(inside.url("/"), origin))
      }
    }
    #expect(website.connectionCount == 0)
  }

  @Test func `what the user named in the public network does not lead to a private address`()
    async throws
  {
    await #expect(throws: HTTPError.privateAddress(host: "127.0.0.1")) {
      try await clientAtHome().send(request(inside.url("/secret"), .userInPublic))
    }
    let website = try TestServer(host: .second)
    website["/"] = .redirect(to: inside.url("/secret"))
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: inside.url("/secret"))) {
      try await clientAtHome().send(request(website.url("/"), .userInPublic))
    }
    #expect(inside.connectionCount == 0)
  }

  // MARK: What is the user's own

  @Test func `what the user names may be anywhere, and what it names may be there too`()
    async throws
  {
    let response = try await client().send(request(inside.url("/"), .user))
    #expect(response.contentOrigin == .privateContent(host: "127.0.0.1"))
    let picture = try await client().send(request(inside.url("/secret"), response.contentOrigin))
    #expect(picture.status == 200)
  }

  @Test func `private content reaches no other private host, not even by a redirect`() async throws
  {
    let neighbour = try TestServer(host: .second)
    let origin = RequestOrigin.privateContent(host: "127.0.0.1")
    await #expect(throws: HTTPError.privateAddress(host: "127.0.0.2")) {
      try await client().send(request(neighbour.url("/"), origin))
    }
    inside["/"] = .redirect(to: neighbour.url("/"))
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: neighbour.url("/"))) {
      try await client().send(request(inside.url("/"), origin))
    }
    #expect(neighbour.connectionCount == 0)
  }

  @Test func `private content reaches the public network`() async throws {
    let outside = try TestServer(host: .second)
    outside["/"] = .whole("here")
    let origin = RequestOrigin.privateContent(host: "127.0.0.1")
    let response = try await clientWithOutside().send(request(outside.url("/"), origin))
    #expect(response.contentOrigin == .publicContent)
  }
}

extension RequestOrigin {
  fileprivate static let samples = [
    RequestOrigin.user, .userInPublic, .publicContent, .privateContent(host: "127.0.0.1"),
  ]
}
