import Articles
import Foundation
import HTTP
import Limits
import Storage
import TerminalUI

/// The settings of a run of the program: from its environment, else from the configuration file,
/// else the defaults.
struct Settings: Hashable, Sendable {
  /// The environment of the process, which each use of `ProcessInfo` would copy into a dictionary.
  static let processEnvironment = ProcessInfo.processInfo.environment

  /// The folder of feeds, articles and socks.
  var dataDirectory: String
  /// The folder of cached pictures, which can be fetched again.
  var pictureDirectory: String
  /// The user's home folder.
  var home: String
  /// The path of the configuration file, unless an option names another one.
  var configurationFile: String
  /// The file that gets standard error while the program uses the screen.
  var logFile: String
  /// The file that gets a line for each load: `ARGYLE_LOG`; nil for none.
  var loadLog: String?
  /// Whether the user wants no colours, see no-color.org.
  var isColorless: Bool
  /// The configuration file, overridden by the environment.
  var configuration: Configuration
  /// The theme that the environment or an option names, if there is no such theme.
  var unknownTheme: String?
  /// The timeout that the environment gives, if it is not a valid one.
  var unknownTimeout: String?
  /// The type of terminal, such as `xterm-256color`.
  var terminalType: String
  /// Whether that terminal supports copying without being enabled, see ``KnownTerminal``.
  var isClipboardKnown: Bool
  /// How the terminal shows notifications; nil if that is not known.
  var notification: NotificationKind?
  /// The user's documents folder, `XDG_DOCUMENTS_DIR`; used unless the configuration file names a
  /// folder.
  var documentsFolder: String?
  /// The file of xdg-user-dirs with the user's folders: desktops put them there, and not into the
  /// environment.
  var userFoldersFile: String

  /// The languages that the user reads, preferred ones first: `LANGUAGE`, or else the locale for
  /// messages.
  var languages: [String]

  /// A file of certificates to trust instead of the system's: `SSL_CERT_FILE`.
  var certificateAuthorityFile: String?
  /// A file that maps host names to addresses instead of the resolver: `ARGYLE_TEST_HOSTS`, for
  /// tests in which a host is unknown at first and known later.
  var hostsFile: String?

  /// - Parameters:
  ///   - configuration: the configuration file's settings.
  ///   - registeredHome: the user's home if the environment names none; nil for the one that the
  ///     system has registered.
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
    // The base directory specification says that a relative path has to be ignored.
    func directory(_ name: String, below home: String) -> String {
      value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? base + home
    }
    // No shell expands the tilde of --data-dir=~/folder.
    self.dataDirectory =
      dataDirectory.map { UserHome.expanded($0, home: base) }
      ?? directory("XDG_DATA_HOME", below: "/.local/share") + "/argyle"
    pictureDirectory = directory("XDG_CACHE_HOME", below: "/.cache") + "/argyle/pictures"
    logFile = directory("XDG_STATE_HOME", below: "/.local/state") + "/argyle/argyle.log"
    let configurationFolder = directory("XDG_CONFIG_HOME", below: "/.config")
    configurationFile = configurationFolder + "/argyle/config.toml"
    userFoldersFile = configurationFolder + "/user-dirs.dirs"
    loadLog = value("ARGYLE_LOG").map { UserHome.expanded($0, home: base) }
    isColorless = value("NO_COLOR") != nil
    let theme = value("ARGYLE_THEME")
    unknownTheme = theme.flatMap {
      configuration.display.themeNames.contains($0) ? nil : $0
    }
    if let theme, unknownTheme == nil {
      self.configuration.display.theme = ThemeName(rawValue: theme)
    }
    if let number = value("ARGYLE_REDUCE_MOTION") {
      self.configuration.display.reduceMotion = number != "0"
    }
    if let number = value("ARGYLE_PLAIN") { self.configuration.display.isPlain = number != "0" }
    terminalType = value("TERM") ?? "dumb"
    isClipboardKnown = KnownTerminal.hasClipboard(type: terminalType, environment: environment)
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

  /// The folder for downloads: the one that the user chose, else one beside the articles.
  var downloadFolder: String {
    let chosen = configuration.podcasts.folder
    return chosen.isEmpty ? dataDirectory + "/podcasts" : folder(chosen)
  }

  /// Returns the path of a folder in the configuration file: one that is not absolute is below the
  /// home.
  private func folder(_ chosen: String) -> String {
    let path = UserHome.expanded(chosen, home: home)
    return path.hasPrefix("/") ? path : home + "/" + path
  }

  /// The folder in which players store where they stop.
  ///
  /// Beside the articles even if downloads go elsewhere, since others may be able to write in the
  /// folder that the user chose for those.
  var positionFolder: String { dataDirectory + "/podcasts" }

  /// The options that the library is opened with.
  var libraryOptions: Library.Options {
    let (fetching, keeping) = (configuration.fetching, configuration.keeping)
    let silence = Duration.seconds(fetching.timeout)
    var options = Library.Options()
    options.limits = HTTPRequest.Limits(connect: silence / 2, stall: silence, total: silence * 3)
    options.sendsPasswordsInClear = fetching.sendsPasswordsInClear
    options.retention = Retention(
      age: keeping.days == 0 ? nil : Double(keeping.days) * 86_400,
      countPerFeed: keeping.articlesPerFeed == 0 ? nil : keeping.articlesPerFeed,
      keepsUnread: keeping.unread)
    options.refresh = .ifDue(after: fetching.freshness)
    options.rules = configuration.rules
    options.reloadInterval =
      fetching.reloadMinutes == 0 ? nil : Double(fetching.reloadMinutes) * 60
    options.joinsCopies = configuration.reader.joinsDuplicates
    options.fullText = FullTextOptions(
      isForAll: fetching.fullText, sites: configuration.fullTextSites)
    options.programs = Dictionary(
      configuration.feedPrograms.map { ($0.name, $0.program) }
    ) { first, _ in first }
    options.downloads = DownloadOptions(
      folder: downloadFolder, positions: positionFolder,
      parallel: configuration.podcasts.parallel,
      sizeLimit: configuration.podcasts.largestFile * 1_000_000)
    options.languages = languages
    return options
  }

  /// The documents folder in ``userFoldersFile``, such as `XDG_DOCUMENTS_DIR="$HOME/Dokumente"`.
  private var namedDocumentsFolder: String? {
    let bytes = (try? FileReader.bytes(of: userFoldersFile, limit: 1 << 16)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard let match = line.wholeMatch(of: /\s*XDG_DOCUMENTS_DIR="(\$HOME)?(\/.*[^\/])\/*"\s*/)
      else {
        continue
      }
      let path = match.2.replacing(/\\(.)/) { $0.1 }
      return match.1 == nil ? String(path) : home + path
    }
    return nil
  }

  /// The folder for saved articles: the one that the user chose, else the documents folder, else
  /// the home.
  var saveFolder: String {
    let chosen = configuration.reader.saveFolder
    if !chosen.isEmpty { return folder(chosen) }
    for folder in [documentsFolder, namedDocumentsFolder, home + "/Documents"] {
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
