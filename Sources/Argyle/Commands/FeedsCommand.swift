import ArgumentParser
import Articles
import Foundation
import HTTP
import Loading
import Terminal

/// The `feeds` command: lists, changes, imports and exports feeds.
struct FeedsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds", abstract: "Add, list, change, remove, import and export feeds.",
    subcommands: [
      List.self, Add.self, Set.self, RenameFolder.self, RemoveFolder.self, Remove.self, Import.self,
      Export.self,
    ],
    defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the feeds.")
    @Flag(help: "Only those whose last fetch has failed.")
    var failed = false
    @OptionGroup var unknown: UnknownWords
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try unknown.refuse(in: FeedsCommand.self)
      let library = try options.library()
      let feeds = try await library.addedFeeds().filter { !failed || $0.failure != nil }
      let accounts = Dictionary(
        uniqueKeysWithValues: try await library.storedAccounts().map { ($0.id, $0.account.name) })
      let note = failed ? "No feed has failed." : OutputOptions.noFeeds
      try output.print(feeds.map(\.answer), noteIfEmpty: note) {
        feeds.map { feed in
          let failure = feed.failure.map { "\n  ✗ \($0.message.what)" } ?? ""
          let address = printable(feed.feed.address)
          let unread = feed.unreadCount == 0 ? "" : ", \(feed.unreadCount) unread"
          let account = feed.feed.account.flatMap { accounts[$0] }.map { ", of \(printable($0))" }
          let count = counted(feed.articleCount, "article")
          return "\(address)\n  \(feed.feed.line)\(account ?? ""), \(count)" + unread + failure
        }
        .joined(separator: "\n")
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add feeds and fetch them.",
      discussion: """
        The result of each address is printed. Of several, the status is 1 if any failed, and --json \
        prints an array of the feeds that were added.

        The address of a web page finds the feed that the page names. When the first fetch fails, \
        the feed is added all the same, and the status is 69, unless the address is a plain mistake: \
        no such file or server, no feed there, or no Markdown file in the folder. A name and a password may stand in front of \
        the server's name (https://name:password@example.org/feed): they are kept, sent to that \
        server alone, and never shown.

        A feed that is there already is fetched again if its last fetch failed, or if its address has \
        another name and password: this corrects them. Otherwise, the status is 1.

        exec:NAME is the feed that a program writes, filter:NAME:URL the one that it makes of what a \
        server has. Only programs that a table [[exec]] of the configuration file names are run.

        Where a page names several feeds the best one is added; if you have that one already, the \
        others are listed.
        """)
    @Argument(
      help: ArgumentHelp(
        "The address of a feed or a web page, or the path of a file or a folder of Markdown.",
        valueName: "address"),
      completion: .file())
    var addresses: [String]
    @Flag(help: "Add the address even if its first fetch fails.")
    var keep = false
    @Option(
      help: ArgumentHelp(
        "Add it to an account, whose server fetches it.", valueName: "account"))
    var account: String?
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if keep, account != nil {
        throw ValidationError(
          "Give --keep or --account, not both: the server of an account decides what it adds.")
      }
    }

    func run() async throws {
      let library = try options.library()
      var owner: AccountSummary?
      if let account { owner = try await library.account(named: account) }
      let isAlone = addresses.count == 1
      var answers: [Answer] = []
      var failures: [ExitCode] = []
      for address in addresses {
        do {
          try await add(address, to: owner, library) { feed, text in
            answers.append(feed.answer)
            if !output.json { try StandardOutput.write(text + "\n") }
          }
        } catch {
          failures.append(fail(error, about: isAlone ? nil : FeedCredentials.hidden(in: address)))
          if case LibraryError.alreadyAdded(_, let others) = error {
            for feed in others { StandardError.write(line(feed) + "\n") }
          }
        }
      }
      if output.json {
        if !isAlone {
          try output.print(answers) { "" }
        } else if let answer = answers.first {
          try output.print(answer) { "" }
        }
      }
      if let failure = failures.first { throw isAlone ? failure : ExitCode.failure }
    }

    /// Adds a feed.
    ///
    /// - Parameters:
    ///   - owner: the account that it is added to; nil for none.
    ///   - tell: called with the feed and what is said about it, also if it was added but could not
    ///     be fetched, which is then thrown.
    private func add(
      _ address: String, to owner: AccountSummary?, _ library: Library,
      tell: (FeedSummary, String) throws -> Void
    ) async throws {
      let addition: Library.Addition
      do {
        // Otherwise, a feed that is not known to be one would stay in the list.
        addition = try await cancelledBySignals { [keep, owner = owner?.id] in
          if let owner { return try await library.addition(of: address, to: owner) }
          return try await library.addition(of: address, keepsMistakes: keep)
        }
      } catch {
        // Only the server of an account decides what it adds.
        guard !keep, owner == nil, Library.canKeep(after: error) else { throw error }
        let message = UserMessage(error)
        let file = Library.words(aboutFile: address, after: error).map { " \($0)" } ?? ""
        // Elsewhere, a name that is not known may well be that of a network which is down.
        let isNoServer = if case HTTPError.cannotResolve = error { true } else { false }
        throw CommandFailure(
          status: isNoServer ? .notThere : ExitStatus(error), message.what + file,
          advice: "\(message.advice) The feed was not added; --keep adds it all the same.",
          detail: message.detail)
      }
      // The answer is what is stored now, whether or not the fetch failed.
      let added = try await library.addedFeeds().first { $0.id == addition.feed.id }
      guard let added else { throw LibraryError.noSuchFeed() }
      let words = self.words(about: addition, added, typed: address, library)
      // A change of an account waits for its server, as every other one does.
      if let owner, addition.failure != nil,
        try await library.storedAccounts().contains(where: {
          $0.id == owner.id && $0.offlineSince != nil
        })
      {
        return try await tell(added, words + library.waitingLines(of: [owner.id]))
      }
      try tell(added, words)
      if let failure = addition.failure {
        let message = UserMessage(failure)
        throw CommandFailure(
          status: .notFetched, message.what,
          advice: added.feed.lastFetched == nil && addition.kind == .new
            ? "\(message.advice) The feed was added; argyle reload fetches it." : message.advice,
          detail: message.detail)
      }
    }

    private func words(
      about addition: Library.Addition, _ added: FeedSummary, typed address: String,
      _ library: Library
    ) -> String {
      if addition.failure != nil {
        switch addition.kind {
        case .new: break
        case .fetchedAgain: return "\(printable(added.feed.address)) could not be fetched again."
        case .joinedAccount: return "\(printable(added.feed.address)) is in the account now."
        }
      }
      // With a failure there may still be the articles before a mistake.
      guard addition.failure == nil || added.feed.lastFetched != nil else {
        return "Added \(printable(added.feed.address)), which could not be fetched yet."
      }
      let verb =
        switch addition.kind {
        case .new: "Added"
        case .fetchedAgain: "Fetched again:"
        case .joinedAccount: "Now in the account:"
        }
      let title =
        "\(verb) \(printable(added.feed.title)): "
        + "\(counted(added.articleCount, "article"))."
        + words(about: addition.dropped, keeping: library.options.retention)
      // A page that names its feed, and a redirect, lead to another address than the typed one.
      let isOther = added.feed.address.hasPrefix("http") && added.feed.address != address
      let lines = [title] + (isOther ? ["  \(printable(added.feed.address))"] : [])
      guard !addition.others.isEmpty else { return lines.joined(separator: "\n") }
      return (lines + ["The page has other feeds, too:"] + addition.others.map(line)).joined(
        separator: "\n")
    }

    /// Returns a sentence about the articles that were not kept, after a space; empty if all were.
    private func words(about dropped: Int, keeping retention: Retention) -> String {
      guard dropped > 0, let limit = retention.countPerFeed else { return "" }
      return " \(dropped) older \(dropped == 1 ? "one is" : "ones are") not kept"
        + " (keeping.articles-per-feed is \(limit))."
    }

    private func line(_ feed: FeedLink) -> String {
      "  " + printable(feed.address + (feed.title.isEmpty ? "" : "  \(feed.title)"))
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a feed and its articles.",
      discussion: """
        When the feed is added again within 30 days, its articles come back as they were marked. Days \
        without a reload do not count.
        """)
    @Argument(help: "The feed's address or title, as listed.")
    var feed: String
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let library = try options.library()
      let found = try await library.feed(named: feed)
      try await library.remove(found.id)
      let waiting = try await library.waitingLines(of: [found.feed.account].compactMap(\.self))
      try output.print(found.answer) { "Removed \(printable(found.feed.title)).\(waiting)" }
    }
  }
}

