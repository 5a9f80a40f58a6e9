import ArgumentParser
import Articles
import Foundation

/// The `sync` command: syncs accounts.
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Exchange feeds, articles and marks with accounts.",
    discussion: """
      Without an account, all of them. The exit status is 1 if one could not be synced, or refused a \
      change of a feed; what was marked here waits until it can be sent. When new articles have come, \
      the program of fetching.on-new in the configuration file is started, and waited for.
      """)
  @Argument(help: "The account, as listed by argyle account.")
  var account: String?
  @OptionGroup var options: LibraryOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = try options.settings
    let library = try options.library(settings)
    var accounts = try await library.storedAccounts()
    if let account { accounts = [try await library.account(named: account)] }
    guard !accounts.isEmpty else {
      try output.print([Answer]()) { "" }
      throw CommandFailure(
        status: .notThere, "There is no account.",
        advice: "Add one: argyle account add greader ADDRESS --user NAME.")
    }
    var answers: [Answer] = []
    var lines: [String] = []
    var hasFailed = false
    for summary in accounts {
      lines.append("\(printable(summary.account.name))")
      do {
        let report = try await library.sync(summary.id)
        answers.append(.sync(of: summary.account, report))
        lines += report.lines
        if !report.refusedFeeds.isEmpty { hasFailed = true }
      } catch let error where error is CancellationError {
        throw error
      } catch {
        let waiting = try await library.storedAccounts().first { $0.id == summary.id }?
          .waitingCount
        answers.append(
          .sync(of: summary.account, failure: UserMessage(error), waiting: waiting ?? 0))
        hasFailed = true
        lines += UserMessage(error).linesOfSync(waiting: waiting ?? 0)
      }
    }
    try output.print(answers) { lines.joined(separator: "\n") }
    try await library.tellArrivals(settings)
    if hasFailed { throw ExitCode.failure }
  }
}

extension Answer {
  /// The answer about an account's sync.
  ///
  /// - Parameters:
  ///   - report: what it did; nil if it failed or was cancelled.
  ///   - waiting: how many changes wait to be sent.
  static func sync(
    of account: SyncAccount, _ report: SyncReport? = nil, failure: UserMessage? = nil,
    waiting: Int = 0, isCancelled: Bool = false
  ) -> Answer {
    let did = report ?? SyncReport()
    return [
      "account": account.name, "accountID": account.id.rawValue, "isCancelled": isCancelled,
      "newArticles": did.newArticleCount, "sentMarks": did.sentMarks, "sentFeeds": did.sentFeeds,
      "receivedMarks": did.receivedMarks, "refusedMarks": did.refusedMarks,
      "waitingChanges": report?.refusedMarks ?? waiting, "addedFeeds": did.addedFeeds,
      "removedFeeds": did.removedFeeds, "refusedFeeds": did.refusedFeeds.map(\.words),
      "failure": failure?.answer,
    ]
  }
}

extension SyncReport {
  /// The results of the sync, one per line.
  var lines: [String] {
    // Limited to ten, since the first sync of an account brings all of its feeds; --json lists
    // every one.
    func feeds(_ titles: [String], _ mark: String) -> [String] {
      let named = titles.prefix(10).map { "  \(mark) \(printable($0))" }
      return titles.count > 10 ? named + ["  \(mark) and \(titles.count - 10) more"] : named
    }
    let articles = counted(newArticleCount, "new article")
    var lines = [
      "  ✓ \(articles); marks: \(sentMarks) sent, \(receivedMarks) received"
        + (sentFeeds > 0 ? "; \(counted(sentFeeds, "change")) of feeds sent" : "")
    ]
    if refusedMarks > 0 {
      lines.append("  ! the server refuses \(counted(refusedMarks, "mark"))")
    }
    lines += tagsOfFolders.sorted().map {
      "  ! the tag “\(printable($0))” waits, because a folder on the server has this name"
    }
    return lines + feeds(addedFeeds, "+") + feeds(removedFeeds, "-")
      + feeds(refusedFeeds.map(\.words), "✗")
  }
}

extension UserMessage {
  /// Why an account was not synced, and what still waits to be sent.
  func linesOfSync(waiting: Int) -> [String] {
    ["  ✗ \(text.replacing("\n", with: " "))"] + (pauseWords(.local).map { ["  \($0)"] } ?? [])
      + (waiting > 0 ? ["  \(AccountWords.waiting(waiting))"] : [])
  }
}

/// Describes an account, on the command line and on the screen.
struct AccountWords {
  private let summary: AccountSummary
  private let days: DayText

  init(_ summary: AccountSummary, days: DayText) {
    (self.summary, self.days) = (summary, days)
  }

  /// The number of feeds and unread articles: "12 feeds, 34 unread".
  var contents: String {
    let feeds = counted(summary.feedCount, "feed")
    return summary.unreadCount == 0 ? feeds : "\(feeds), \(summary.unreadCount) unread"
  }

  /// When the account was synced last, and what waits to be sent.
  var state: String {
    var words: [String] = []
    if let date = summary.offlineSince {
      words.append("offline since \(days.point(date))")
    } else if let date = summary.lastSynced {
      words.append("synced \(days.moment(date))")
    } else {
      words.append("never synced")
    }
    if summary.waitingCount > 0 { words.append(Self.waiting(summary.waitingCount)) }
    return words.joined(separator: ", ")
  }

  static func waiting(_ count: Int) -> String {
    "\(counted(count, "change waits", "changes wait")) to be sent"
  }
}

extension Library {
  /// Returns how many changes of some accounts wait to be sent, on lines of their own after what a
  /// command says; empty if none do.
  func waitingLines(of accounts: some Sequence<SyncAccount.ID>) async throws -> String {
    let accounts = Set(accounts)
    guard !accounts.isEmpty else { return "" }
    return try await storedAccounts().filter { accounts.contains($0.id) && $0.waitingCount > 0 }
      .map { "\n  \(printable($0.account.name)): \(AccountWords.waiting($0.waitingCount))" }
      .joined()
  }
}

extension SyncReport.RefusedFeed {
  /// The feed and the server's reason.
  var words: String { "\(title): \(reason)" }
}
