import ArgumentParser
import Articles
import Foundation
import HTTP

/// The `account` command: accounts on servers for syncing.
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Add, list and remove accounts on servers for syncing.",
    discussion: """
      An account has the same feeds, folders, read marks and stars as your other devices: on FreshRSS, \
      Miniflux, BazQux, The Old Reader and other servers with the API of Google Reader, or of Fever, \
      which cannot change feeds. \
      Its feeds stand beside those that Argyle fetches itself. argyle sync, argyle reload and the \
      reader itself exchange what is new.
      """,
    subcommands: [List.self, Add.self, Password.self, Remove.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the accounts.")
    @OptionGroup var unknown: UnknownWords
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try unknown.refuse(in: AccountCommand.self)
      let accounts = try await options.library().storedAccounts()
      let note = "There are no accounts. To add one: argyle account add greader ADDRESS --user NAME"
      try output.print(accounts.map(\.answer), noteIfEmpty: note) {
        accounts.map { summary in
          let words = AccountWords(summary, days: .local)
          let failure = summary.failure.map { "\n  ✗ \($0.what)" } ?? ""
          return "\(printable(summary.account.name)) (\(summary.account.kind.rawValue))\n"
            + "  \(printable(summary.account.address))\n  \(words.contents); \(words.state)"
            + failure
        }
        .joined(separator: "\n")
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add an account, and sync it.",
      discussion: """
        Many servers have a separate password for programs, which is set in their settings. It is \
        asked for, or read with --password-stdin, and kept in the system's secret service where there \
        is one (secret-tool), else in a file in the data folder that only you can read. With \
        --password-command nothing is kept.
        """)
    @Argument(help: "The protocol: greader, or fever.")
    var kind: SyncAccount.Kind
    @Argument(help: "The address of the server, or of its API.")
    var address: String
    @Option(help: ArgumentHelp("Your name on the server.", valueName: "name"))
    var user: String
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard user.isEmpty else { return }
      throw ValidationError("--user needs your name on the server.")
    }

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      let secret = try await password.read(for: user)
      let account: SyncAccount
      do {
        account = try await library.addAccount(
          kind, address: address, user: user, password: secret,
          passwordCommand: password.command
        ) { try await password.keep(secret, of: $0, in: settings) }
      } catch let error as HTTPError where error.isAboutServer {
        let message = UserMessage(error)
        throw CommandFailure(
          status: .notThere, message.what, advice: message.advice, detail: message.detail)
      }
      let added = "Added \(printable(account.name))."
      let report: SyncReport
      do {
        report = try await library.sync(account.id)
      } catch {
        let message = UserMessage(error)
        try output.print(Answer.sync(of: account, failure: message)) { added }
        if error is CancellationError { throw error }
        throw CommandFailure(
          status: ExitStatus(error), message.what,
          advice: ["The account was added; argyle sync brings what is there.", message.advice]
            .compactMap(\.self).joined(separator: " "),
          detail: message.detail)
      }
      try output.print(Answer.sync(of: account, report)) {
        added + "\n" + report.lines.joined(separator: "\n")
      }
    }
  }

  struct Password: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "password", abstract: "Give the password of an account again.")
    @Argument(help: "The account, as listed.")
    var account: String
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: LibraryOptions

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      let found = try await library.account(named: account).account
      let secret = try await password.read(for: found.user)
      try await library.checkPassword(
        secret, of: found.id, passwordCommand: password.command
      ) { try await password.keep(secret, of: $0, in: settings) }
      // Only now, so that a password that was kept is not lost if the change fails.
      if password.command != nil {
        let passwords = KeptPasswords(directory: settings.dataDirectory)
        if await passwords.forget(found) { AccountCommand.warnOfPassword(of: found) }
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove an account from here; the server keeps it.",
      discussion: """
        What was changed here and the server does not know yet would be lost: the account stays while there is any, \
        unless --drop-changes is given.
        """)
    @Argument(help: "The account, as listed.")
    var account: String
    @Flag(help: "Keep its feeds, and fetch them from their own servers.")
    var keepFeeds = false
    @Flag(help: "Give up what the server does not know yet.")
    var dropChanges = false
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let library = try options.library()
      let found = try await library.account(named: account)
      let mayRemain = try await library.removeAccount(
        found.id, keepsFeeds: keepFeeds, dropsChanges: dropChanges)
      if mayRemain { AccountCommand.warnOfPassword(of: found.account) }
      try output.print(found.answer) { "Removed \(printable(found.account.name))." }
    }
  }
}

