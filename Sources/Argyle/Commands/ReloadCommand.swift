import ArgumentParser
import Articles
import Foundation

/// The `reload` command: fetches the feeds.
struct ReloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Fetch every feed, and sync every account.",
    discussion: """
      The exit status is 1 if a feed could not be fetched or an account not be synced. When new articles have come, the program of \
      fetching.on-new in the configuration file is started, and waited for.
      """)
  @OptionGroup var options: LibraryOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = try options.settings
    let library = try options.library(settings)
    let report: ReloadReport
    do {
      defer { StandardError.showProgress("") }
      report = try await library.reload { StandardError.showProgress($0.message ?? "") }
    }
    try output.print(ReloadAnswer(report), noteIfEmpty: OutputOptions.noFeeds) {
      let accounts = report.accounts.flatMap { entry in
        let name = printable(entry.account.name)
        return switch entry.outcome {
        case .synced(let report): [name] + report.lines
        case .failed(let message): ["✗ \(name): \(message.what)"]
        case .cancelled: ["✗ \(name): cancelled"]
        }
      }
      let lines = report.entries.map { entry in
        let title = printable(entry.feed.title)
        return switch entry.outcome {
        case .updated(let count): "✓ \(title): \(count) new"
        case .unchanged: "✓ \(title): unchanged"
        case .failed(let message, let new):
          [
            "✗ \(title): \(message.what)", new > 0 ? "\(new) new before that." : nil,
            message.pauseWords(.local),
          ].compactMap(\.self).joined(separator: " ")
        case .cancelled: "✗ \(title): cancelled"
        }
      }
      let dropped = report.dropped.count > 0 ? ["Old articles: \(report.dropped.words)."] : []
      return (lines + accounts + dropped).joined(separator: "\n")
    }
    // An article whose full text could not be fetched is tried again when it is opened, which
    // shows the error.
    try await library.fetchFullTexts()
    let hook = ArrivalHook(words: settings.configuration.fetching.onNew)
    if !hook.words.isEmpty, let words = await hook.run(try await library.arrivals()) {
      StandardError.write("argyle: \(printable(words))\n")
    }
    if report.error != nil || report.accounts.contains(where: \.hasFailed) {
      throw ExitCode.failure
    }
  }
}

/// The JSON of a reload's outcome.
private struct ReloadAnswer: Encodable {
  struct FeedResult: Encodable {
    let id: Int64
    let address: String
    let title: String
    let newArticles: Int
    let isUnchanged: Bool
    let isCancelled: Bool
    let failure: FailureAnswer?
  }

  let feeds: [FeedResult]
  let accounts: [SyncAnswer]
  let newArticles: Int
  let failedCount: Int
  /// How many old articles were dropped, by the limit that they exceeded.
  let droppedByAge: Int
  let droppedByCount: Int

  init(_ report: ReloadReport) {
    feeds = report.entries.map { entry in
      var failure: FailureAnswer?
      if case .failed(let message, _) = entry.outcome { failure = FailureAnswer(message) }
      return FeedResult(
        id: entry.feed.id.rawValue, address: entry.feed.address, title: entry.feed.title,
        newArticles: entry.newArticles, isUnchanged: entry.outcome == .unchanged,
        isCancelled: entry.outcome == .cancelled, failure: failure)
    }
    accounts = report.accounts.map { entry in
      switch entry.outcome {
      case .synced(let report): SyncAnswer(entry.account, report)
      case .failed(let message): SyncAnswer(entry.account, failure: message)
      case .cancelled: SyncAnswer(cancelled: entry.account)
      }
    }
    newArticles = report.newArticles
    failedCount = report.error?.failures.count ?? 0
    droppedByAge = report.dropped.byAge
    droppedByCount = report.dropped.byCount
  }
}

extension ReloadReport.AccountEntry {
  fileprivate var hasFailed: Bool { if case .failed = outcome { true } else { false } }
}
