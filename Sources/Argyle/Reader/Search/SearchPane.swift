import Articles
import Loading
import TerminalUI

/// A search through all articles, shown instead of their list.
struct SearchPane: View {
  let model: ReaderModel
  let days: DayText
  @FocusState.Binding var focus: Part?
  @FocusState.Binding var paneFocus: LibraryScreen.Pane?
  @Environment(\.terminal) private var terminal

  enum Part { case field, results }

  private static let widthForCount = 40

  var body: some View {
    let search = model.search
    GeometryReader { size in
      VStack(alignment: .leading) {
        HStack {
          Text("Search").paneTitle()
          TextField("all articles", text: Binding(search, \.text))
            .focused($focus, equals: .field)
            .onSubmit(label: search.correction == nil ? "results" : "search for it") {
              // Until then, the query may only be unfinished.
              if let problem = search.problem { model.say(problem) }
              goToResults()
            }
            .onKeyPress(action: .down, label: "results", footer: .ifRoom) { goToResults() }
          Text(search.countWords).foregroundStyle(\.secondary).lineLimit(1).layoutPriority(1)
            .collapsed(size.width < Self.widthForCount)
          LoadingIndicator(search.results)
        }
        AsyncContentView(search.results) { results in
          let changes = model.changesOfArticles
          // Each search has a list of its own, so that it begins at its top.
          ForEach([results.text], id: { $0 }) { _ in
            List(
              results.rows, selection: Binding(model, \.selectedArticle),
              onSubmit: { model.open($0.article) }
            ) { result in
              SearchRow(
                result: result, article: changes.current(result.article), days: days,
                width: size.width)
            }
          }
          if let gap = results.gap { Text(gap.what).foregroundStyle(\.secondary).lineLimit(2) }
        }
        .empty(when: \.rows.isEmpty) {
          Group {
            if search.text.isEmpty {
              QueryHelp()
            } else if let correction = search.correction {
              CorrectionView(correction: correction)
            } else if let gap = search.gapInIndex {
              GapView(gap: gap)
            } else {
              Text(search.problem ?? "Nothing was found.").foregroundStyle(\.secondary)
            }
          }
          .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
        .loadingViewStyle(afterValue: .hidden)
        .articleListKeys(model, when: !search.found.isEmpty, terminal)
        .onKeyPress(action: .left, label: "feeds", footer: .ifRoom) {
          model.show(.feeds, $paneFocus)
        }
        .focused($focus, equals: .results)
      }
    }
    .onChange(of: search.results.latestValue?.text) { search.selected = search.found.first?.id }
    .onChange(of: search.wantsResults && search.isAnswered, initial: true) { focusWantedResults() }
    .onKeyPress(action: .saveSearch, when: !search.text.isEmpty) { model.saveSearch() }
    .onKeyPress(action: .back, label: "close the search") { search.isOpen = false }
    .onKeyPress(action: .leaveArticle, label: "close the search", footer: .ifRoom) {
      search.isOpen = false
    }
    .focusSection("Search")
  }

  private func goToResults() {
    model.search.goToResults()
    // At once if they are there: the next key may have been typed already.
    focusWantedResults()
  }

  private func focusWantedResults() {
    let search = model.search
    guard search.wantsResults, search.isAnswered else { return }
    search.wantsResults = false
    if !search.found.isEmpty { focus = .results }
  }
}

/// A suggested correction of a word that no article contains.
private struct CorrectionView: View {
  let correction: SearchCorrection

  var body: some View {
    Text(correction.words) + Text(" Enter searches for it.").foregroundStyle(\.secondary)
  }
}

/// Why nothing was found: the search index lacks it.
private struct GapView: View {
  let gap: UserMessage

  var body: some View {
    VStack(alignment: .leading) {
      Text("Nothing was found. \(gap.what)")
      Text(gap.advice).foregroundStyle(\.secondary)
    }
  }
}

extension SearchCorrection {
  /// The message if nothing was found.
  var words: String {
    "No article has “\(typed)”; \(count) \(count == 1 ? "has" : "have") “\(word)”."
  }
}

/// Examples of queries.
private struct QueryHelp: View {
  private static let lines = [
    ("words", "swift actors"),
    ("together", "\"loading state\""),
    ("in a part", "title:swift author:ann text:wool"),
    ("of feeds", "feed:news folder:Tech tag:daily"),
    ("marked", "unread starred is:read muted"),
    ("by time", "age<7d date:today minutes<5"),
    ("combined", "unread and (swift or not title:c)"),
  ]

  var body: some View {
    VStack(alignment: .leading) {
      ForEach(Self.lines, id: \.0) { name, example in
        HStack {
          Text(name).foregroundStyle(\.secondary).frame(width: 10, alignment: .leading)
          Text(example).lineLimit(1)
        }
      }
    }
  }
}

/// A row of the search results: the title, the feed and the text around the matches.
private struct SearchRow: View {
  let result: SearchResult
  let article: Article
  let days: DayText
  /// The width of the row, in columns.
  let width: Int
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    HStack {
      // In two parts, so that a whole title does not end with the sign that the text was cut.
      HStack(spacing: 2) {
        (result.title.parts.isEmpty ? Text(article.shownTitle) : text(result.title)).lineLimit(1)
          .layoutPriority(1)
        text(result.snippet).foregroundStyle(\.secondary).lineLimit(1).besideTitle()
      }
      Spacer()
      article.details(days: days, width: width, showsFeed: true, isPlain: isPlain)
    }
  }

  private func text(_ excerpt: SearchResult.Excerpt) -> Text {
    excerpt.parts.reduce(Text("")) { $0 + ($1.isMatch ? Text($1.text).bold() : Text($1.text)) }
  }
}
