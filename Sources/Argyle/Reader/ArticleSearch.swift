import Articles
import Loading
import Observation

/// The search in all articles: its text and its results.
@MainActor
@Observable
final class ArticleSearch {
  /// The results and their text; each search is a list of its own, shown from its top.
  struct Results: Sendable {
    var text = ""
    var rows: [SearchResult] = []
    /// How many articles there are, where that is known and they are not all listed.
    var total: Int?
    /// What may have been meant, where nothing was found.
    var correction: SearchCorrection?
  }

  var isOpen = false
  var text = "" {
    didSet {
      guard text != oldValue else { return }
      wantsResults = false
      // Every keystroke cancels the search before it; the old results stay until there are others.
      results.load(
        completed(find(text).map { [text] in Results(text: text, rows: $0) })
          .debounced(for: Self.rest), .restart)
    }
  }
  /// Whether the results get the focus as soon as they are loaded.
  var wantsResults = false
  let results: Resource<Results>
  var selected: Article.ID?
  @ObservationIgnored private let find: @Sendable (String) -> Loader<[SearchResult]>
  @ObservationIgnored private let count: @Sendable (String) async throws -> Int?
  @ObservationIgnored private let correct: @Sendable (String) async throws -> SearchCorrection?

  /// The pause in typing after which the search starts.
  private static let rest = Duration.milliseconds(120)
  /// How many results are listed.
  nonisolated static let limit = 100

  init(
    _ find: @escaping @Sendable (String) -> Loader<[SearchResult]>,
    count: @escaping @Sendable (String) async throws -> Int?,
    correct: @escaping @Sendable (String) async throws -> SearchCorrection?, clock: AnyClock,
    scheduler: LoadScheduler
  ) {
    self.find = find
    self.count = count
    self.correct = correct
    results = Resource(
      initialState: .loaded(Results()), name: "search", clock: clock, scheduler: scheduler)
  }

  /// Opens the search with nothing in it.
  func begin() {
    isOpen = true
    text = ""
    wantsResults = false
    results.set(.loaded(Results()))
    selected = nil
  }

  /// The same, with what may have been meant where nothing was found, and how many there are where
  /// they are too many to be listed.
  private func completed(_ found: Loader<Results>) -> Loader<Results> {
    Loader(of: found) { [correct, count] context, output in
      guard var results = try await found.run(context, output) else { return nil }
      if results.rows.isEmpty {
        results.correction = try await correct(results.text)
      } else if results.rows.count >= Self.limit {
        output.yield(results)
        results.total = try await count(results.text)
      }
      return results
    }
  }

  /// What may have been meant by what is typed, where nothing was found of that.
  var correction: SearchCorrection? {
    guard let results = results.latestValue, results.text == text else { return nil }
    return results.correction
  }

  /// Goes to the results; where nothing was found, searches for what may have been meant.
  func goToResults() {
    if let correction {
      text = correction.query
    }
    wantsResults = true
    // It waits for the typing to rest: now it has.
    if results.activity?.phase == .debouncing { results.retry() }
  }

  /// Whether there are results of what is typed, or it is known that there are none.
  var isAnswered: Bool {
    !results.isLoading || !found.isEmpty && results.latestValue?.text == text
  }

  /// How many articles were found, in words; empty before somebody has looked for something.
  var countWords: String {
    guard let results = results.latestValue, !results.rows.isEmpty else { return "" }
    let count = results.rows.count
    guard count >= Self.limit else { return "\(count) found" }
    return results.total.map { "\(count) of \($0)" } ?? "the first \(count)"
  }

  var found: [SearchResult] { results.latestValue?.rows ?? [] }
}
