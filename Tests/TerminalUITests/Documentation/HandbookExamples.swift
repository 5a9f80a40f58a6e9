import Loading
import TerminalUI
import Testing

// Every Swift example of the handbook, word for word, so that all of them are compiled.
// `DocumentationTests` compares them.

private struct Article: Sendable {
  static let sample = Article()
  var title = ""
}

private struct Row {
  let title: String
}

private struct Sock {
  var sogginess = 0
}

private struct Change {
  let apply: (inout Sock) -> Void
}

private struct Index: Sendable {
  func articles(matching words: String) async throws -> [Article] { [] }
}

private struct ArticleText: View {
  let article: Article

  init(_ article: Article) { self.article = article }

  var body: some View { Text(article.title) }
}

private struct ThreeProperties {
  var article: Article?
  var error: (any Error)?
  var isLoading = false
}

private enum OneValue {
  enum LoadingState<Value> {
    case idle
    case loading(LoadingProgress?)
    case failed(any Error)
    case loaded(Value)
  }
}

private struct ArticlePane: View {
  let article: Resource<Article>

  var body: some View {
    AsyncContentView(article) { article in
      ArticleText(article)
    }
  }
}

@MainActor
private func placeholder() -> some View {
  typealias ArticleRow = ArticleText
  return
    ArticleRow(.sample)
    .redacted(reason: .placeholder)
}

private func progress(done: Int, feeds: [String]) -> LoadingProgress {
  LoadingProgress(
    message: "\(done) of \(feeds.count) feeds",
    fraction: Double(done) / Double(feeds.count))
}

private func titles(in rows: [Row]) throws -> [String] {
  var titles: [String] = []
  for (index, row) in rows.enumerated() {
    if index.isMultiple(of: 1024) {
      try Task.checkCancellation()
    }
    titles.append(row.title)
  }
  return titles
}

private func isShown(
  began: Duration, ended: Duration?, now: Duration
) -> Bool {
  let appears = began + .milliseconds(200)
  let earliestEnd = appears + .milliseconds(400)
  guard now >= appears else { return false }
  guard let ended else { return true }
  return ended > appears && now < max(ended, earliestEnd)
}

private func pause(
  after failures: Int, base: Duration, cap: Duration,
  using generator: inout some RandomNumberGenerator
) -> Duration {
  let doublings = min(max(failures - 1, 0), 16)
  let ceiling = min(cap, base * (1 << doublings))
  return ceiling * Double.random(in: 0...1, using: &generator)
}

private func patientLoader(_ article: Loader<Article>) -> Loader<Article> {
  let patient =
    article
    .timeout(.seconds(5))  // each attempt
    .retrying(limit: 4)
    .timeout(.seconds(20))  // all of them together
  return patient
}

private func shownSock(_ base: Sock, _ pending: [Change]) -> Sock {
  let shown = pending.reduce(into: base) { sock, change in
    change.apply(&sock)
  }
  return shown
}

@MainActor
private final class Search {
  private(set) var results: [Article] = []
  private var newest = 0

  func find(_ words: String, in index: Index) async throws {
    newest += 1
    let ticket = newest
    let answer = try await index.articles(matching: words)
    guard ticket == newest else { return }
    results = answer
  }
}

private enum FetchError: Error {
  case unknownHost(String)
  case refused(host: String)
  case noAnswer(host: String, after: Duration)
  case status(Int, host: String)
  case tooLarge(limit: Int)
  case notAFeed(contentType: String)
}

private func reminder(
  after pause: Duration, clock: some Clock<Duration>
) async throws -> String {
  try await clock.sleep(for: pause)
  return "Your socks are dry."
}

/// Collects the numbers in the lines of an example.
@resultBuilder
private enum Numbers {
  static func buildBlock(_ numbers: Int...) -> [Int] { numbers }
}

@Numbers
private func lengths() -> [Int] {
  let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
  family.utf8.count  // 18 bytes
  family.unicodeScalars.count  // 5: three people, two joiners
  family.count  // 1: what a reader sees
}

/// Runs the examples of the handbook that state a result.
@Suite struct HandbookExampleTests {
  @Test func `an indicator waits, then stays`() {
    func shown(at now: Int) -> Bool {
      isShown(
        began: .zero, ended: .milliseconds(210),
        now: .milliseconds(now))
    }
    #expect(!shown(at: 199))
    #expect(shown(at: 200))
    #expect(shown(at: 599))
    #expect(!shown(at: 600))
  }

  @Test func `a text has several lengths`() {
    #expect(lengths() == [18, 5, 1])
  }
}
