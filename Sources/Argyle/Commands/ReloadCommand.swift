import ArgumentParser
import Articles
import Foundation
import Limits
import Synchronization

/// The `reload` command: fetches the feeds.
struct ReloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Fetch every feed, and sync every account.",
    discussion: """
      A line for each feed is printed when it has been fetched; JSON is printed at the end. \
      The exit status is 1 if a feed could not be fetched or an account not be synced. When new articles have come, the program of \
      fetching.on-new in the configuration file is started, and waited for.
      """)
  @OptionGroup var options: LibraryOptions
  @OptionGroup var output: OutputOptions

  /// How many lines can be surveyed without their sum.
  private static let fewFeeds = 5

  func run() async throws {
    let settings = try options.settings
    let library = try options.library(settings, willFetch: true)
    let report: ReloadReport
    // The feeds are fetched although nobody reads the answer, or its disk is full.
    let unwritten = Mutex<FileWriter.Failure?>(nil)
    do {
      defer { StandardError.showProgress("") }
      report = try await library.reload {
        StandardError.showProgress($0.message ?? "")
      } ended: { [isJSON = output.json] part in
        unwritten.withLock { unwritten in
          guard !isJSON, unwritten == nil else { return }
          StandardError.showProgress("")
          let text = part.lines.map { $0 + "\n" }.joined()
          do throws(FileWriter.Failure) {
            try FileWriter.write(Array(text.utf8), to: STDOUT_FILENO)
          } catch {
            unwritten = error
          }
        }
      }
    }
    // An article whose full text could not be fetched is tried again when it is opened, which
    // shows the error.
    try await library.fetchFullTexts()
    try await library.tellArrivals(settings)
    if let failure = unwritten.withLock(\.self) { try StandardOutput.end(failure) }
    let isEmpty = report.entries.isEmpty && report.accounts.isEmpty
    try output.print(report.answer, noteIfEmpty: isEmpty ? OutputOptions.noFeeds : nil) {
      // Above it stands a line for each feed.
      if OutputWidth.columns != nil, report.entries.count > Self.fewFeeds { return report.words }
      return report.dropped.count > 0 ? "Old articles: \(report.dropped.words)." : ""
    }
    if report.error != nil || report.accounts.contains(where: \.hasFailed) {
      throw ExitCode.failure
    }
  }
}

extension ReloadReport.Part {
  /// A line for each feed, and those of the account.
  fileprivate var lines: [String] { entries.map(\.line) + (account?.lines ?? []) }
}

extension ReloadReport.Entry {
  fileprivate var line: String {
    let title = printable(feed.title)
    return switch outcome {
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
}

extension ReloadReport.AccountEntry {
  fileprivate var lines: [String] {
    let name = printable(account.name)
    return switch outcome {
    case .synced(let report): [name] + report.lines
    case .failed(let message): [name] + message.linesOfSync(waiting: waitingCount)
    case .cancelled: ["✗ \(name): cancelled"]
    }
  }
}

extension ReloadReport {
  fileprivate var answer: Answer {
    [
      "feeds": entries.map(\.answer), "accounts": accounts.map(\.answer),
      "newArticles": newArticles, "failedCount": error?.failures.count ?? 0,
      "goneCount": goneCount, "droppedByAge": dropped.byAge, "droppedByCount": dropped.byCount,
    ]
  }
}

extension ReloadReport.Entry {
  fileprivate var answer: Answer {
    let failure: UserMessage? = if case .failed(let message, _) = outcome { message } else { nil }
    return [
      "id": feed.id.rawValue, "address": feed.address, "title": feed.title,
      "newArticles": newArticles, "isUnchanged": outcome == .unchanged,
      "isCancelled": outcome == .cancelled, "failure": failure?.answer,
    ]
  }
}

extension ReloadReport.AccountEntry {
  fileprivate var answer: Answer {
    switch outcome {
    case .synced(let report): .sync(of: account, report)
    case .failed(let message): .sync(of: account, failure: message, waiting: waitingCount)
    case .cancelled: .sync(of: account, waiting: waitingCount, isCancelled: true)
    }
  }
}

extension ReloadReport.AccountEntry {
  fileprivate var hasFailed: Bool { if case .failed = outcome { true } else { false } }
}
