import Articles
import Loading
import Observation
import TerminalUI

/// Finds words in the open article.
@MainActor
@Observable
final class ArticleFinder {
  /// A pattern and its matches.
  struct Found: Equatable, Sendable {
    var pattern: TextPattern?
    var matches: [TextMatch] = []
    /// Whether the title has the words, too, which stands above the text.
    var isInTitle = false
  }

  /// The article that is searched; nil while no search is open.
  private(set) var article: Article.ID?
  var typed = "" {
    didSet { if typed != oldValue { find() } }
  }
  let found: Resource<Found>
  /// The index of the current match.
  private(set) var current: Int?
  private var title = ""
  /// Where the user was reading when the search began.
  private var start = ScrollPosition(block: 0)
  @ObservationIgnored private var text: SearchableText?

  init(clock: AnyClock, scheduler: LoadScheduler) {
    found = Resource(
      initialState: .loaded(Found()), name: "find in article", clock: clock, scheduler: scheduler)
  }

  /// Opens an empty search, or returns to the field of the open one.
  func open(in article: Article, from position: ScrollPosition?) {
    start = position ?? ScrollPosition(block: 0)
    guard self.article != article.id else { return }
    self.article = article.id
    title = article.title
    typed = ""
    found.set(.loaded(Found()))
    current = nil
  }

  func close() {
    (article, text) = (nil, nil)
    typed = ""
  }

  /// Closes a search for nothing; the matches of any other may still be on their way.
  func closeIfEmpty() {
    if TextPattern(typed) == nil { close() }
  }

  /// Searches this text from now on.
  func search(_ text: SearchableText) {
    self.text = text
    find()
  }

  // Every keystroke cancels the previous search, whose matches remain visible until there are new
  // ones.
  private func find() {
    guard let text, let pattern = TextPattern(typed) else {
      return found.load(.constant(Found()), .restart)
    }
    found.load(
      Loader { [title] _ in
        Found(
          pattern: pattern, matches: await text.found(pattern),
          isInTitle: !pattern.matches(in: StyledText(title)).isEmpty)
      }, .restart)
  }

  /// Goes to the first match at or after the place where the user was reading, or else to the first
  /// one of all; returns nil if there are none.
  func begin() -> TextMatch? {
    let matches = matches
    current = matches.firstIndex { $0.block >= start.block } ?? matches.indices.first
    return current.map { matches[$0] }
  }

  /// Goes to the next or previous match, wrapping around at the ends.
  func step(by step: Int) -> TextMatch? {
    let matches = matches
    guard !matches.isEmpty else { return nil }
    let next = current.map { ($0 + step % matches.count + matches.count) % matches.count } ?? 0
    current = next
    return matches[next]
  }

  var matches: [TextMatch] { found.latestValue?.matches ?? [] }

  /// The matches that are highlighted in the text.
  var marked: RichText.Found? {
    guard article != nil, let found = found.latestValue, let pattern = found.pattern else {
      return nil
    }
    return RichText.Found(pattern, found.matches, current: current)
  }

  /// The number of matches, and which of them is the current one; and whether the title has one.
  var words: String {
    guard let found = found.latestValue, found.pattern != nil else { return "" }
    guard !found.matches.isEmpty else { return found.isInTitle ? "in the title" : "not found" }
    let count = "\(found.matches.count)"
    return (current.map { "\($0 + 1) of " } ?? "") + count + (found.isInTitle ? " + title" : "")
  }
}

extension SearchableText {
  /// Searches off the main actor, since an article may be long.
  @concurrent
  fileprivate func found(_ pattern: TextPattern) async -> [TextMatch] { matches(of: pattern) }
}

/// The search field below the open article.
struct FindBar: View {
  let finder: ArticleFinder
  let proxy: ScrollProxy
  @FocusState.Binding var isTyping: Bool
  /// Moves the focus to the text.
  let read: @MainActor () -> Void

  var body: some View {
    HStack {
      Text("Find").paneTitle()
      TextField("words in this article", text: Binding(finder, \.typed))
        .focused($isTyping)
        .onSubmit(label: "done") { finish() }
        .onKeyPress(action: .down, label: "next match", footer: .ifRoom) { go(1) }
        .onKeyPress(action: .up, label: "previous match", footer: .ifRoom) { go(-1) }
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

  private func finish() {
    finder.closeIfEmpty()
    read()
  }
}
