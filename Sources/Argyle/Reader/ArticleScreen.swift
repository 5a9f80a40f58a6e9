import Articles
import Loading
import TerminalUI

/// An article, to be read.
struct ArticleScreen: View {
  let model: ReaderModel
  let article: Article
  let days: DayText
  let measure: Int
  @Environment(\.theme) private var theme

  var body: some View {
    VStack {
      VStack(alignment: .leading) {
        Text(article.title.isEmpty ? "Untitled" : article.title).bold().foregroundStyle(\.accent)
          .lineLimit(2)
        Text(source).foregroundStyle(\.secondary).lineLimit(1)
        AsyncContentView(model.document(of: article), id: article.id) { content in
          ScrollView {
            RichText(id: content.article.id) {
              DocumentBlocks(theme: theme).blocks(of: content.document)
            }
          }
        }
        .placeholder(.sample(of: article))
        .padding(.top)
      }
      .frame(maxWidth: measure)
      .padding(.horizontal)
    }
    .frame(maxWidth: .infinity)
    .onKeyPress("o", label: "open in browser") { model.openInBrowser(article) }
  }

  private var source: String {
    var parts = [article.feedTitle]
    if let author = article.author, author != article.feedTitle { parts.append(author) }
    if let date = article.published { parts.append(days.full(date)) }
    if let minutes = article.readingMinutes { parts.append("\(minutes) min") }
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
