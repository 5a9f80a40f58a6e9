/// The addresses that mean this machine or the network around it.
enum PrivateNetwork {
  /// - Parameter address: numeric, IPv4 or IPv6, as the system writes it.
  static func contains(_ address: String) -> Bool {
    let address = address.lowercased()
    if address.contains(":") { return isPrivateIPv6(address) }
    let parts = address.split(separator: ".").map { UInt8($0) }
    guard parts.count == 4, let first = parts[0], let second = parts[1] else { return false }
    return switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127): true
    default: false
    }
  }

  private static func isPrivateIPv6(_ address: String) -> Bool {
    // An IPv4 address in the clothes of the newer kind.
    if let mark = address.lastIndex(of: ":"), address.contains(".") {
      return contains(String(address[address.index(after: mark)...]))
    }
    guard let first = address.split(separator: ":").first, !address.hasPrefix("::"),
      let bits = UInt16(first, radix: 16)
    else { return ["::", "::1"].contains(address) }
    // fc00::/7 for one's own networks, fe80::/10 for the cable.
    return bits & 0xFE00 == 0xFC00 || bits & 0xFFC0 == 0xFE80
  }
}
