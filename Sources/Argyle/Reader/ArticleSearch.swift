import Articles
import Loading
import Observation

/// What is looked for in the articles, and what was found.
@MainActor
@Observable
final class ArticleSearch {
  var isOpen = false
  var text = "" {
    didSet {
      guard text != oldValue else { return }
      // Every keystroke cancels the search before it; the old results stay until there are others.
      results.load(find(text).debounced(for: Self.rest), .restart)
    }
  }
  let results: Resource<[SearchResult]>
  @ObservationIgnored private let find: @Sendable (String) -> Loader<[SearchResult]>

  /// How long the typing rests before it is looked for.
  private static let rest = Duration.milliseconds(120)

  init(
    _ find: @escaping @Sendable (String) -> Loader<[SearchResult]>, clock: AnyClock,
    scheduler: LoadScheduler
  ) {
    self.find = find
    results = Resource(initialState: .loaded([]), clock: clock, scheduler: scheduler)
  }
}
