import CCurl

/// The proxy that the environment names for an address.
///
/// These are curl's own rules. They are applied here, and curl is told what came of it, because
/// behind a proxy nobody here sees which address a name has: what may be asked has to be decided by
/// the name alone.
enum Proxy {
  /// - Parameter environment: a variable by its name.
  static func address(
    for address: WebAddress, environment: (String) -> String? = { variable($0) }
  ) -> String? {
    func first(_ names: [String]) -> String? {
      names.lazy.compactMap(environment).first { !$0.isEmpty }
    }
    // Not HTTP_PROXY: in a program that a web server started, a client would choose that.
    let names = address.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    guard let proxy = first(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
    let exceptions = first(["no_proxy", "NO_PROXY"]) ?? ""
    return isException(address.host, in: exceptions) ? nil : proxy
  }

  private static func variable(_ name: String) -> String? {
    ccurl_environment(name).map { String(cString: $0) }
  }

  /// Whether a host is in a list of names, with all below them, and of addresses.
  static func isException(_ host: String, in list: String) -> Bool {
    if list == "*" { return true }
    let address = PrivateNetwork.bytes(of: host)
    let host = host.hasSuffix(".") ? host.dropLast() : host[...]
    return list.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { entry in
      if let address { return isSameNetwork(address, as: entry) }
      var name = entry.lowercased()[...]
      if name.hasPrefix(".") { name.removeFirst() }
      if name.hasSuffix(".") { name.removeLast() }
      return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
    }
  }

  /// Whether an address is another one, or in the network that is written as `10.0.0.0/8`.
  private static func isSameNetwork(_ address: [UInt8], as entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let network = PrivateNetwork.bytes(of: String(first)) else {
      return false
    }
    guard parts.count == 2 else { return network == address }
    // IPv4 has the last four of the sixteen bytes.
    let bitsBefore = first.contains(":") ? 0 : 96
    guard let length = Int(parts[1]), 0...(128 - bitsBefore) ~= length else { return false }
    return (0..<(length + bitsBefore)).allSatisfy { bit in
      (network[bit / 8] ^ address[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}
