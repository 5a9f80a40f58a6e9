import Foundation
import Limits

/// Resolves addresses according to RFC 3986, and corrects mistakes as browsers do.
enum WebAddress {
  /// The longest address, in bytes: no server accepts longer ones, and a link of a megabyte is an
  /// attack.
  static let limit = 8_000

  /// Resolves a reference to an absolute `http` or `https` address; nil for any other.
  ///
  /// - Parameter budget: limits the memory of all addresses of one text: a base of some thousand
  ///   bytes makes as many of each letter.
  static func web(
    _ reference: String, against base: String? = nil, budget: Budget? = nil
  ) -> String? {
    if isPlain(reference) { return reference }
    // Most ids of articles: parsing one costs more than the rest of an entry.
    if base == nil, beginsWithOtherScheme(reference) { return nil }
    guard let address = resolve(reference, against: base) else { return nil }
    let parts = Parts(address)
    guard parts.scheme == "http" || parts.scheme == "https", parts.authority?.isEmpty == false,
      budget?.take(address.utf8.count) != false
    else { return nil }
    return address
  }

  /// Resolves the address of a link in a text: a web or `mailto` address.
  static func link(_ reference: String, against base: String?, budget: Budget) -> String? {
    if let address = web(reference, against: base, budget: budget) { return address }
    guard let address = resolve(reference, against: nil), address.hasPrefix("mailto:"),
      address.utf8.count > 7
    else { return nil }
    return address
  }

  /// Resolves the address of a picture: a web address, or one relative to a base that is not a web
  /// page, such as a file in the same folder.
  static func picture(_ reference: String, against base: String?, budget: Budget) -> String? {
    if let address = web(reference, against: base, budget: budget) { return address }
    guard let base, let scheme = Parts(base).scheme, scheme == "file" || scheme == "argyle",
      let address = resolve(reference, against: base), Parts(address).scheme == scheme,
      budget.take(address.utf8.count)
    else { return nil }
    return address
  }

  /// Resolves a reference against `base`; nil when it stays relative, or is too long.
  private static func resolve(_ reference: String, against base: String?) -> String? {
    guard reference.utf8.count <= limit, base.map({ $0.utf8.count <= limit }) != false,
      let parts = resolved(Parts(cleaned(reference)), against: base)
    else { return nil }
    let address = parts.normalized.text
    return address.utf8.count <= limit ? address : nil
  }

  private static func resolved(_ reference: Parts, against base: String?) -> Parts? {
    if reference.scheme != nil { return reference }
    guard let base else { return nil }
    let baseParts = Parts(base)
    guard let scheme = baseParts.scheme, baseParts.authority != nil else { return nil }

    var result = reference
    result.scheme = scheme
    if result.authority == nil {
      result.authority = baseParts.authority
      if result.path.isEmpty {
        result.path = baseParts.path
        result.query = result.query ?? baseParts.query
      } else if !result.path.hasPrefix("/") {
        let folder = baseParts.path.lastIndex(of: "/").map { baseParts.path[...$0] } ?? "/"
        result.path = folder + result.path
      }
    }
    return result
  }

  /// Whether a text is already an absolute web address that needs no change.
  ///
  /// Nearly all are, and parsing one costs more than the rest of an entry.
  private static func isPlain(_ reference: String) -> Bool {
    guard reference.utf8.count <= limit else { return false }
    var slashes = 0
    var last: UInt8 = 0
    for byte in reference.utf8 {
      switch byte {
      case UInt8(ascii: "/"):
        // The third slash ends the host, which must not be empty.
        slashes += 1
        if slashes == 3, last == byte { return false }
      case UInt8(ascii: "."): if last == UInt8(ascii: "/"), slashes > 2 { return false }
      case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"): if slashes < 3 { return false }
      // The lead bytes of U+0080…U+009F and of characters that change the text direction.
      case 0xC2, 0xD8, 0xE2: return false
      default: if mustBeEscaped(byte) { return false }
      }
      last = byte
    }
    return slashes > 2 && (reference.hasPrefix("https://") || reference.hasPrefix("http://"))
  }

