import Foundation

/// The user's home folder: from the environment, or else from the system's user database.
public enum UserHome {
  /// - Parameters:
  ///   - environment: its `HOME` is ignored unless it is an absolute path.
  ///   - registered: the fallback when the environment has no home; nil for the system's own entry.
  public static func path(
    in environment: [String: String] = ProcessInfo.processInfo.environment,
    registered: String? = nil
  ) -> String {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? registered ?? Self.registered
  }

  /// Expands a leading `~` as a shell does; returns any other path unchanged.
  public static func expanded(_ path: String, home: String = Self.path()) -> String {
    guard path.hasPrefix("~") else { return path }
    if path == "~" || path.hasPrefix("~/") { return home + path.dropFirst() }
    return NSString(string: path).expandingTildeInPath
  }

  /// The home folder in the system's user database.
  ///
  /// For a user without an entry, it is a folder that does not exist and that only the superuser
  /// could create, so that data never ends up in a folder shared with other users.
  private static var registered: String {
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir, folder.pointee == 0x2F
    else { return "/nonexistent" }
    return String(cString: folder)
  }
}
