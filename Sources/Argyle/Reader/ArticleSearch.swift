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
    /// What may have been meant, where nothing was found.
    var correction: SearchCorrection?
  }

  var isOpen = false
  /// Whether the field gets the focus as soon as it is on the screen: for a search that was begun, and
  /// not when an article is closed that covered it.
  var wantsField = false
  var text = "" {
    didSet {
      guard text != oldValue else { return }
      wantsResults = false
      // Every keystroke cancels the search before it; the old results stay until there are others.
      results.load(
        corrected(find(text).map { [text] in Results(text: text, rows: $0) })
          .debounced(for: Self.rest), .restart)
    }
  }
  /// Whether the results get the focus as soon as they are loaded.
  var wantsResults = false
  let results: Resource<Results>
  var selected: Article.ID?
  @ObservationIgnored private let find: @Sendable (String) -> Loader<[SearchResult]>
  @ObservationIgnored private let correct: @Sendable (String) async throws -> SearchCorrection?

  /// The pause in typing after which the search starts.
  private static let rest = Duration.milliseconds(120)

  init(
    _ find: @escaping @Sendable (String) -> Loader<[SearchResult]>,
    correct: @escaping @Sendable (String) async throws -> SearchCorrection?, clock: AnyClock,
    scheduler: LoadScheduler
  ) {
    self.find = find
    self.correct = correct
    results = Resource(
      initialState: .loaded(Results()), name: "search", clock: clock, scheduler: scheduler)
  }

  /// Opens the search with nothing in it.
  func begin() {
    isOpen = true
    wantsField = true
    text = ""
    wantsResults = false
    results.set(.loaded(Results()))
    selected = nil
  }

  /// The same, with what may have been meant where nothing was found.
  private func corrected(_ found: Loader<Results>) -> Loader<Results> {
    Loader(of: found) { [correct] context, output in
      var results = try await found.run(context, output)
      if let text = results?.text, results?.rows.isEmpty == true {
        results?.correction = try await correct(text)
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

  var found: [SearchResult] { results.latestValue?.rows ?? [] }
}
