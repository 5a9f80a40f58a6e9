import Articles
import Loading
import TerminalUI

/// The program's screen: the lists, or the article that is being read.
struct RootScreen: View {
  let model: ReaderModel
  let days: DayText
  let measure: Int

  var body: some View {
    ProgramFrame(notice: model.notice.latestValue ?? nil) {
      LibraryScreen(model: model, days: days)
        .navigationDestination(item: Binding(model, \.openArticle)) { article in
          ArticleScreen(model: model, article: article, days: days, measure: measure)
        }
    }
    .task { await model.followChanges() }
  }
}
