import Foundation

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
