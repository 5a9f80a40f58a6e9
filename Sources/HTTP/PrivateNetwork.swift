import CCurl

/// Recognises addresses and names of this machine and the network around it.
///
/// Addresses are compared as the 16 bytes of IPv6, which include IPv4, so that each address has one
/// form, however it was written.
enum PrivateNetwork {
  /// Whether an address is outside the public network, or leads from within it to this machine or
  /// its network.
  ///
  /// - Parameters:
  ///   - address: 16 bytes, IPv4 as `::ffff:a.b.c.d`.
  ///   - own: returns the addresses of this machine's network interfaces.
  static func contains(_ address: [UInt8], own: () -> [[UInt8]] = ownAddresses) -> Bool {
    isReserved(address) || isOurs(address, own: own())
  }

  /// Whether a public address is one of this machine, or in its network.
  ///
  /// No firewall between this machine and the public network sees what is sent there. With IPv6,
  /// all machines of a network have public addresses, which share the first 64 bits. With IPv4, the
  /// public address of a home network is known only to its router: what is sent there is not
  /// recognised.
  private static func isOurs(_ address: [UInt8], own: [[UInt8]]) -> Bool {
    let ipv4 = embeddedIPv4(address)
    return own.contains { own in
      if isReserved(own) { return false }
      return own.starts(with: mapped)
        ? ipv4 == Array(own.dropFirst(mapped.count)) : address.prefix(8) == own.prefix(8)
    }
  }

  /// Returns the addresses of this machine's network interfaces, as 16 bytes each.
  static func ownAddresses() -> [[UInt8]] {
    var addresses: [[UInt8]] = []
    withUnsafeMutablePointer(to: &addresses) { addresses in
      ccurl_own_addresses(
        { bytes, context in
          context?.assumingMemoryBound(to: [[UInt8]].self).pointee.append(
            Array(UnsafeBufferPointer(start: bytes, count: 16)))
        }, addresses)
    }
    return addresses
  }

  /// The first bytes of an IPv4 address: `::ffff:a.b.c.d`.
  private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  /// Returns the IPv4 address within an IPv6 one: a gateway may forward the packet to it.
  private static func embeddedIPv4(_ address: [UInt8]) -> [UInt8]? {
    let embeddings: [(prefix: [UInt8], start: Int)] = [
      (mapped, 12),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0], 12),  // ::ffff:0:a.b.c.d
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 12),  // ::a.b.c.d, with :: and ::1
      ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 12),  // NAT64
      ([0x20, 0x02], 2),  // 6to4
    ]
    return embeddings.first { address.starts(with: $0.prefix) }.map {
      Array(address[$0.start..<$0.start + 4])
    }
  }

  private static func isReserved(_ address: [UInt8]) -> Bool {
    guard address.count == 16 else { return true }
    if let ipv4 = embeddedIPv4(address) { return isReservedIPv4(ipv4) }
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

  private static func isReservedIPv4(_ address: [UInt8]) -> Bool {
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
