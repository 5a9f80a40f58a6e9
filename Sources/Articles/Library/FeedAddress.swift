import Foundation
import Storage

/// Converts typed text to the address of a feed.
enum FeedAddress {
  /// Returns an `http`, `https` or `file` URL; nil when the text cannot be one.
  ///
  /// A path becomes absolute. A text that is not a file but looks like a host gets `https`, or
  /// `http` if the host is an IP address, `localhost`, or a name without a dot but with a port.
  /// Any other text counts as a path. A text of several addresses is none.
  static func normalized(_ text: String, directory: String) -> String? {
    let text = text.trimmingWhiteSpace()
    guard !text.isEmpty, text.utf8.count <= WebAddress.limit, count(in: text) < 2 else {
      return nil
    }
    let lower = text.prefix(8).lowercased()
    if lower.hasPrefix("http:") || lower.hasPrefix("https:") { return web(text) }
    if lower.hasPrefix("file:") {
      return FileAddress.path(text).map { FileAddress.text(absolute($0, directory: directory)) }
    }
    if lower.hasPrefix("feed:") {
      let rest = String(text.dropFirst(5))
      return web(rest.hasPrefix("//") ? "http:" + rest : rest)
    }
    if let scheme = WebAddress.Parts(text).scheme, text.dropFirst(scheme.count).hasPrefix("://") {
      return nil
    }
    let path = absolute(text, directory: directory)
    let isPath = text.hasPrefix("/") || text.hasPrefix(".") || text.hasPrefix("~")
    if isPath || FileManager.default.fileExists(atPath: path) { return FileAddress.text(path) }
    // What is wrong with the address of a program, such as a password in it, is not a missing file.
    if lower.hasPrefix("exec:") || lower.hasPrefix("filter:") { return nil }
    if let address = addressOfIPv6Server(text) { return web("http://" + address) }
    let host = text.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    guard !host.contains(" ") else { return FileAddress.text(path) }
    // A server that is named by its IP address, or without a dot, seldom has a certificate.
    let isNumber = host.contains(".") && host.allSatisfy { $0 == "." || "0"..."9" ~= $0 }
    if host.contains("."), !isNumber { return web("https://" + text) }
    let port = text.dropFirst(host.count + 1).prefix { $0 != "/" && $0 != "?" }
    let hasPort = text.dropFirst(host.count).first == ":" && UInt16(port) != nil
    return hasPort || isNumber || host == "localhost"
      ? web("http://" + text) : FileAddress.text(path)
  }

  /// Returns a web address without a fragment, which no server sees, and with its host in lower case:
  /// it would be the same feed twice.
  private static func web(_ text: String) -> String? {
    guard let address = WebAddress.web(text) else { return nil }
    var parts = WebAddress.Parts(address)
    parts.fragment = nil
    // Whatever precedes an @ is a user name and a password.
    parts.authority = parts.authority.map { authority in
      let host = authority.lastIndex(of: "@") ?? authority.startIndex
      return authority[..<host] + authority[host...].lowercased()
    }
    return parts.text
  }

  /// Returns a text that begins with an IPv6 address, with brackets around that; nil for others.
  private static func addressOfIPv6Server(_ text: String) -> String? {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return isIPv6(text[..<end].dropFirst()) ? text : nil
    }
    let host = text.prefix { $0 != "/" && $0 != "?" }
    return isIPv6(host) ? "[\(host)]" + text.dropFirst(host.count) : nil
  }

  private static func isIPv6(_ text: Substring) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(text), &address) == 1
  }

  /// Returns how many of a text's words are addresses with a scheme.
  static func count(in text: String) -> Int {
    text.split(whereSeparator: \.isWhitespace).count { $0.contains("://") }
  }

  private static func absolute(_ path: String, directory: String) -> String {
    let path = UserHome.expanded(path)
    let full = path.hasPrefix("/") ? path : directory + "/" + path
    return NSString(string: full).standardizingPath
  }
}
