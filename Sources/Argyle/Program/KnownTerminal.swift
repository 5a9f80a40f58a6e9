import TerminalUI

/// What a terminal is known to support, judged by its environment.
enum KnownTerminal {
  /// The types of terminals that show a title, and print nothing of the sequence that sets it.
  private static let titled = [
    "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "wezterm", "konsole", "gnome", "vte",
    "st", "contour", "iterm2",
  ]

  /// Whether the terminal has a title.
  static func hasTitle(type: String) -> Bool {
    titled.contains { type == $0 || type.hasPrefix($0 + "-") }
  }

  /// Returns how the terminal shows notifications; nil if it might print the sequence on the
  /// screen.
  ///
  /// Nil inside a multiplexer, which gets the sequence instead of the terminal.
  static func notification(type: String, environment: [String: String]) -> NotificationKind? {
    guard environment["TMUX"] == nil, environment["STY"] == nil else { return nil }
    if type == "foot" || type.hasPrefix("foot-") { return .osc777 }
    if ["xterm-kitty", "xterm-ghostty", "wezterm"].contains(type) { return .osc9 }
    return ["WezTerm", "ghostty", "iTerm.app"].contains(environment["TERM_PROGRAM"] ?? "")
      ? .osc9 : nil
  }
}
