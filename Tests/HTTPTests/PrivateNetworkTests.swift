import TestServer
import Testing

@testable import HTTP

/// No server outside may have us fetch what only this machine or its network can see.
@Suite struct PrivateNetworkTests {
  @Test(arguments: [
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "0.0.0.0", "100.64.0.1", "::1", "::", "fe80::1", "fd00::1", "fc00::1",
    "::ffff:127.0.0.1", "::ffff:192.168.0.1", "FE80::1",
  ])
  func `an address of this machine or its network is private`(address: String) {
    #expect(PrivateNetwork.contains(address))
  }

  @Test(arguments: [
    "93.184.215.14", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1", "100.128.0.1",
    "2606:2800:21f:cb07::1", "::ffff:93.184.215.14", "64:ff9b::1", "",
  ])
  func `any other is public`(address: String) {
    #expect(!PrivateNetwork.contains(address))
  }

  /// The second address of this machine stands for one of the public network.
  private func client() -> HTTPClient {
    var options = HTTPClient.Options()
    options.isPrivate = { $0 != LoopbackHost.second.address }
    return HTTPClient(options: options)
  }

  @Test func `a public server may not send us on to a private one`() async throws {
    let (outside, inside) = (try TestServer(host: .second), try TestServer())
    outside["/"] = .redirect(to: inside.url("/secret"))
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: inside.url("/secret"))) {
      try await client().send(.patient(outside.url("/")))
    }
    #expect(inside.requests.isEmpty)
  }

  @Test func `not by a detour either, nor on a connection that stands`() async throws {
    let (outside, inside) = (try TestServer(host: .second), try TestServer())
    inside["/"] = .whole("mine")
    outside["/"] = .redirect(to: "/2")
    outside["/2"] = .redirect(to: inside.url("/secret"))
    let client = client()
    #expect(try await client.send(.patient(inside.url("/"))).status == 200)
    await #expect(throws: HTTPError.redirectIntoPrivateNetwork(to: inside.url("/secret"))) {
      try await client.send(.patient(outside.url("/")))
    }
    #expect(inside.requests.map(\.path) == ["/"])
  }

  @Test func `a private server may send us on to itself, and a public one to another`()
    async throws
  {
    let (outside, inside) = (try TestServer(host: .second), try TestServer())
    inside["/"] = .redirect(to: outside.url("/"))
    outside["/"] = .redirect(to: "/end")
    outside["/end"] = .whole("here")
    #expect(try await client().send(.patient(inside.url("/"))).status == 200)
  }
}
