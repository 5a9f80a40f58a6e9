import Foundation

/// A user name and a password for one server, as written before the host of an address.
public struct FeedCredentials: Sendable, Hashable {
  /// "name:password".
  let text: String

  /// The value of an `Authorization` header.
  var authorization: String {
    "Basic " + Data(text.utf8).base64EncodedString()
  }

  /// Splits an address into the address without credentials, and the credentials.
  static func split(_ address: String) -> (address: String, credentials: FeedCredentials?) {
    var parts = WebAddress.Parts(address)
    guard let authority = parts.authority,
      let mark = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return (address, nil) }
    parts.authority = String(authority[authority.utf8.index(after: mark)...])
    let text = String(authority[..<mark])
    guard !text.isEmpty else { return (parts.text, nil) }
    let (name, password) =
      text.firstIndex(of: ":").map {
        (text[..<$0], text[text.index(after: $0)...])
      } ?? (text[...], "")
    let decoded = [name, password].map { $0.removingPercentEncoding ?? String($0) }
    return (parts.text, FeedCredentials(text: decoded.joined(separator: ":")))
  }

  /// Hides everything in a text that could be a password, for use in a message.
  public static func hidden(in text: String) -> String {
    guard let mark = text.lastIndex(of: "@") else { return text }
    let start = text[..<mark].firstRange(of: "//")?.upperBound ?? text.startIndex
    return text[..<start] + "…" + text[mark...]
  }

  /// Whether credentials for one address may be sent to another: only to the same server, and not
  /// from `https` to `http`.
  static func mayGo(from old: String, to new: String) -> Bool {
    let (old, new) = (WebAddress.Parts(old), WebAddress.Parts(new))
    guard old.authority == new.authority else { return false }
    return old.scheme == new.scheme || new.scheme == "https"
  }
}
