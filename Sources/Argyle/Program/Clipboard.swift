/// Which terminals are asked to copy without being told to.
enum Clipboard {
  /// Those that write the clipboard for OSC 52, and neither run, answer nor show anything for it.
  private static let types = ["alacritty", "foot", "xterm-ghostty", "xterm-kitty", "wezterm"]
  private static let programs = ["WezTerm", "ghostty"]

  /// Whether the terminal that an environment names is one of them.
  ///
  /// Inside a multiplexer it is not the terminal that gets what is written.
  static func isKnown(type: String, environment: [String: String]) -> Bool {
    guard environment["TMUX"] == nil, environment["STY"] == nil else { return false }
    return types.contains { type == $0 || type.hasPrefix($0 + "-") }
      || programs.contains(environment["TERM_PROGRAM"] ?? "")
  }
}