extension HTTPError {
  /// Whether no server answers at the address.
  fileprivate var isAboutServer: Bool {
    switch self {
    case .cannotResolve, .cannotConnect: true
    default: false
    }
  }
}

extension AccountCommand {
  /// Says that the password of an account may still be stored.
  fileprivate static func warnOfPassword(of account: SyncAccount) {
    StandardError.write(
      "argyle: The password of \(printable(account.name)) \(KeptPasswords.remains)\n")
  }
}

extension SyncAccount.Kind: ExpressibleByArgument {}

/// The options for where a password comes from.
struct PasswordOptions: ParsableArguments {
  @Flag(help: "Read the password from standard input.")
  var passwordStdin = false
  @Option(
    help: ArgumentHelp(
      "A program that prints the password, with its arguments after spaces: \"pass show reader\".",
      valueName: "command"))
  var passwordCommand: String?

  func validate() throws {
    if passwordStdin, passwordCommand != nil {
      throw ValidationError("Give --password-stdin or --password-command, not both.")
    }
    if command?.isEmpty == true { throw ValidationError("--password-command needs a program.") }
  }

  /// The program that prints the password, with its arguments; it is started without a shell.
  var command: [String]? {
    passwordCommand.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
  }

  /// Reads the password from the program, standard input or the terminal.
  ///
  /// - Throws: ``CommandFailure``, or ``SyncError/noPasswordPrinted(reason:)``.
  func read(for user: String) async throws -> String {
    if let command { return try await KeptPasswords.printed(by: command) }
    let text: String
    if passwordStdin {
      text = String(decoding: try InputFile.bytes("-", limit: 1 << 12), as: UTF8.self)
    } else {
      guard let typed = PasswordPrompt.ask("Password of \(printable(user)): ") else {
        throw CommandFailure(
          status: .failure, "There is no terminal to ask for the password.",
          advice: "Use --password-stdin or --password-command.")
      }
      // Such as Ctrl-Z, which stops nothing here.
      guard
        !typed.unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\r"
        })
      else {
        throw CommandFailure(
          status: .badData, "The password has a control character.", advice: "Type it again.")
      }
      text = typed
    }
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard !line.isEmpty else {
      throw CommandFailure(
        status: .badData, "The password is empty.", advice: "Give the one that the server has.")
    }
    return line
  }

  /// Stores the password, and says where; does nothing if a program prints it.
  func keep(_ password: String, of account: SyncAccount, in settings: Settings) async throws {
    guard command == nil else { return }
    let place = try await KeptPasswords(directory: settings.dataDirectory)
      .keep(password, of: account)
    switch place {
    case .secretService: StandardError.write("The password is in the system's secret service.\n")
    case .file(let path):
      StandardError.write(
        "The password is in \(printable(path)), which only you can read: no secret service "
          + "took it.\n")
    }
  }
}

extension Library {
  /// Returns the account with this name or address, or the only one whose name or address contains
  /// the text.
  ///
  /// - Throws: ``CommandFailure``.
  func account(named text: String) async throws -> AccountSummary {
    let accounts = try await storedAccounts()
    if let exact = accounts.first(where: { $0.account.name == text || $0.account.address == text })
    {
      return exact
    }
    // An empty text is that of a variable of a script that is not set.
    let found = accounts.filter {
      !text.isEmpty && ($0.account.name.contains(text) || $0.account.address.contains(text))
    }
    guard let only = found.first, found.count == 1 else {
      throw CommandFailure(
        status: found.isEmpty ? .notThere : .badData,
        found.isEmpty ? "There is no such account." : "Several accounts are called like this.",
        advice: "argyle account list shows which there are.", detail: text)
    }
    return only
  }
}

extension AccountSummary {
  var answer: Answer {
    [
      "id": id.rawValue, "name": account.name, "kind": account.kind.rawValue,
      "address": account.address, "user": account.user, "feedCount": feedCount,
      "unreadCount": unreadCount, "waitingChanges": waitingCount, "lastSynced": lastSynced,
      "offlineSince": offlineSince, "failure": failure?.answer,
    ]
  }
}
