import Loading
import TerminalUI

/// The feeds and the articles: side by side, or one of them where the screen is narrow.
struct LibraryScreen: View {
  let model: ReaderModel
  let days: DayText
  @Environment(\.isPlain) private var isPlain

  /// From this width on there is room for both.
  private static let widthForBoth = 66

  var body: some View {
    GeometryReader { size in
      // A line is read out as a whole: of one pane, then.
      let showsBoth = !isPlain && size.width >= Self.widthForBoth
      HStack(alignment: .top, spacing: 0) {
        FeedPane(model: model, days: days, isAlone: !showsBoth)
          .frame(width: showsBoth ? min(32, size.width / 3) : size.width)
          .collapsed(!showsBoth && !model.showsFeeds)
        if showsBoth { Divider(.vertical).padding(.horizontal) }
        Group {
          if model.search.isOpen {
            SearchPane(model: model, days: days)
          } else {
            ArticlePane(model: model, days: days, isAlone: !showsBoth)
          }
        }
        .collapsed(!showsBoth && model.showsFeeds)
      }
    }
    .onKeyPress(action: .reload) { model.reload() }
    .onKeyPress(action: .search, inFooter: false) { model.openSearch() }
    .onKeyPress(action: .cancelAllFetches, inFooter: false, when: !model.fetching.isEmpty) {
      model.cancelFetches(of: .all)
    }
    .onKeyPress(action: .addFeed, inFooter: model.hasNoFeeds) { model.addFeed() }
    .onKeyPress(action: .undo, inFooter: false) { model.undo() }
    .sheet(isPresented: isEditing, title: model.feedEditor.title) { FeedSheet(model: model) }
    .failedChanges(of: model.marks, in: model.toasts)
  }
  private var isEditing: Binding<Bool> {
    Binding(
      get: { model.feedEditor.sheet != nil },
      modify: { change in
        var isEditing = model.feedEditor.sheet != nil
        change(&isEditing)
        if !isEditing { model.feedEditor.close() }
      })
  }
}
