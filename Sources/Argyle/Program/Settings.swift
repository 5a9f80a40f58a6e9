import Articles
import Foundation
import Storage
import TerminalUI

/// What holds in a run of the program: what its environment says, else what the configuration file
/// says, else the defaults.
struct Settings: Hashable, Sendable {
  /// Where feeds, articles and socks are kept.
  var dataDirectory: String
  /// Where pictures are kept that can be fetched again.
  var pictureDirectory: String
  /// Where the user's own files are.
  var home: String
  /// Where the configuration file is, as long as no option names another.
  var configurationFile: String
  /// Where standard error goes while the screen is the program's.
  var logFile: String
  /// Where it is written what is loaded: `ARGYLE_LOG`; nil for nowhere.
  var loadLog: String?
  /// Whether colours are not wanted, see no-color.org.
  var isColorless: Bool
  /// What the configuration file says, changed by what the environment says.
  var configuration: Configuration
  /// What the environment names for a theme, where there is no such theme.
  var unknownTheme: String?
  /// What the environment gives as a time-out, where that is not one.
  var unknownTimeout: String?
  /// The kind of terminal, by the name of its description.
  var terminalType: String
  /// Whether that is one that may be asked to copy, see ``Clipboard``.
  var isClipboardKnown: Bool
  /// How the terminal shows messages; nil where it is not known to.
  var notification: NotificationKind?
  /// Where the user keeps documents, unless the configuration file names a folder: `XDG_DOCUMENTS_DIR`.
  var documentsFolder: String?

  /// The languages that the user reads, the most wanted first: `LANGUAGE`, or else the locale for messages.
  var languages: [String]

  /// A file of certificates that are trusted in place of the system's: `SSL_CERT_FILE`.
  var certificateAuthorityFile: String?
  /// A file of names and their addresses, which the resolver is not asked for: `ARGYLE_TEST_HOSTS`,
  /// for tests of names that are unknown, and then known.
  var hostsFile: String?

  /// - Parameters:
  ///   - configuration: what the configuration file says.
  ///   - registeredHome: the user's home where the environment names none; as the system knows it
  ///     where there is none.
  init(
    environment: [String: String], dataDirectory: String? = nil,
    configuration: Configuration = Configuration(), registeredHome: String? = nil
  ) {
    self.configuration = configuration
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    home = UserHome.path(in: environment, registered: registeredHome)
    let base = home
    // The base directory specification: a relative path is as good as none.
    func directory(_ name: String, below home: String) -> String {
      value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? base + home
    }
    self.dataDirectory =
      dataDirectory ?? directory("XDG_DATA_HOME", below: "/.local/share") + "/argyle"
    pictureDirectory = directory("XDG_CACHE_HOME", below: "/.cache") + "/argyle/pictures"
    logFile = directory("XDG_STATE_HOME", below: "/.local/state") + "/argyle/argyle.log"
    configurationFile =
      directory("XDG_CONFIG_HOME", below: "/.config") + "/argyle/config.toml"
    loadLog = value("ARGYLE_LOG")
    isColorless = value("NO_COLOR") != nil
    let theme = value("ARGYLE_THEME")
    unknownTheme = theme.flatMap {
      configuration.display.themeNames.contains($0) ? nil : $0
    }
    if let theme, unknownTheme == nil {
      self.configuration.display.theme = ThemeName(rawValue: theme)
    }
    if value("ARGYLE_REDUCE_MOTION") != nil { self.configuration.display.reduceMotion = true }
    if value("ARGYLE_PLAIN") != nil { self.configuration.display.isPlain = true }
    terminalType = value("TERM") ?? "dumb"
    isClipboardKnown = Clipboard.isKnown(type: terminalType, environment: environment)
    notification = KnownTerminal.notification(type: terminalType, environment: environment)
    documentsFolder = value("XDG_DOCUMENTS_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? ""
    languages = (value("LANGUAGE") ?? locale).split(separator: ":")
      .map { String($0.prefix { $0 != "." && $0 != "@" }) }.filter { $0 != "C" && $0 != "POSIX" }
    if let browsers = value("BROWSER") {
      self.configuration.browsers.insert(
        contentsOf: browsers.split(separator: ":").map(String.init), at: 0)
    }
    certificateAuthorityFile = value("SSL_CERT_FILE")
    hostsFile = value("ARGYLE_TEST_HOSTS")
    if let text = value("ARGYLE_TIMEOUT") {
      // A fetch of more than an hour would be one that hangs.
      if let seconds = Double(text), 0.1...3600 ~= seconds {
        self.configuration.fetching.timeout = seconds
      } else {
        unknownTimeout = text
      }
    }
  }

  /// Where downloads go: the folder that was chosen, else one beside the articles.
  var downloadFolder: String {
    let chosen = configuration.podcasts.folder
    if chosen.isEmpty { return dataDirectory + "/podcasts" }
    if chosen.hasPrefix("/") { return chosen }
    return home + "/" + (chosen.hasPrefix("~/") ? String(chosen.dropFirst(2)) : chosen)
  }

  /// Where players leave where they stop: beside the articles, also where downloads go elsewhere, since
  /// others may write in a folder that was chosen for these.
  var positionFolder: String { dataDirectory + "/podcasts" }

  /// What the library is told.
  var libraryOptions: Library.Options {
    var options = configuration.libraryOptions
    options.downloads = DownloadOptions(
      folder: downloadFolder, positions: positionFolder,
      parallel: configuration.podcasts.parallel,
      sizeLimit: configuration.podcasts.largestFile * 1_000_000)
    options.languages = languages
    return options
  }

  /// Where articles are saved: the folder that was chosen, else the one for documents, else the home.
  var saveFolder: String {
    let chosen = configuration.reader.saveFolder
    if chosen.hasPrefix("/") { return chosen }
    if !chosen.isEmpty {
      return home + "/" + (chosen.hasPrefix("~/") ? String(chosen.dropFirst(2)) : chosen)
    }
    for folder in [documentsFolder, home + "/Documents"] {
      var isFolder: ObjCBool = false
      if let folder, FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
        isFolder.boolValue
      {
        return folder
      }
    }
    return home
  }
}
