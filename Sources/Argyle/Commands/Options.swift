import ArgumentParser
import Articles
import Foundation
import HTTP
import Storage
import Terminal

/// The option of all commands that read the configuration file.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file (default: argyle/config.toml in $XDG_CONFIG_HOME).",
      valueName: "file"),
    completion: .file())
  var config: String?

  func validate() throws {
    if config?.isEmpty == true { throw ValidationError("The path after --config is empty.") }
  }

  /// The file that the option or the environment names.
  var chosenFile: ConfigurationFile {
    config.map { ConfigurationFile(path: Self.expanded($0)) }
      ?? ConfigurationFile(
        path: Settings(environment: Settings.processEnvironment).configurationFile,
        mayBeMissing: true)
  }

  /// Expands the tilde of `--config=~/file`, which no shell does.
  static func expanded(_ path: String) -> String {
    UserHome.expanded(path, home: UserHome.path(in: Settings.processEnvironment))
  }
}

/// The options of all commands that use the stored data.
struct LibraryOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp(
      "Where feeds, articles and socks are stored (default: argyle/ in $XDG_DATA_HOME).",
      valueName: "directory"),
    completion: .directory)
  var dataDirectory: String?

  @OptionGroup var configuration: ConfigurationOptions

  @Option(
    help: ArgumentHelp(
      "Append to a file what is fetched and stored, how long it takes and why it fails ($ARGYLE_LOG).",
      valueName: "file"),
    completion: .file())
  var log: String?

  /// Refuses a path that is empty, as that of a variable of a script that is not set.
  func validate() throws {
    for (name, path) in [("data-dir", dataDirectory), ("log", log)]
    where path?.isEmpty == true {
      throw ValidationError("The path after --\(name) is empty.")
    }
  }

  /// Reads the settings of the run, and opens its log.
  ///
  /// If the configuration file cannot be used, the command fails rather than using defaults,
  /// because the file may say how long articles are kept.
  ///
  /// - Throws: `ConfigurationFailure`, or ``CommandFailure`` for a mistake in the environment.
  var settings: Settings {
    get throws {
      let settings = settings(try configuration.chosenFile.read())
      try settings.checkTimeout()
      try openLog(settings)
      return settings
    }
  }

  /// Opens the log if the options or the environment name one; from then on, it also records the
  /// work of the store.
  ///
  /// - Throws: ``CommandFailure``.
  func openLog(_ settings: Settings) throws(CommandFailure) {
    guard let path = log.map(ConfigurationOptions.expanded) ?? settings.loadLog,
      LoadLog.current.withLock(\.self) == nil
    else { return }
    let log = try LoadLog(path: path)
    LoadLog.current.withLock { $0 = log }
    StoreReport.observe { log.add($0) }
  }

  /// Returns the settings of a run with this configuration.
  func settings(_ configuration: Configuration) -> Settings {
    Settings(
      environment: Settings.processEnvironment, dataDirectory: dataDirectory,
      configuration: configuration)
  }

  func library() throws -> Library { try library(try settings) }

  /// Opens the library.
  ///
  /// - Parameter willFetch: whether the command fetches feeds, so that libcurl is loaded while the
  ///   store is opened.
  func library(
    _ settings: Settings, client: HTTPClient? = nil, threads: Library.Threads = Library.Threads(),
    willFetch: Bool = false
  ) throws -> Library {
    let log = LoadLog.current.withLock(\.self)
    let isOfScreen = client != nil
    let client = client ?? self.client(settings) { log?.add($0) }
    if willFetch { client.prepare() }
    let store = try ArticleStore(directory: settings.dataDirectory)
    // Only the screen passes a client, and says it there.
    if store.isReadOnly, !isOfScreen { StandardError.write("argyle: \(Self.readOnlyWords)\n") }
    return Library(
      store: store, bundled: Assets.handbook, client: client, options: settings.libraryOptions,
      threads: threads, passwords: KeptPasswords(directory: settings.dataDirectory),
      programs: UserPrograms(), observer: { log?.add($0) })
  }

  /// What a user is told at the start if the folder of the data cannot be written.
  static let readOnlyWords =
    "Nothing can be stored: the data folder cannot be written, or its disk is full. Mend that, and "
    + "start again."

  /// Makes the client for all requests: of feeds, pages, pictures and accounts.
  func client(
    _ settings: Settings, report: (@Sendable (HTTPReport) -> Void)? = nil
  ) -> HTTPClient {
    let fetching = settings.configuration.fetching
    var options = HTTPClient.Options(
      certificateAuthorityFile: settings.certificateAuthorityFile,
      maximumTransfers: fetching.parallel, maximumTransfersPerHost: fetching.parallelPerHost)
    options.report = report
    if let file = settings.hostsFile {
      options.address = { name in
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let words = text.split(separator: "\n").map { $0.split(separator: " ") }
        return words.first { $0.first == name[...] }?.last.map(String.init)
      }
    }
    return HTTPClient(options: options)
  }
}

