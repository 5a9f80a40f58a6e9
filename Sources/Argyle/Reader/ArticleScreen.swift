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

  /// Below this many rows every one of them is for the text.
  private static let heightForMargins = 10

  var body: some View {
    GeometryReader { size in
      let isLow = size.height < Self.heightForMargins
      VStack(alignment: .leading) {
        Text(article.title.isEmpty ? "Untitled" : article.title).bold().foregroundStyle(\.accent)
          .lineLimit(isLow ? 1 : 2)
        if !isLow { Text(source).foregroundStyle(\.secondary).lineLimit(1) }
        AsyncContentView(model.document(of: article)) { content in
          ScrollView {
            RichText(id: content.article.id) {
              DocumentBlocks(theme: theme).blocks(of: content.document)
            }
          }
        }
        .placeholder(.sample(of: article))
        .padding(.top, isLow ? 0 : 1)
      }
      .frame(maxWidth: measure)
      .padding(.horizontal, isLow ? 0 : 1)
      .frame(maxWidth: .infinity)
    }
    .onKeyPress("o", label: "open in browser") { model.openInBrowser(article) }
    .articleKeys(model) { article }
  }

  private var source: String {
    var parts = [article.feedTitle]
    if let author = article.author, author != article.feedTitle { parts.append(author) }
    if let date = article.published { parts.append(days.full(date)) }
    if let minutes = article.readingMinutes { parts.append("\(minutes) min") }
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
