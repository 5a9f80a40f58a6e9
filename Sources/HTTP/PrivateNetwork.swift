import CCurl

/// Recognises addresses and names of this machine and the network around it.
///
/// Addresses are compared as the 16 bytes of IPv6, which include IPv4, so that each address has one
/// form, however it was written.
enum PrivateNetwork {
  /// Whether an address is outside the public network.
  ///
  /// - Parameter address: 16 bytes, IPv4 as `::ffff:a.b.c.d`.
  static func contains(_ address: [UInt8]) -> Bool {
    guard address.count == 16 else { return true }
    // IPv4 addresses within IPv6 ones: a gateway may forward the packet to the IPv4 address.
    let embeddings: [(prefix: [UInt8], start: Int)] = [
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 12),  // ::ffff:a.b.c.d
      ([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0], 12),  // ::ffff:0:a.b.c.d
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 12),  // ::a.b.c.d, with :: and ::1
      ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 12),  // NAT64
      ([0x20, 0x02], 2),  // 6to4
    ]
    for (prefix, start) in embeddings where address.starts(with: prefix) {
      return containsIPv4(Array(address[start..<start + 4]))
    }
    return switch (address[0], address[1]) {
    case (0xFC...0xFD, _): true  // fc00::/7, unique local addresses
    case (0xFE, 0x80...0xFF): true  // fe80::/10 and fec0::/10, link-local and site-local
    case (0xFF, _): true  // multicast
    case (0x01, 0x00): true  // 100::/64, which routers discard
    case (0x00, 0x64): true  // 64:ff9b:1::/48, NAT64 within a network
    case (0x20, 0x01): address[2] == 0 && address[3] == 0  // Teredo, which hides an IPv4 address
    default: false
    }
  }

  private static func containsIPv4(_ address: [UInt8]) -> Bool {
    switch (address[0], address[1], address[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 168, _): true
    // Carrier and cloud networks, benchmarks, multicast and reserved ranges.
    case (100, 64...127, _), (192, 0, 0), (198, 18...19, _), (224..., _, _): true
    default: false
    }
  }

  /// Whether a name is, or stands for, an address of this machine or its network, without a lookup.
  ///
  /// It recognises names that have no meaning in the public network: names without a dot, and names
  /// below domains that are used only in private networks.
  ///
  /// - Parameter isPrivate: decides for numeric addresses.
  static func contains(name: String, isPrivate: ([UInt8]) -> Bool = { contains($0) }) -> Bool {
    if let address = bytes(of: name) { return isPrivate(address) }
    var labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "" { labels.removeLast() }
    guard labels.count > 1, let last = labels.last else { return true }
    return privateDomains.contains(String(last)) || labels.suffix(2) == ["home", "arpa"]
  }

  private static let privateDomains: Set<String> = [
    "localhost", "local", "localdomain", "internal", "intranet", "private", "lan", "home", "corp",
  ]

  /// Whether a name always stands for this machine.
  static func isThisMachine(_ name: String) -> Bool {
    guard let address = bytes(of: name) else {
      return name == "localhost" || name.hasSuffix(".localhost")
    }
    return address == [UInt8](repeating: 0, count: 15) + [1]
      || address.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127])
  }

  /// Returns the bytes of a numeric address, with or without brackets; nil for a name.
  static func bytes(of text: String) -> [UInt8]? {
    let text = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
    // A zone selects a network interface of this machine; a dot at the end has no meaning.
    var number = String(text.prefix { $0 != "%" })
    if number.hasSuffix(".") { number.removeLast() }
    var bytes = [UInt8](repeating: 0, count: 16)
    return ccurl_parse_address(number, &bytes) == 1 ? bytes : nil
  }
}
