import ArgumentParser
import Foundation
import HTTP
import Storage
import Terminal
import TerminalUI

/// The root of the command line.
///
/// Each subcommand states its name. To make one of its type's name, the runtime would search all of
/// the program for a description of that type, which took a fifth of the time of a short command.
@main
struct Argyle: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "argyle",
    abstract: "Read feeds in a terminal, and keep a drawer of socks.",
    discussion: """
      Without a subcommand, argyle opens the reader. Until you add a feed, it shows the handbook.

      Every command but demo, screenshot and manual takes --config <file>, the configuration file \
      with keys and settings (default: argyle/config.toml in $XDG_CONFIG_HOME; see argyle config). \
      All of these but config take --data-dir <directory>, where feeds, articles and socks are \
      stored (default: argyle/ in $XDG_DATA_HOME), and --log <file>, which appends to a file what is \
      fetched and stored. Options override environment variables, and these override \
      the file.

      Environment variables: BROWSER (the programs that open links, separated by colons, %s for the \
      address), NO_COLOR (no colours), \
      ARGYLE_TIMEOUT (how many seconds a server may be silent; default: 20), SSL_CERT_FILE \
      (certificates to trust instead of the system's), http_proxy, https_proxy and all_proxy (the proxy) \
      and no_proxy (servers reached without one), in capitals, too, except for HTTP_PROXY, \
      ARGYLE_THEME (see argyle help open), ARGYLE_REDUCE_MOTION and ARGYLE_PLAIN (any value but 0 \
      turns them on), and ARGYLE_LOG (as --log).

      The manual page, argyle(1), lists every key and exit status.
      """,
    version: "0.1.0",
    subcommands: [
      OpenCommand.self, FeedsCommand.self, ArticlesCommand.self, RulesCommand.self,
      TagsCommand.self, PodcastsCommand.self,
      ReloadCommand.self, AccountCommand.self, SyncCommand.self,
      SocksCommand.self, ConfigCommand.self, DemoCommand.self, ScreenshotCommand.self,
      ManualCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)

  /// Runs the command on a main loop that also waits for the terminal, with worker threads that
  /// never wake up an idle program.
  @MainActor
  static func main() async {
    if let shortage = ResourceLimits.current().shortage {
      try? FileHandle.standardError.write(contentsOf: Data("argyle: \(shortage)\n".utf8))
      leave(with: ExitStatus.outOfResources.code)
    }
    // Without a UTF-8 locale only names that are not ASCII are lost. The screen, which needs one,
    // reports it.
    try? useUTF8Locale()
    MainLoop.install()
    HTTPClient.returnLargeMemory()
    // Without a handler, exceeding a limit on the size of files would end the program; with one,
    // the write fails and the error is shown. The signal is not ignored, because the programs that
    // are started would inherit that.
    signal(SIGXFSZ) { _ in }
    leave(with: await withTaskExecutorPreference(TerminalApp.workers) { await runCommand() })
  }

  @MainActor
  private static func runCommand() async -> ExitCode {
    do {
      var command = try await parsedCommand()
      do {
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error as ValidationError {
        throw UsageFailure(error.message, of: type(of: command))
      } catch let error where !isReportedByParser(error) {
        throw fail(error)
      }
      do { try LoadLog.current.withLock(\.self)?.flush() } catch { return fail(error) }
      return .success
    } catch {
      // A failure to complete the log is ignored here: the command's own failure is reported.
      try? LoadLog.current.withLock(\.self)?.flush()

      let (code, message) =
        (error as? UsageFailure).map { (.validationFailure, $0.text) }
        ?? (
          exitCode(for: error),
          withAdviceAboutDash(withoutUnlikeSuggestion(fullMessage(for: error)))
        )
      guard !message.isEmpty else { return code }
      guard code.isSuccess else {
        StandardError.write("\(message)\n")
        return code
      }
      // The user asked for the help or the version, so failing to write it is an error.
      do { try StandardOutput.write(message + "\n") } catch { return fail(error) }
      return code
    }
  }

  /// Returns a message of the parser without a suggested option that begins with another letter than
  /// the unknown one: the parser suggests any option of about the same length.
  private static func withoutUnlikeSuggestion(_ message: String) -> String {
    let parts = message.split(separator: "'", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "Error: Unknown option ", parts[2] == ". Did you mean ",
      parts[1].first(where: { $0 != "-" }) != parts[3].first(where: { $0 != "-" })
    else { return message }
    return "\(parts[0])'\(parts[1])'\(parts[4].dropFirst())"
  }

  /// Returns a message of the parser with advice if a word with one dash was taken for an option, such
  /// as a term of a search.
  private static func withAdviceAboutDash(_ message: String) -> String {
    let arguments = CommandLine.arguments.dropFirst()
    guard
      ["Error: Missing expected arg", "Error: Unknown option"].contains(where: message.hasPrefix),
      !arguments.contains("--"),
      let word = arguments.first(where: {
        $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.count > 2 && Double($0) == nil
      })
    else { return message }
    let end = message.firstIndex(of: "\n") ?? message.endIndex
    let advice = "If “\(printable(word))” is no option, write -- before it."
    return "\(message[..<end])\n\(advice)\(message[end...])"
  }

  /// Whether an error that a command has thrown has its message already: a mistake on the command
  /// line, or the help, which is the outcome of a group without a subcommand and of `help`.
  private static func isReportedByParser(_ error: any Error) -> Bool {
    error is ExitCode || error is UsageFailure || exitCode(for: error).isSuccess
  }

  private static func parsedCommand() async throws -> sending any ParsableCommand {
    let arguments = movingOptionsBehindSubcommand(Array(CommandLine.arguments.dropFirst()))
    if arguments.isEmpty { return OpenCommand.withoutArguments }
    // The options of the reader are tried first: parsing those of every command takes longer than
    // reading a thousand articles, and nothing is on the screen yet.
    if arguments.first?.hasPrefix("-") == true, let command = try? OpenCommand.parse(arguments) {
      return command
    }
    // The same for the command that cron may start every hour.
    if arguments.first == ReloadCommand.configuration.commandName,
      let command = try? ReloadCommand.parse(Array(arguments.dropFirst()))
    {
      return command
    }
    try refuseUnknownHelp(arguments)
    do {
      return try await asyncParseAsRoot(arguments)
    } catch {
      try refuseUnknownOption(arguments)
      throw error
    }
  }

  /// Refuses an unknown option where a command is expected: the parser would report the word behind
  /// the option as an unknown command.
  ///
  /// - Throws: `ValidationError`, or the parser's error for the option.
  private static func refuseUnknownOption(_ arguments: [String]) throws {
    var group: any ParsableCommand.Type = Argyle.self
    var path: [String] = []
    func command(_ name: String) -> (any ParsableCommand.Type)? {
      group.configuration.subcommands.first { $0._commandName == name }
    }
    while path.count < arguments.count, let next = command(arguments[path.count]) {
      path.append(next._commandName)
      group = next
    }
    let places = arguments.dropFirst(path.count).prefix { $0 != "--" && command($0) == nil }
    // A number below zero is a value, about which the parser's own error says more.
    for option in places
    where option.hasPrefix("-") && option != "-" && Double(option) == nil {
      do {
        _ = try parseAsRoot(path + [option])
      } catch {
        guard message(for: error).hasPrefix("Unknown option") else { continue }
        if path.isEmpty, let advice = newsboatAdvice[option] {
          throw ValidationError("Unknown option “\(option)”. \(advice)")
        }
        throw error
      }
    }
  }

  /// For options of newsboat, the commands that do the same.
  private static let newsboatAdvice = [
    "-i": "To import a list of feeds: argyle feeds import FILE",
    "-e": "To export the feeds: argyle feeds export > FILE",
  ]

  /// Refuses `help` for a command that does not exist: the parser would print the help of its
  /// parent.
  ///
  /// - Throws: ``UsageFailure``.
  private static func refuseUnknownHelp(_ arguments: [String]) throws {
    guard arguments.first == "help" else { return }
    var group: any ParsableCommand.Type = Argyle.self
    for word in arguments.dropFirst().prefix(while: { !$0.hasPrefix("-") }) {
      let commands = group.configuration.subcommands
      guard let command = commands.first(where: { $0._commandName == word }) else {
        throw UnknownWords.unknown(word, in: group)
      }
      group = command
    }
  }

  /// Returns the arguments with the options of ``LibraryOptions``, such as `--data-dir`, moved from
  /// before the subcommand to behind its name, where the parser looks for them.
  static func movingOptionsBehindSubcommand(_ arguments: [String]) -> [String] {
    let names = ["--data-dir", "--config", "--log"]
    var start = 0
    while start < arguments.count {
      if names.contains(arguments[start]) {
        start += 2
      } else if names.contains(where: { arguments[start].hasPrefix($0 + "=") }) {
        start += 1
      } else {
        break
      }
    }
    guard start > 0, start < arguments.count else { return arguments }
    // The help takes no options.
    if arguments[start] == "help" { return Array(arguments[start...]) }
    var end = start
    var commands = configuration.subcommands
    while end < arguments.count,
      let command = commands.first(where: { $0._commandName == arguments[end] })
    {
      end += 1
      commands = command.configuration.subcommands
    }
    guard end > start else { return arguments }
    var options = arguments[..<start]
    if arguments[start] == ConfigCommand.configuration.commandName {
      // An alias of the shell may give options to every command; this one has no stored data, and
      // may be given another file.
      let hasFile = arguments[end...].contains {
        !$0.hasPrefix("-") || $0 == "--print-default" || $0.hasPrefix("--config")
      }
      let value =
        options.lastIndex(of: "--config").map { options[$0..<($0 + 2)] }
        ?? options.last { $0.hasPrefix("--config=") }.map { [$0] }
      options = hasFile ? [] : value ?? []
    }
    return Array(arguments[start..<end] + options + arguments[end...])
  }

  /// Ends the process at once.
  ///
  /// `exit` would free the memory of OpenSSL and other libraries while the thread of a transfer may
  /// still be using it: quitting during a reload then crashed about once in several hundred times.
  private static func leave(with code: ExitCode) -> Never {
    StoreFile.closeAll()
    fflush(nil)
    _exit(code.rawValue)
  }
}