  /// Whether an absolute address that begins like this cannot be a web address.
  private static func beginsWithOtherScheme(_ reference: String) -> Bool {
    guard let first = reference.utf8.first else { return true }
    // What comes before the scheme may be removed.
    return !mustBeEscaped(first) && first | 0x20 != UInt8(ascii: "h")
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
      UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// Removes line breaks and surrounding white space, as browsers do, and percent-encodes
  /// characters that are not allowed in an address or would control a terminal.
  private static func cleaned(_ reference: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(reference.utf8.count)
    for scalar in reference.trimmingWhiteSpace().unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r": break
      case _ where scalar.isASCII ? mustBeEscaped(UInt8(scalar.value)) : scalar.isControl:
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          output.append(UInt8(ascii: "%"))
          output.append(hexadecimal[Int(byte >> 4)])
          output.append(hexadecimal[Int(byte & 15)])
        }
      default:
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the ending of the path in lower case, from its last dot on.
  static func ending(of address: String) -> String? {
    let path = Parts(address).path
    return path.utf8.lastIndex(of: UInt8(ascii: ".")).map { path[$0...].lowercased() }
  }

  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  /// The five components of an address.
  struct Parts {
    var scheme: String?
    var authority: String?
    var path: Substring
    var query: Substring?
    var fragment: Substring?

    init(_ text: String) {
      var rest = Substring(text)
      if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
        fragment = rest[rest.utf8.index(after: mark)...]
        rest = rest[..<mark]
      }
      if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
        query = rest[rest.utf8.index(after: mark)...]
        rest = rest[..<mark]
      }
      if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
        scheme = rest[..<colon].lowercased()
        rest = rest[rest.utf8.index(after: colon)...]
      }
      if rest.hasPrefix("//") {
        let start = rest.dropFirst(2)
        let end = start.utf8.firstIndex(of: UInt8(ascii: "/")) ?? start.endIndex
        authority = String(start[..<end])
        rest = start[end...]
      }
      path = rest
    }

    private static func isScheme(_ text: Substring) -> Bool {
      guard let first = text.utf8.first, 0x61...0x7A ~= first | 0x20 else { return false }
      return text.utf8.allSatisfy {
        0x61...0x7A ~= $0 | 0x20 || 0x30...0x39 ~= $0 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
      }
    }

    /// The address without `.` and `..` in its path, and with `/` for an empty path.
    var normalized: Parts {
      guard authority != nil else { return self }
      var parts = self
      if path.isEmpty { parts.path = "/" }
      guard path.contains("/.") else { return parts }
      var segments: [Substring] = []
      let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      for (offset, segment) in all.enumerated() {
        let isLast = offset == all.count - 1
        switch segment {
        case ".": if isLast { segments.append("") }
        case "..":
          _ = segments.popLast()
          if isLast { segments.append("") }
        default: segments.append(segment)
        }
      }
      parts.path = "/" + Substring(segments.joined(separator: "/"))
      return parts
    }

    var text: String {
      var text = scheme.map { $0 + ":" } ?? ""
      if let authority { text += "//" + authority }
      text += path
      if let query { text += "?" + query }
      if let fragment { text += "#" + fragment }
      return text
    }
  }
}

/// URLs of files on this machine, according to RFC 8089.
public enum FileAddress {
  /// Returns the URL of an absolute path.
  static func text(_ path: String) -> String {
    "file://" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)
  }

  /// Returns the path of a file URL; nil for any other URL, or a file of another machine.
  public static func path(_ address: String) -> String? {
    let parts = WebAddress.Parts(address)
    guard parts.scheme == "file", ["", "localhost"].contains(parts.authority ?? ""),
      parts.path.hasPrefix("/")
    else { return nil }
    // A zero byte would truncate the path in C, but not in Swift.
    return String(parts.path).removingPercentEncoding.flatMap { $0.contains("\0") ? nil : $0 }
  }
}

extension WebAddress {
  /// The host name of an address in lower case.
  static func host(of address: String) -> String? {
    guard let authority = Parts(address).authority else { return nil }
    let host = authority.split(separator: "@").last ?? ""
    // In an IPv6 address in brackets, colons do not precede a port.
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return name.isEmpty ? nil : name.lowercased()
  }
}
