import Foundation

/// Every default, and everything the program takes from its environment.
struct Settings: Sendable {
  /// Where feeds, articles and socks are kept.
  var dataDirectory: String
  /// Where a person's own files are.
  var home: String
  /// Where standard error goes while the screen is the program's.
  var logFile: String
  /// Whether colours are not wanted, see no-color.org.
  var isColorless: Bool
  /// How everything is drawn.
  var display: DisplaySettings
  /// What the environment names for a theme, where there is no such theme.
  var unknownTheme: String?
  /// The kind of terminal, by the name of its description.
  var terminalType: String
  /// The programs that may open a link, best first; each is run with the address as its argument.
  var browsers: [String]
  /// The widest a line of an article gets, in columns.
  var measure = 76
  /// A feed that was fetched within this time is not fetched by itself.
  ///
  /// In seconds.
  var freshness = 3600.0
  /// How long a server may be silent before a fetch is given up, in seconds: `ARGYLE_TIMEOUT`.
  ///
  /// A connection gets half of it, and a whole fetch three times as much.
  var timeout = 20.0

  /// A file of certificates that are trusted in place of the system's: `SSL_CERT_FILE`.
  var certificateAuthorityFile: String?
  /// Addresses of this machine that stand for some of the public network: `ARGYLE_TEST_PUBLIC`, for
  /// tests, whose servers are all on this machine.
  var publicAddresses: Set<String> = []

  init(environment: [String: String], dataDirectory: String? = nil) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    // The base directory specification: a relative path is as good as none.
    func directory(_ name: String, below home: String) -> String {
      value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? (value("HOME") ?? "/tmp") + home
    }
    home = value("HOME") ?? NSHomeDirectory()
    self.dataDirectory =
      dataDirectory ?? directory("XDG_DATA_HOME", below: "/.local/share") + "/argyle"
    logFile = directory("XDG_STATE_HOME", below: "/.local/state") + "/argyle/argyle.log"
    isColorless = value("NO_COLOR") != nil
    let theme = value("ARGYLE_THEME")
    unknownTheme = theme.flatMap { ThemeName(rawValue: $0) == nil ? $0 : nil }
    display = DisplaySettings(
      theme: theme.flatMap(ThemeName.init),
      reduceMotion: value("ARGYLE_REDUCE_MOTION") != nil, isPlain: value("ARGYLE_PLAIN") != nil)
    terminalType = value("TERM") ?? "dumb"
    browsers = [value("BROWSER"), "xdg-open", "open"].compactMap(\.self)
    certificateAuthorityFile = value("SSL_CERT_FILE")
    publicAddresses = Set(value("ARGYLE_TEST_PUBLIC")?.split(separator: ",").map(String.init) ?? [])
    // Nonsense counts as not set; a fetch of an hour would be one that hangs.
    if let seconds = value("ARGYLE_TIMEOUT").flatMap(Double.init), 0.1...3600 ~= seconds {
      timeout = seconds
    }
  }
}

/// How everything is drawn.
struct DisplaySettings: Hashable, Sendable {
  /// The colours; without a name the terminal's own palette.
  var theme: ThemeName?
  /// Whether nothing moves by itself.
  var reduceMotion = false
  /// Whether everything is drawn without boxes and ornaments, states as words.
  var isPlain = false
}

/// The colours that there are to choose from.
enum ThemeName: String, CaseIterable, Sendable {
  case dark, light
  case highContrast = "high-contrast"
  case mono
}
