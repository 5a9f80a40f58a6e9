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
    isOne(of: titled, type)
  }

  /// Whether the terminal writes the clipboard for OSC 52, without being configured for it, and does
  /// not run, answer or show anything else for it.
  ///
  /// Never inside a multiplexer, which gets the sequence instead of the terminal.
  static func hasClipboard(type: String, environment: [String: String]) -> Bool {
    !isMultiplexed(environment)
      && (isOne(of: ["alacritty", "foot", "xterm-ghostty", "xterm-kitty", "wezterm"], type)
        || ["WezTerm", "ghostty"].contains(environment["TERM_PROGRAM"]))
  }

  /// Returns how the terminal shows notifications; nil if it might print the sequence on the
  /// screen.
  ///
  /// Nil inside a multiplexer, which gets the sequence instead of the terminal.
  static func notification(type: String, environment: [String: String]) -> NotificationKind? {
    guard !isMultiplexed(environment) else { return nil }
    if isOne(of: ["foot"], type) { return .osc777 }
    return isOne(of: ["xterm-kitty", "xterm-ghostty", "wezterm"], type)
      || ["WezTerm", "ghostty", "iTerm.app"].contains(environment["TERM_PROGRAM"]) ? .osc9 : nil
  }

  private static func isOne(of names: [String], _ type: String) -> Bool {
    names.contains { type == $0 || type.hasPrefix($0 + "-") }
  }

  private static func isMultiplexed(_ environment: [String: String]) -> Bool {
    environment["TMUX"] != nil || environment["STY"] != nil
  }
}
