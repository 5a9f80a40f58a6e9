import Articles
import Loading
import Observation
import TerminalUI

/// Finds words in the open article.
@MainActor
@Observable
final class ArticleFinder {
  /// Where a pattern was found.
  struct Found: Equatable, Sendable {
    var pattern: TextPattern?
    var matches: [TextMatch] = []
  }

  /// The article that is searched; nil while no search is open.
  private(set) var article: Article.ID?
  var typed = "" {
    didSet { if typed != oldValue { find() } }
  }
  let found: Resource<Found>
  /// The match that the user is at.
  private(set) var current: Int?
  /// Where the article was read when the search began.
  private var start = ScrollPosition(block: 0)
  @ObservationIgnored private var text: SearchableText?

  init(clock: AnyClock, scheduler: LoadScheduler) {
    found = Resource(
      initialState: .loaded(Found()), name: "find in article", clock: clock, scheduler: scheduler)
  }

  /// Opens the search with nothing in it, or goes back to its field.
  func open(in article: Article.ID, from position: ScrollPosition?) {
    start = position ?? ScrollPosition(block: 0)
    guard self.article != article else { return }
    self.article = article
    typed = ""
    found.set(.loaded(Found()))
    current = nil
  }

  func close() {
    (article, text) = (nil, nil)
    typed = ""
  }

  /// Searches what is shown from now on.
  func search(_ text: SearchableText) {
    self.text = text
    find()
  }

  // Every keystroke ends the search before it; its matches stay until there are others.
  private func find() {
    guard let text, let pattern = TextPattern(typed) else {
      return found.load(.constant(Found()), .restart)
    }
    found.load(
      Loader { _ in Found(pattern: pattern, matches: await text.found(pattern)) }, .restart)
  }

  /// Goes to the first match from where the reading was; nil where there is none.
  func begin() -> TextMatch? {
    let matches = matches
    current = matches.firstIndex { $0.block >= start.block } ?? matches.indices.first
    return current.map { matches[$0] }
  }

  /// Goes on to the next match or back to the one before; around the ends.
  func step(by step: Int) -> TextMatch? {
    let matches = matches
    guard !matches.isEmpty else { return nil }
    let next = current.map { ($0 + step % matches.count + matches.count) % matches.count } ?? 0
    current = next
    return matches[next]
  }

  var matches: [TextMatch] { found.latestValue?.matches ?? [] }

  /// What is marked in the text.
  var marked: RichText.Found? {
    guard article != nil, let found = found.latestValue, let pattern = found.pattern else {
      return nil
    }
    return RichText.Found(pattern, found.matches, current: current)
  }

  /// How many were found, and which of them the user is at.
  var words: String {
    guard let found = found.latestValue, found.pattern != nil else { return "" }
    guard !found.matches.isEmpty else { return "not found" }
    return current.map { "\($0 + 1) of \(found.matches.count)" } ?? "\(found.matches.count)"
  }
}

extension SearchableText {
  /// Off the main actor: an article may be long.
  @concurrent
  fileprivate func found(_ pattern: TextPattern) async -> [TextMatch] { matches(of: pattern) }
}

/// The line in which words are typed that are looked for in the open article.
struct FindBar: View {
  let finder: ArticleFinder
  let proxy: ScrollProxy
  @FocusState.Binding var isTyping: Bool
  /// Gives the text the focus.
  let read: @MainActor () -> Void

  var body: some View {
    HStack {
      Text("Find").paneTitle()
      TextField("words in this article", text: Binding(finder, \.typed))
        .focused($isTyping)
        .onSubmit(label: "done") { finish() }
        .onKeyPress(action: .down, label: "next match", inFooter: false) { go(1) }
        .onKeyPress(action: .up, label: "previous match", inFooter: false) { go(-1) }
      LoadingIndicator(finder.found)
      if !finder.words.isEmpty { Text(finder.words).foregroundStyle(\.secondary).lineLimit(1) }
    }
    .announced(finder.words)
    .onChange(of: finder.found.latestValue) {
      if let match = finder.begin() { proxy.scroll(to: match) }
    }
  }

  private func go(_ step: Int) {
    if let match = finder.step(by: step) { proxy.scroll(to: match) }
  }

  // Nothing to look for is the end of the search.
  private func finish() {
    if finder.found.latestValue?.pattern == nil { finder.close() }
    read()
  }
}
