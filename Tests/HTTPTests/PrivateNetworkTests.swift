import TestServer
import Testing

@testable import HTTP

/// What means this machine or its network, however it is written.
@Suite struct PrivateNetworkTests {
  @Test(arguments: [
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "0.0.0.0", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1",
    "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "fc00::1", "fec0::1",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:192.168.0.1", "::ffff:c0a8:1", "FE80::1",
    // In the clothes of the newer kind: NAT64, 6to4, compatible, translated, Teredo.
    "64:ff9b::192.168.1.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:c0a8:101::1",
    "2002:7f00:1::", "::10.0.0.1", "::ffff:0:10.0.0.1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    // Spellings that a resolver takes.
    "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "0x7f.1", "0", "[::1]",
    "fe80::1%eth0",
  ])
  func `an address of this machine or its network is private`(address: String) {
    #expect(PrivateNetwork.scope(ofName: address) == .reserved)
  }

  @Test(arguments: [
    "93.184.215.14", "172.15.0.1", "172.32.0.1", "192.169.0.1", "11.0.0.1", "100.128.0.1",
    "126.255.255.255", "128.0.0.1", "169.253.1.1", "223.255.255.255", "2606:2800:21f:cb07::1",
    "::ffff:93.184.215.14", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1", "2001:4860:4860::8888",
  ])
  func `any other is public`(address: String) throws {
    #expect(PrivateNetwork.scope(of: try #require(PrivateNetwork.bytes(of: address))) == .elsewhere)
  }

  /// Those of a server in the public network, whose other addresses lead nowhere else.
  private func own() -> [PrivateNetwork.OwnAddress] {
    let all = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    return [
      ("127.0.0.1", all), ("::1", all), ("10.0.0.7", all), ("93.184.215.14", all),
      ("2a00:1450:4001:82b::1", "ffff:ffff:ffff:ffff::"), ("fe80::1", "ffff:ffff:ffff:ffff::"),
      ("2a03:b0c0:1::a0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fff0"),
    ].compactMap { address, mask in
      guard let bytes = PrivateNetwork.bytes(of: address), let mask = PrivateNetwork.bytes(of: mask)
      else { return nil }
      return PrivateNetwork.OwnAddress(bytes: bytes, mask: mask)
    }
  }

  @Test(arguments: [
    "93.184.215.14", "::ffff:93.184.215.14", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1",
    "2a00:1450:4001:82b::1", "2a00:1450:4001:82b:1234::99", "2a03:b0c0:1::af",
  ])
  func `a public address of this machine, or of its IPv6 network, is ours`(address: String)
    throws
  {
    let bytes = try #require(PrivateNetwork.bytes(of: address))
    #expect(PrivateNetwork.scope(of: bytes, own: own) == .ours)
    #expect(PrivateNetwork.scope(of: bytes, own: { [] }) == .elsewhere)
  }

  @Test(arguments: [
    "93.184.215.15", "2a00:1450:4001:82c::1", "2606:2800:21f:cb07::1", "2001:4860:4860::8888",
    "2a03:b0c0:1::b0",
  ])
  func `an address beside those of this machine is public`(address: String) throws {
    let bytes = try #require(PrivateNetwork.bytes(of: address))
    #expect(PrivateNetwork.scope(of: bytes, own: own) == .elsewhere)
  }

  @Test func `the addresses of this machine are found`() throws {
    let addresses = PrivateNetwork.ownAddresses()
    let local = try #require(PrivateNetwork.bytes(of: "127.0.0.1"))
    let found = try #require(addresses.first { $0.bytes == local })
    #expect(found.mask == Array(repeating: 0xFF, count: 16))
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "feeds.localhost", "router", "nas.local", "nas.LAN",
    "metadata.google.internal", "fritz.home.arpa", "wiki.corp", "localhost.localdomain",
  ])
  func `a name without a meaning outside is private`(name: String) {
    #expect(PrivateNetwork.scope(ofName: name) == .reserved)
  }

  @Test(arguments: [
    "localhost", "localhost.", "feeds.localhost.", "127.0.0.1", "127.1.2.3.", "0.0.0.0", "[::]",
    "[::1]", "::ffff:127.0.0.1",
  ])
  func `a name of this machine is known as one`(name: String) {
    #expect(PrivateNetwork.isThisMachine(name))
  }

  @Test(arguments: ["local", "localhost.example.org", "192.168.0.1", "0.0.0.1", "[::2]", "[1::]"])
  func `a name of another machine is not taken for this one`(name: String) {
    #expect(!PrivateNetwork.isThisMachine(name))
  }

  @Test(arguments: [
    "example.org", "example.org.", "local.example.org", "home.example.org", "arpa.de",
  ])
  func `any other name is not, before a resolver is asked`(name: String) {
    #expect(PrivateNetwork.scope(ofName: name) == .elsewhere)
  }
}