/// The JSON of a feed.
extension FeedSummary {
  var answer: Answer {
    [
      "id": id.rawValue, "address": feed.address, "title": feed.title, "site": feed.site,
      "folder": feed.folder?.path ?? [], "tags": feed.tags,
      // Both names of the account, since the answers of sync and reload have the second one.
      "account": feed.account?.rawValue, "accountID": feed.account?.rawValue,
      "reloadMinutes": feed.reloadMinutes, "fullText": feed.fullText,
      "lastFetched": feed.lastFetched, "articleCount": articleCount, "unreadCount": unreadCount,
      "failure": failure?.message.answer, "goneSince": goneSince,
    ]
  }
}

extension Feed {
  /// Its title, folder, tags and own settings, on one line for a terminal.
  var line: String {
    let folder = folder.map { ", in \($0.text)" } ?? ""
    let tags = tags.isEmpty ? "" : ", tagged \(tags.joined(separator: ", "))"
    let interval =
      reloadMinutes.map { $0 == 0 ? ", never reloaded by itself" : ", reloaded every \($0) min" }
      ?? ""
    let text = fullText.map { $0 ? ", full text" : ", the feed's own text" } ?? ""
    return printable(title + folder + tags + interval + text)
  }
}

/// Returns text from outside without characters that could control the terminal.
func printable(_ text: String) -> String {
  let emoji = EmojiStandIns()
  return emoji.restore(in: Glyphs(emoji.replace(in: text)).map(\.text).joined())
}
