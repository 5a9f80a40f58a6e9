import Foundation

/// A name and a password for one server, as they stand in front of its name in an address.
struct FeedCredentials: Sendable, Hashable {
  /// "name:password".
  let text: String

  /// The value of an `Authorization` header.
  var authorization: String {
    "Basic " + Data(text.utf8).base64EncodedString()
  }

  /// An address without the name and the password in it, and these.
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

  /// The same text with everything hidden that could be a password, for a message.
  static func hidden(in text: String) -> String {
    guard let mark = text.lastIndex(of: "@") else { return text }
    let start = text[..<mark].firstRange(of: "//")?.upperBound ?? text.startIndex
    return text[..<start] + "…" + text[mark...]
  }

  /// Whether what is meant for one address may be sent to another: to the same server, or to its
  /// secure side.
  static func mayGo(from old: String, to new: String) -> Bool {
    let (old, new) = (WebAddress.Parts(old), WebAddress.Parts(new))
    guard old.authority == new.authority else { return false }
    return old.scheme == new.scheme || new.scheme == "https"
  }
}
