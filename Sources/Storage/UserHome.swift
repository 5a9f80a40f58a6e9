import Foundation

/// The home of the user: as the environment names it, else as the system knows it.
public enum UserHome {
  /// - Parameters:
  ///   - environment: a home there that is no absolute path is as good as none.
  ///   - registered: what is taken where the environment names none; what the system knows where it
  ///     is nil.
  public static func path(
    in environment: [String: String] = ProcessInfo.processInfo.environment,
    registered: String? = nil
  ) -> String {
    environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? registered ?? Self.registered
  }

  /// A path that begins with `~/` as a shell would pass it on, any other as it is.
  public static func expanded(_ path: String) -> String {
    if path == "~" { return Self.path() }
    if path.hasPrefix("~/") { return Self.path() + path.dropFirst() }
    return NSString(string: path).expandingTildeInPath
  }

  /// Without one it is a folder that does not exist, and that only the superuser could make: what is
  /// kept is never put where others put theirs.
  private static var registered: String {
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir, folder.pointee == 0x2F
    else { return "/nonexistent" }
    return String(cString: folder)
  }
}
