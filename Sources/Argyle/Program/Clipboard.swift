/// Knows the terminals that support copying through OSC 52 without being configured for it.
enum Clipboard {
  /// Terminals that write the clipboard for OSC 52, and do not run, answer or show anything else
  /// for it.
  private static let types = ["alacritty", "foot", "xterm-ghostty", "xterm-kitty", "wezterm"]
  private static let programs = ["WezTerm", "ghostty"]

  /// Whether the terminal that the environment names is one of those.
  ///
  /// Inside a multiplexer it never is, since the multiplexer gets the sequence instead of the
  /// terminal.
  static func isKnown(type: String, environment: [String: String]) -> Bool {
    guard environment["TMUX"] == nil, environment["STY"] == nil else { return false }
    return types.contains { type == $0 || type.hasPrefix($0 + "-") }
      || programs.contains(environment["TERM_PROGRAM"] ?? "")
  }
}
