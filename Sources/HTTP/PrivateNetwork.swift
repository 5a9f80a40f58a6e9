import CCurl

/// Recognises addresses and names of this machine and the network around it.
///
/// Addresses are compared as the 16 bytes of IPv6, which include IPv4, so that each address has one
/// form, however it was written.
enum PrivateNetwork {
  /// Where an address leads.
  enum Scope {
    /// Into the public network.
    case elsewhere
    /// To this machine or its network, by an address of the public network.
    ///
    /// No firewall between this machine and the public network sees what is sent there. With IPv6,
    /// all machines of a network have public addresses. With IPv4, the public address of a home
    /// network is known only to its router: what is sent there is not recognised.
    case ours
    /// To an address that has no meaning in the public network.
    case reserved
  }

  /// An address of one of this machine's network interfaces.
  struct OwnAddress {
    let bytes: [UInt8]
    /// The bits that all addresses of its network share.
    ///
    /// For IPv4 these are all bits: neighbours in a network with public addresses are often
    /// strangers.
    let mask: [UInt8]

    func isInNetwork(_ other: [UInt8]) -> Bool {
      bytes.indices.allSatisfy { (bytes[$0] ^ other[$0]) & mask[$0] == 0 }
    }
  }

  /// Returns where an address leads.
  ///
  /// - Parameters:
  ///   - address: 16 bytes, IPv4 as `::ffff:a.b.c.d`.
  ///   - own: returns the addresses of this machine's network interfaces.
  static func scope(
    of address: [UInt8], own: () -> [OwnAddress] = ownAddresses
  ) -> Scope {
    if isReserved(address) { return .reserved }
    let ipv4 = embeddedIPv4(address)
    let isOurs = own().contains { own in
      !isReserved(own.bytes)
        && (own.isInNetwork(address) || ipv4.map { own.isInNetwork(mapped + $0) } == true)
    }
    return isOurs ? .ours : .elsewhere
  }

  /// Returns the addresses of this machine's network interfaces.
  static func ownAddresses() -> [OwnAddress] {
    var addresses: [OwnAddress] = []
    withUnsafeMutablePointer(to: &addresses) { addresses in
      ccurl_own_addresses(
        { bytes, mask, context in
          context?.assumingMemoryBound(to: [OwnAddress].self).pointee.append(
            OwnAddress(
              bytes: Array(UnsafeBufferPointer(start: bytes, count: 16)),
              mask: Array(UnsafeBufferPointer(start: mask, count: 16))))
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

  /// Returns where a name leads, as far as it shows that without a lookup.
  ///
  /// It recognises names that have no meaning in the public network: names without a dot, and names
  /// below domains that are used only in private networks.
  ///
  /// - Parameter scope: decides for numeric addresses.
  static func scope(
    ofName name: String, scope: ([UInt8]) -> Scope = { scope(of: $0) }
  ) -> Scope {
    if let address = bytes(of: name) { return scope(address) }
    var labels = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "" { labels.removeLast() }
    guard labels.count > 1, let last = labels.last else { return .reserved }
    let isPrivate =
      privateDomains.contains(String(last)) || labels.suffix(2) == ["home", "arpa"]
    return isPrivate ? .reserved : .elsewhere
  }

  private static let privateDomains: Set<String> = [
    "localhost", "local", "localdomain", "internal", "intranet", "private", "lan", "home", "corp",
  ]

  /// Whether a name always stands for this machine.
  static func isThisMachine(_ name: String) -> Bool {
    guard let address = bytes(of: name) else {
      let name = name.hasSuffix(".") ? name.dropLast() : name[...]
      return name == "localhost" || name.hasSuffix(".localhost")
    }
    // A connection to no address, :: or 0.0.0.0, is one to this machine.
    return address.dropLast().allSatisfy { $0 == 0 } && address[15] <= 1
      || address.starts(with: mapped + [127]) || address == mapped + [0, 0, 0, 0]
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