extension Settings {
  /// Throws if the environment's timeout is invalid, since a typing error would go unnoticed
  /// otherwise.
  ///
  /// - Throws: ``CommandFailure``.
  func checkTimeout() throws(CommandFailure) {
    guard let unknownTimeout else { return }
    throw CommandFailure(
      status: .badConfiguration, "ARGYLE_TIMEOUT is “\(printable(unknownTimeout))”.",
      advice: "Set it to a number of seconds from 0.1 to 3600, or to nothing.")
  }
}

/// A mistake on the command line that is found after it was parsed.
///
/// The parser knows only then which command's usage to show when it throws the error itself.
struct UsageFailure: Error {
  let text: String

  /// - Parameter command: the command whose usage is shown.
  init(_ message: String, of command: any ParsableCommand.Type) {
    let name = Self.path(to: command, from: Argyle.self) ?? []
    text = """
      Error: \(message)
      Usage: \(Argyle.usageString(for: command))
        See '\((["argyle"] + name).joined(separator: " ")) --help' for more information.
      """
  }

  private static func path(
    to command: any ParsableCommand.Type, from group: any ParsableCommand.Type
  ) -> [String]? {
    guard group != command else { return [] }
    for next in group.configuration.subcommands {
      if let path = path(to: command, from: next) { return [next._commandName] + path }
    }
    return nil
  }
}

/// The words on a command line that do not name a subcommand, which the parser passes to the
/// default one.
struct UnknownWords: ParsableArguments {
  @Argument(help: .hidden) var words: [String] = []

  /// Throws if there are such words: they are mistyped subcommands of `group`.
  ///
  /// - Throws: ``UsageFailure`` with the names of the subcommands.
  func refuse(in group: any ParsableCommand.Type) throws {
    guard let word = words.first else { return }
    throw Self.unknown(word, in: group)
  }

  /// Returns the error for a word that is not a subcommand of `group`.
  static func unknown(_ word: String, in group: any ParsableCommand.Type) -> UsageFailure {
    let shown = group.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let names = shown.map { $0._commandName }
    if let command = shown.first(where: { $0._commandName == word }) {
      return UsageFailure(
        "An option stands before the command “\(word)”. Only --data-dir, --config and --log "
          + "may; put others behind it.", of: command)
    }
    if group == Argyle.self || group == FeedsCommand.self, isWebAddress(word) {
      // A password is not repeated.
      let address = word.contains("@") ? "<address>" : shellWord(printable(word))
      return UsageFailure(
        "An address stands where a command is expected. To add a feed: argyle feeds add \(address)",
        of: group)
    }
    let list = names.joined(separator: ", ")
    let place = group == Argyle.self ? "" : " of argyle \(group._commandName)"
    let choices = names.isEmpty ? "" : " The commands\(place) are: \(list)."
    return UsageFailure("Unknown command “\(printable(word))”.\(choices)", of: group)
  }

  private static func isWebAddress(_ word: String) -> Bool {
    ["http://", "https://", "feed:"].contains { word.lowercased().hasPrefix($0) }
  }

  /// Returns a word as a shell reads it, in quotes if it has characters that mean something there.
  private static func shellWord(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0"..."9" ~= $0 || "-._~:/%+,@=".unicodeScalars.contains($0)
    }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}

/// The options for how a command prints its answer.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  /// Prints an answer, as JSON or as text.
  ///
  /// - Parameter note: what a user at a terminal is told if the text is empty.
  func print(
    _ answer: some Encodable, noteIfEmpty note: String? = nil, text: () -> String
  ) throws {
    let text = json ? try Self.encoded(answer) : text()
    if !text.isEmpty {
      try StandardOutput.write(text + "\n")
    } else if let note, isatty(STDOUT_FILENO) == 1 {
      StandardError.write(note + "\n")
    }
  }

  /// The note of commands that list or fetch feeds.
  static let noFeeds = "There are no feeds. To add one: argyle feeds add ADDRESS"

  /// Returns the answer as JSON, indented so that people can read it too.
  static func encoded(_ answer: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return escaped(String(decoding: try encoder.encode(answer), as: UTF8.self))
  }

  /// Returns JSON that is safe to print on a terminal: characters that could control it, or change
  /// the direction of a line, are escaped as numbers.
  static func escaped(_ json: String) -> String {
    func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    guard json.unicodeScalars.contains(where: isHarmful) else { return json }
    return json.unicodeScalars.reduce(into: "") { output, scalar in
      if isHarmful(scalar) {
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
  }
}

extension UserMessage {
  /// The message for standard error, on one line, with details on a second.
  var text: String {
    let line = "\(what) \(pauseWords(.local) ?? advice)"
    guard let detail, !detail.isEmpty else { return line }
    return "\(line)\n(\(detail))"
  }
}

/// Prints why a command failed, and returns the exit status.
///
/// Commands throw their errors: the main program calls this for them.
///
/// - Parameter subject: which of several things failed; nil if there is only one.
func fail(_ error: any Error, about subject: String? = nil) -> ExitCode {
  if let code = error as? ExitCode { return code }
  let text =
    (error as? TerminalError)?.text ?? (error as? ConfigurationFailure)?.text
    ?? UserMessage(error).text
  let start = subject.map { "\(printable($0)): " } ?? ""
  StandardError.write("argyle: \(start)\(text)\n")
  return ExitStatus(error).code
}
