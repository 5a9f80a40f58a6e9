import Articles
import Loading
import Observation

/// The search through all articles: its query and its results.
@MainActor
@Observable
final class ArticleSearch {
  /// The results of a query.
  struct Results: Sendable {
    var text = ""
    var rows: [SearchResult] = []
    /// How many of the rows match: all, except for one that was kept.
    var matching = 0
    /// Whether these are all of the matching articles.
    var isWhole = true
    /// The number of matching articles, if it is known and not all of them are listed.
    var total: Int?
    /// A suggested correction of the query, if nothing was found.
    var correction: SearchCorrection?
    /// What could not be found because the search index lacks it.
    var gap: UserMessage?
  }

  var isOpen = false
  var text = "" {
    didSet {
      guard text != oldValue else { return }
      wantsResults = false
      limit = Self.firstLimit
      // Every keystroke cancels the previous search, whose results remain visible until there are
      // new ones.
      results.load(
        best(of: text).debounced(for: Self.rest), .restart)
    }
  }
  /// Whether the results get the focus as soon as they are loaded.
  var wantsResults = false
  let results: Resource<Results>
  var selected: Article.ID? {
    didSet { loadMore() }
  }
  /// Where the selected article was found last.
  @ObservationIgnored var selectedIndex = 0
  /// How many results are listed at most.
  @ObservationIgnored private var limit = ArticleSearch.firstLimit
  @ObservationIgnored private let source: SearchSource

  /// The pause in typing after which the search starts.
  private static let rest = Duration.milliseconds(120)
  /// The number of results that are listed at first, and the factor by which it grows when the
  /// selection comes near the end.
  nonisolated static let (firstLimit, growth) = (100, 5)
  /// How many rows before the end the selection loads more results.
  private static let margin = 20

  init(_ source: SearchSource, clock: AnyClock, scheduler: LoadScheduler) {
    self.source = source
    results = Resource(
      initialState: .loaded(Results()), name: "search", clock: clock, scheduler: scheduler)
  }

  /// Opens an empty search.
  func begin() {
    isOpen = true
    text = ""
    wantsResults = false
    results.set(.loaded(Results()))
    selected = nil
    selectedIndex = 0
  }

  /// Searches again for the typed query, because articles may have come or changed.
  func readAgain() {
    // Another query than the one that was answered is being searched for already.
    guard isOpen, !text.isEmpty, let shown = results.latestValue, shown.text == text else { return }
    searchAgain(after: shown, .keepLatest)
  }

  /// Searches again for the query that was answered.
  ///
  /// The selected article stays also if it was read and the query is for unread ones: otherwise the
  /// next key would go on from another one.
  private func searchAgain(after shown: Results, _ policy: LoadPolicy) {
    let index = shown.rows.firstIndex { $0.id == selected }
    results.load(
      best(of: text, total: shown.total, keeping: index.map { ($0, shown.rows[$0]) }),
      policy, cause: .refresh)
  }

  /// Returns the best results of a query, with a correction if nothing was found, and with the
  /// number of matches if not all of them are listed.
  ///
  /// - Parameters:
  ///   - total: the number of matches as it is known, until they have been counted.
  ///   - kept: a row that stays where it is.
  private func best(
    of text: String, total: Int? = nil, keeping kept: (index: Int, row: SearchResult)? = nil
  ) -> Loader<Results> {
    let limit = limit
    let found = source.find(text, limit).map { found in
      var rows = found
      if let kept, !rows.contains(where: { $0.id == kept.row.id }) {
        rows.insert(kept.row, at: min(kept.index, rows.count))
      }
      let isWhole = found.count < limit
      return Results(
        text: text, rows: rows, matching: found.count, isWhole: isWhole,
        total: isWhole ? nil : total)
    }
    return Loader(of: found) { [source] context, output in
      guard var results = try await found.run(context, output) else { return nil }
      results.gap = try await source.gap(text)
      if results.rows.isEmpty {
        results.correction = try await source.correct(text)
      } else if !results.isWhole {
        output.yield(results)
        results.total = try await source.count(text)
      }
      return results
    }
  }

  /// Lists more results when the selection comes near to the end of those that are listed.
  private func loadMore() {
    guard let shown = results.latestValue, shown.text == text, !shown.isWhole,
      shown.total != shown.matching,
      shown.rows.suffix(Self.margin).contains(where: { $0.id == selected })
    else { return }
    // Otherwise, more results are being loaded already.
    guard !results.isLoading || limit <= shown.rows.count else { return }
    limit = shown.rows.count * Self.growth
    // The matches may still be being counted, which takes a while in a large store.
    searchAgain(after: shown, .restart)
  }

  /// The suggested correction of the typed query, if nothing was found.
  var correction: SearchCorrection? {
    guard let results = results.latestValue, results.text == text else { return nil }
    return results.correction
  }

  /// What the typed query could not find because the search index lacks it; nil if it has everything.
  var gapInIndex: UserMessage? {
    guard let results = results.latestValue, results.text == text else { return nil }
    return results.gap
  }

  /// What is wrong with the typed query, which may only be unfinished; nil if nothing is.
  var problem: String? {
    text.isEmpty ? nil : QueryError(in: text).map { "\($0.what) \($0.advice)" }
  }

  /// Moves the focus to the results; if nothing was found, searches for the correction.
  func goToResults() {
    if let correction {
      text = correction.query
    }
    wantsResults = true
    // Ends the pause of the debounced search, since the user has finished typing.
    if results.activity?.phase == .debouncing { results.retry() }
  }

  /// Whether the results of the typed query are known, even if there are none.
  var isAnswered: Bool {
    !results.isLoading || !found.isEmpty && results.latestValue?.text == text
  }

  /// The number of matches in words; empty before the first search.
  var countWords: String {
    guard let results = results.latestValue, !results.rows.isEmpty else { return "" }
    let count = results.matching
    guard !results.isWhole else { return "\(count) found" }
    return results.total.map { "\(count) of \($0)" } ?? "the first \(count)"
  }

  var found: [SearchResult] { results.latestValue?.rows ?? [] }

  /// The open search as a list, if it has more results than are listed.
  var partlyListed: ReaderList? {
    guard isOpen, let results = results.latestValue, !results.isWhole,
      results.total != results.matching
    else { return nil }
    return .search(SavedSearch(name: results.text, text: results.text))
  }
}
