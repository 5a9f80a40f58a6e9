import Articles
import TerminalUI

/// The lists and the article that is being read: side by side where there is room, else one of them.
struct ReaderScreen: View {
  let model: ReaderModel
  let days: DayText
  @Environment(\.isPlain) private var isPlain

  /// From this width on an article stands beside the lists.
  private static let widthForAll = 120
  private static let listWidths = 66...96

  var body: some View {
    GeometryReader { size in
      let showsAll = !isPlain && size.width >= Self.widthForAll
      HStack(alignment: .top, spacing: 0) {
        LibraryScreen(model: model, days: days)
          .frame(width: showsAll ? listWidth(of: size.width) : size.width)
        if showsAll {
          Divider(.vertical).padding(.horizontal)
          ReadingPane(model: model, days: days)
        }
      }
      .navigationDestination(item: destination(isShown: !showsAll)) { article in
        ArticleScreen(model: model, article: article, days: days)
      }
    }
    .onChange(of: model.next.latestValue) { model.take($1) }
    .onChange(of: model.marks.latestValue?.undone) { model.tell($1) }
    .onChange(of: model.marks.latestValue?.feedChange) { model.tell($1) }
    .onChange(of: model.feedEditor.addition.latestValue) { model.take($1) }
    .onChange(of: model.arrivedList) { model.show($1) }
  }

  private func listWidth(of width: Int) -> Int {
    min(max(width * 9 / 20, Self.listWidths.lowerBound), Self.listWidths.upperBound)
  }

  private func destination(isShown: Bool) -> Binding<Article?> {
    Binding(
      get: { isShown ? model.openArticle : nil },
      modify: { change in
        var article = model.openArticle
        change(&article)
        if article == nil { model.close() }
      })
  }
}

/// The article beside the lists, or how to get one there.
private struct ReadingPane: View {
  let model: ReaderModel
  let days: DayText
  @FocusState private var isReading: Bool

  var body: some View {
    Group {
      if let article = model.openArticle {
        // Each has a place of its own: the next one begins at its top.
        ForEach([article]) { article in
          ArticleScreen(model: model, article: article, days: days)
        }
        .onKeyPress(action: .back, label: "lists") { isReading = false }
      } else {
        (Text("Enter").bold().foregroundStyle(\.accent) + Text(" opens an article here."))
          .foregroundStyle(\.secondary)
          .frame(maxWidth: .infinity, maxHeight: .infinity)
      }
    }
    .focusSection().focused($isReading)
    // Not before: a text that is still on its way cannot have the focus.
    .onChange(of: model.readable) { _, id in
      if id != nil { isReading = true }
    }
  }
}
