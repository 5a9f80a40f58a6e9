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
        find(text).map { [text] in Results(text: text, rows: $0) }.debounced(for: Self.rest),
        .restart)
    }
  }
  /// Whether the results get the focus as soon as they are loaded.
  var wantsResults = false
  let results: Resource<Results>
  var selected: Article.ID?
  @ObservationIgnored private let find: @Sendable (String) -> Loader<[SearchResult]>

  /// The pause in typing after which the search starts.
  private static let rest = Duration.milliseconds(120)

  init(
    _ find: @escaping @Sendable (String) -> Loader<[SearchResult]>, clock: AnyClock,
    scheduler: LoadScheduler
  ) {
    self.find = find
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

  func goToResults() {
    wantsResults = true
    // It waits for the typing to rest: now it has.
    if results.activity?.phase == .debouncing { results.retry() }
  }

  var found: [SearchResult] { results.latestValue?.rows ?? [] }
}
