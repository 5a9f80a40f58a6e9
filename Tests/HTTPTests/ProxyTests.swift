import Foundation
import TestServer
import Testing

@testable import HTTP

/// The environment belongs to the whole process, so each of these has a process of its own.
@Suite struct ProxyTests {
  @Test func `a proxy of the environment is asked for the whole address`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer()
      setenv("http_proxy", proxy.url(""), 1)
      proxy["http://example.invalid/feed"] = .whole("through the proxy")
      let client = HTTPClient()
      let response = try await client.send(.patient("http://example.invalid/feed"))
      await client.shutDown()
      try #require(response.body == Array("through the proxy".utf8))
      try #require(response.finalURL == "http://example.invalid/feed")
    }
  }

  @Test func `a proxy that does not pass us on is named as the one that failed`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer()
      setenv("https_proxy", proxy.url(""), 1)
      proxy["example.invalid:443"] = .whole("no", status: 403)
      try await expectProxyError("https://example.invalid/feed")
    }
  }

  /// The proxy alone sees what a name means: what can be told by the name is refused all the same.
  @Test func `through a proxy public content cannot name a private address either`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer()
      setenv("http_proxy", proxy.url(""), 1)
      let client = HTTPClient()
      for host in ["127.0.0.1", "2130706433", "localhost", "[::1]", "router", "①②⑦.⓪.⓪.①"] {
        var request = HTTPRequest.patient("http://\(host)/secret")
        request.origin = .publicContent
        do {
          _ = try await client.send(request)
          try #require(Bool(false), "\(host)")
        } catch HTTPError.privateAddress {}
      }
      proxy["http://example.invalid/feed"] = .redirect(to: "http://192.168.1.1/secret")
      do {
        _ = try await client.send(.patient("http://example.invalid/feed"))
        try #require(Bool(false), "a redirect")
      } catch HTTPError.redirectIntoPrivateNetwork {}
      try #require(proxy.requests.map(\.target) == ["http://example.invalid/feed"])

      // The user's own address goes there, by the name of the server and not of the proxy.
      proxy["http://192.168.1.1/feed"] = .whole("mine")
      let response = try await client.send(.patient("http://192.168.1.1/feed"))
      try #require(response.contentOrigin == .privateContent(host: "192.168.1.1"))
      proxy["http://example.invalid/other"] = .whole("public")
      let other = try await client.send(.patient("http://example.invalid/other"))
      try #require(other.contentOrigin == .publicContent)
      await client.shutDown()
    }
  }

  @Test(arguments: [
    ("example.org", "example.org", true), ("www.example.org", "example.org", true),
    ("www.example.org", ".example.org", true), ("example.org.", "example.org", true),
    ("badexample.org", "example.org", false), ("example.org", "a.de, EXAMPLE.org", true),
    ("example.org", "*", true), ("example.org", "", false), ("example.org", ",,", false),
    ("127.0.0.1", "127.0.0.1", true), ("10.1.2.3", "10.0.0.0/8", true),
    ("11.1.2.3", "10.0.0.0/8", false), ("[fd00::5]", "fd00::/8", true), ("[::1]", "::1", true),
    ("10.1.2.3", "10.0.0.0/33", false), ("10.1.2.3", "10.0.0.0/x", false),
  ])
  func `an exception is a name with all below it, an address or a network`(
    host: String, list: String, isOne: Bool
  ) {
    #expect(Proxy.isException(host, in: list) == isOne)
  }

  @Test func `a proxy is chosen by the scheme, and the small letters go first`() throws {
    func proxy(_ url: String, _ environment: [String: String]) throws -> String? {
      Proxy.address(for: try WebAddress(url)) { environment[$0] }
    }
    let all = [
      "http_proxy": "h", "HTTP_PROXY": "H", "https_proxy": "s", "HTTPS_PROXY": "S",
      "all_proxy": "a", "NO_PROXY": "example.net",
    ]
    #expect(try proxy("http://example.org/", all) == "h")
    #expect(try proxy("https://example.org/", all) == "s")
    #expect(try proxy("https://example.net/", all) == nil)
    #expect(try proxy("https://example.org/", ["HTTPS_PROXY": "S"]) == "S")
    // A web server's client could choose that one.
    #expect(try proxy("http://example.org/", ["HTTP_PROXY": "H"]) == nil)
    #expect(try proxy("http://example.org/", ["HTTP_PROXY": "H", "ALL_PROXY": "A"]) == "A")
    #expect(try proxy("http://example.org/", ["http_proxy": ""]) == nil)
  }

  @Test(arguments: ["localhost", "feeds.localhost", "127.0.0.1", "127.1", "[::1]"])
  func `what is on this machine is fetched without a proxy`(host: String) throws {
    for scheme in ["http", "https"] {
      let address = try WebAddress("\(scheme)://\(host):8080/feed")
      #expect(Proxy.address(for: address) { $0 == "all_proxy" ? "proxy:3128" : nil } == nil)
    }
  }

  @Test func `a proxy that refuses connections is named as the one that failed`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer()
      proxy.stop()
      setenv("http_proxy", proxy.url(""), 1)
      try await expectProxyError("http://example.invalid/feed")
    }
  }

  @Test func `a proxy that is not found is named as the one that failed`() async {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://no-such-proxy.invalid:3128", 1)
      try await expectProxyError("http://example.invalid/feed")
    }
  }
}

private func expectProxyError(_ url: String) async throws {
  let client = HTTPClient()
  do {
    // The head alone: the proxy's answer must not pass for the server's.
    _ = try await client.stream(.patient(url))
  } catch HTTPError.proxy {
    // Otherwise the end of the process frees the memory of OpenSSL under the client's thread.
    await client.shutDown()
    return
  }
  try #require(Bool(false), "no proxy error")
}
