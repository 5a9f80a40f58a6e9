import CCurl

/// Finds the proxy that the environment names for an address.
///
/// These are curl's own rules, except that this machine is reached without a proxy: the proxy would
/// take the address for its own, and get the password. They are applied here, and curl is told the
/// result, because behind a proxy the client does not see which address a name resolves to: it has
/// to decide by the name alone whether the address may be fetched.
enum Proxy {
  /// - Parameter environment: returns a variable by its name.
  static func address(
    for address: WebAddress, environment: (String) -> String? = { variable($0) }
  ) -> String? {
    if PrivateNetwork.isThisMachine(address.host) { return nil }
    func first(_ names: [String]) -> String? {
      names.lazy.compactMap(environment).first { !$0.isEmpty }
    }
    // Not HTTP_PROXY: in a program started by a web server, the remote client could set that.
    let names = address.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    guard let proxy = first(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
    let exceptions = first(["no_proxy", "NO_PROXY"]) ?? ""
    return isException(address.host, in: exceptions) ? nil : proxy
  }

  private static func variable(_ name: String) -> String? {
    ccurl_environment(name).map { String(cString: $0) }
  }

  /// Whether a host is in a `no_proxy` list of names, which include their subdomains, and
  /// addresses.
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

  /// Whether an address equals an entry, or is in a network written as `10.0.0.0/8`.
  private static func isSameNetwork(_ address: [UInt8], as entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let network = PrivateNetwork.bytes(of: String(first)) else {
      return false
    }
    guard parts.count == 2 else { return network == address }
    // IPv4 is the last four of the sixteen bytes.
    let bitsBefore = first.contains(":") ? 0 : 96
    guard let length = Int(parts[1]), 0...(128 - bitsBefore) ~= length else { return false }
    return (0..<(length + bitsBefore)).allSatisfy { bit in
      (network[bit / 8] ^ address[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}
