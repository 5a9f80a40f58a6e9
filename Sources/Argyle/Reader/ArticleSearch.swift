import Articles
import Loading
import Observation

/// What is looked for in the articles, and what was found.
@MainActor
@Observable
final class ArticleSearch {
  /// What was found, and for which text: each search is a list of its own, seen from its top.
  struct Results: Sendable {
    var text = ""
    var rows: [SearchResult] = []
  }

  var isOpen = false
  /// How often a search was begun: each time the field is to have the focus.
  private(set) var beginnings = 0
  var text = "" {
    didSet {
      guard text != oldValue else { return }
      wantsResults = false
      // Every keystroke cancels the search before it; the old results stay until there are others.
      results.load(
        find(text).map { [text] in Results(text: text, rows: $0) }.debounced(for: Self.rest),
        .restart)
    }
  }
  /// Whether the results are to get the focus as soon as they are there.
  var wantsResults = false
  let results: Resource<Results>
  // Not observed: the list draws its own selection.
  @ObservationIgnored var selected: Article.ID?
  @ObservationIgnored private let find: @Sendable (String) -> Loader<[SearchResult]>

  /// How long the typing rests before it is looked for.
  private static let rest = Duration.milliseconds(120)

  init(
    _ find: @escaping @Sendable (String) -> Loader<[SearchResult]>, clock: AnyClock,
    scheduler: LoadScheduler
  ) {
    self.find = find
    results = Resource(initialState: .loaded(Results()), clock: clock, scheduler: scheduler)
  }

  /// Opens the search with nothing in it.
  func begin() {
    isOpen = true
    beginnings += 1
    text = ""
    wantsResults = false
    results.set(.loaded(Results()))
    selected = nil
  }

  func goToResults() {
    wantsResults = true
    // It waits for the typing to rest: now it has.
    if results.activity?.phase == .debouncing { results.retry() }
  }

  var found: [SearchResult] { results.latestValue?.rows ?? [] }
}
