import Articles
import Loading
import TerminalUI

/// The beginning of the selected article, loaded before it is opened.
struct ArticleBeginning: Sendable {
  let article: Article
  let text: String

  /// About as many characters as fit into the preview.
  private static let length = 600

  init(_ content: ArticleDocument) {
    article = content.article
    text = content.document.beginning(Self.length)
  }
}

extension ReaderModel {
  /// How long the selection has to rest before the preview is loaded: nothing is loaded while a key
  /// is held down.
  private static let previewRest = Duration.milliseconds(150)

  /// Loads the preview of the selected article.
  func loadPreview() {
    guard let row = selectedRow else { return preview.set(.loaded(nil)) }
    preview.load(
      source.document(row.id).map { ArticleBeginning($0) }.debounced(for: Self.previewRest),
      .restart, cause: .inputChanged)
  }
}

/// The preview of the selected article below the list: its whole title, its source and its first
/// lines.
struct ArticlePreview: View {
  let model: ReaderModel
  let days: DayText

  private static let height = 7
  private static let linesOfText = 4

  var body: some View {
    VStack(alignment: .leading) {
      Divider()
      AsyncContentView(model.preview) { beginning in
        VStack(alignment: .leading) {
          if let beginning {
            Text(beginning.article.shownTitle).bold().lineLimit(1)
            Text(beginning.article.source(days, minutes: beginning.article.readingMinutes))
              .foregroundStyle(\.secondary).lineLimit(1)
            Text(beginning.text).lineLimit(Self.linesOfText)
          }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
      }
      .loading { _ in Text("") }
      .loadingViewStyle(afterValue: .hidden)
    }
    .frame(height: Self.height)
    // The preview takes no focus: the keys stay with the list.
    .disabled(true)
    .onChange(of: rows, initial: true) { model.loadPreview() }
  }

  /// The selection also changes with these, not only by keys.
  private var rows: Rows {
    Rows(list: model.list, first: model.articles.latestValue?.first?.id)
  }

  private struct Rows: Equatable {
    let list: ReaderList
    let first: Article.ID?
  }
}

extension Document {
  /// Returns the text of the first paragraphs on one line, cut after about `length` characters.
  fileprivate func beginning(_ length: Int) -> String {
    var text = ""
    for case .paragraph(let inlines) in blocks where text.utf8.count < length {
      if !text.isEmpty { text += " " }
      for inline in inlines {
        switch inline {
        case .text(let run, _, _): text += run
        case .lineBreak: text += " "
        case .picture, .anchor: break
        }
      }
    }
    return String(text.prefix(length))
  }
}
