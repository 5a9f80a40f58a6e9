import Articles
import Loading
import TerminalUI

/// A search in all articles, in the place of their list.
struct SearchPane: View {
  let model: ReaderModel
  let days: DayText
  @FocusState private var isTyping: Bool

  var body: some View {
    let search = model.search
    VStack(alignment: .leading) {
      HStack {
        Text("Search").bold().foregroundStyle(\.accent)
        TextField("all articles", text: Binding(search, \.text)).focused($isTyping)
        LoadingIndicator(search.results)
      }
      AsyncContentView(search.results) { results in
        List(results, onSubmit: { model.open($0.article) }) { SearchRow(result: $0, days: days) }
      }
      .empty(when: \.isEmpty) {
        Text(
          search.text.isEmpty
            ? "Words, in any order; \"those in quotes\" together." : "Nothing was found."
        )
        .foregroundStyle(\.secondary)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
      }
      .loadingViewStyle(afterValue: LoadingViewStyle.none)
    }
    // Also when it was opened from the feeds, which keep the focus: what is typed are no keys of theirs.
    .onAppear { isTyping = true }
    .onKeyPress(action: .saveSearch, when: !search.text.isEmpty) { model.saveSearch() }
    .onKeyPress(action: .back, label: "close the search") { search.isOpen = false }
    .focusSection("Search")
  }
}

/// A line of what was found: the title, and the place in the text.
private struct SearchRow: View {
  let result: SearchResult
  let days: DayText

  var body: some View {
    HStack {
      (text(result.title) + Text("  ") + text(result.snippet).foregroundStyle(\.secondary))
        .lineLimit(1)
      Spacer()
      if let date = result.article.published {
        Text(days(date)).foregroundStyle(\.secondary).lineLimit(1)
      }
    }
  }

  private func text(_ excerpt: SearchResult.Excerpt) -> Text {
    excerpt.parts.reduce(Text("")) { $0 + ($1.isMatch ? Text($1.text).bold() : Text($1.text)) }
  }
}
