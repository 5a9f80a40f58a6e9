import Articles
import Loading
import TerminalUI

/// The program's screen: the lists, or the article that is being read, and the keys below.
struct RootScreen: View {
  let model: ReaderModel
  let days: DayText
  let measure: Int
  @State private var showsKeys = false
  @Environment(\.quit) private var quit

  var body: some View {
    VStack(alignment: .leading) {
      LibraryScreen(model: model, days: days)
        .navigationDestination(item: Binding(model, \.openArticle)) { article in
          ArticleScreen(model: model, article: article, days: days, measure: measure)
        }
      if let notice = model.notice.latestValue ?? nil {
        Text(notice).lineLimit(1).foregroundStyle(\.secondary)
      } else {
        KeyFooter()
      }
    }
    .task { await model.followChanges() }
    .onKeyPress("?", label: "keys") { showsKeys = true }
    .onKeyPress("q", label: "quit") { quit?() }
    .sheet(isPresented: $showsKeys, title: "Keys") { KeyList() }
  }
}
