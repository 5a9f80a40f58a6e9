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
      let response = try await HTTPClient().send(.patient("http://example.invalid/feed"))
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

  @Test func `a proxy that is not found is named as the one that failed`() async {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://no-such-proxy.invalid:3128", 1)
      try await expectProxyError("http://example.invalid/feed")
    }
  }
}

private func expectProxyError(_ url: String) async throws {
  do {
    // The head alone: the proxy's answer must not pass for the server's.
    _ = try await HTTPClient().stream(.patient(url))
  } catch HTTPError.proxy {
    return
  }
  try #require(Bool(false), "no proxy error")
}
