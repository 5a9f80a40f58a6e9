import Articles
import Foundation

/// The user's program that runs when new articles arrive: `fetching.on-new`.
struct ArrivalHook: Sendable {
  /// The program and its arguments, in which `{count}` stands for the number of new articles.
  let words: [String]

  /// How many articles the program gets; one that is told of more still gets the true count.
  private static let limit = 1_000

  /// Runs the program with the articles as JSON on its standard input; returns what went wrong.
  func run(_ articles: [Article]) async -> String? {
    guard let program = words.first, !articles.isEmpty else { return nil }
    let arguments = words.dropFirst().map { $0.replacing("{count}", with: "\(articles.count)") }
    do {
      let first = articles.prefix(Self.limit).map { $0.answer() }
      let answer = try OutputOptions.encoded(
        ["count": articles.count, "articles": first] as Answer)
      let outcome = await OutsideCommand(program, []).run(arguments, reading: answer + "\n")
      return outcome.words(program).map { "on-new: \($0)" }
    } catch {
      return "on-new: “\(program)” was not run, for lack of the articles as JSON (\(error))."
    }
  }
}

extension Library {
  /// Runs the user's program for the articles that a command has fetched, and waits for it.
  func tellArrivals(_ settings: Settings) async throws {
    let hook = ArrivalHook(words: settings.configuration.fetching.onNew)
    if !hook.words.isEmpty, let words = await hook.run(try await arrivals().own) {
      StandardError.write("argyle: \(printable(words))\n")
    }
  }
}

/// The text of a notification about new articles.
struct ArrivalWords: Hashable, Sendable {
  let text: String
  /// Makes two notifications with the same text differ, so that the second one is shown too.
  private let number: Int

  init(_ articles: [Article], after last: ArrivalWords? = nil) {
    number = (last?.number ?? 0) + 1
    text =
      articles.count == 1
      ? articles.map { "\($0.feedTitle): \($0.shownTitle)" }.joined()
      : "\(articles.count) new articles"
  }
}
