import Articles
import TerminalUI

/// The lists, or the article that is being read.
struct ReaderScreen: View {
  let model: ReaderModel
  let days: DayText
  let measure: Int

  var body: some View {
    LibraryScreen(model: model, days: days)
      .navigationDestination(item: Binding(model, \.openArticle)) { article in
        ArticleScreen(model: model, article: article, days: days, measure: measure)
      }
  }
}
