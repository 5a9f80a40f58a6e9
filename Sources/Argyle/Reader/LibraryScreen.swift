import Loading
import TerminalUI

/// The feeds and the articles: side by side, or one of them where the screen is narrow.
struct LibraryScreen: View {
  let model: ReaderModel
  let days: DayText

  /// From this width on there is room for both.
  private static let widthForBoth = 66

  var body: some View {
    GeometryReader { size in
      let showsBoth = size.width >= Self.widthForBoth
      HStack(alignment: .top, spacing: 0) {
        if showsBoth || model.showsFeeds {
          FeedPane(model: model, isAlone: !showsBoth)
            .frame(width: showsBoth ? min(32, size.width / 3) : size.width)
          if showsBoth { Divider(.vertical).padding(.horizontal) }
        }
        if showsBoth || !model.showsFeeds {
          if model.search.isOpen {
            SearchPane(model: model, days: days)
          } else {
            ArticlePane(model: model, days: days, isAlone: !showsBoth)
          }
        }
      }
    }
    .onKeyPress("r", label: "reload") { model.reload() }
    .onKeyPress("/", label: "search", inFooter: false) { model.search.isOpen = true }
    .failedChanges(of: model.marks, in: model.toasts)
  }
}
