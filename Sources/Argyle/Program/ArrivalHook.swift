import Articles
import Foundation

/// The program of the user's that is told of new articles: `fetching.on-new`.
struct ArrivalHook: Sendable {
  /// The program and its arguments, in which `{count}` stands for the number of new articles.
  let words: [String]

  /// Runs it; returns what went wrong.
  func run(_ articles: [Article]) async -> String? {
    guard let program = words.first, !articles.isEmpty else { return nil }
    let arguments = words.dropFirst().map { $0.replacing("{count}", with: "\(articles.count)") }
    guard let answer = try? OutputOptions.encoded(ArrivalAnswer(articles)) else { return nil }
    let outcome = await OutsideCommand(program, []).run(arguments, reading: answer + "\n")
    return outcome.words("on-new")
  }
}

/// New articles, in the words of a notification.
struct ArrivalWords: Hashable, Sendable {
  let text: String
  /// The same words may be said twice.
  private let number: Int

  init(_ articles: [Article], after last: ArrivalWords? = nil) {
    number = (last?.number ?? 0) + 1
    text =
      articles.count == 1
      ? articles.map { "\($0.feedTitle): \($0.shownTitle)" }.joined()
      : "\(articles.count) new articles"
  }
}

/// New articles, as a program reads them.
private struct ArrivalAnswer: Encodable {
  let count: Int
  /// At most so many: a program is told, not fed.
  let articles: [ArticleAnswer]

  private static let limit = 1_000

  init(_ articles: [Article]) {
    count = articles.count
    self.articles = articles.prefix(Self.limit).map { ArticleAnswer($0) }
  }
}
