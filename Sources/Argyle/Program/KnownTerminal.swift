import TerminalUI

/// What a terminal is known to do, by what its environment says.
enum KnownTerminal {
  /// The types of terminals that show a title, and nothing of the sequence that sets it.
  private static let titled = [
    "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "wezterm", "konsole", "gnome", "vte",
    "st", "contour", "iterm2",
  ]

  /// Whether a terminal has a title.
  static func hasTitle(type: String) -> Bool {
    titled.contains { type == $0 || type.hasPrefix($0 + "-") }
  }

  /// How a terminal shows messages; nil where it may write them onto the screen.
  ///
  /// Inside a multiplexer it is not the terminal that gets what is written.
  static func notification(type: String, environment: [String: String]) -> NotificationKind? {
    guard environment["TMUX"] == nil, environment["STY"] == nil else { return nil }
    if type == "foot" || type.hasPrefix("foot-") { return .osc777 }
    if ["xterm-kitty", "xterm-ghostty", "wezterm"].contains(type) { return .osc9 }
    return ["WezTerm", "ghostty", "iTerm.app"].contains(environment["TERM_PROGRAM"] ?? "")
      ? .osc9 : nil
  }
}
