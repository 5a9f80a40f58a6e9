import Foundation

/// Addresses of files on this machine, as RFC 8089 has them.
public enum FileAddress {
  /// The address of an absolute path.
  static func text(_ path: String) -> String {
    "file://" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)
  }

  /// The path that an address means; nil when it is none of a file on this machine.
  public static func path(_ address: String) -> String? {
    let parts = WebAddress.Parts(address)
    guard parts.scheme == "file", ["", "localhost"].contains(parts.authority ?? ""),
      parts.path.hasPrefix("/")
    else { return nil }
    // A zero byte would end the path somewhere else than the text does.
    return String(parts.path).removingPercentEncoding.flatMap { $0.contains("\0") ? nil : $0 }
  }
}
