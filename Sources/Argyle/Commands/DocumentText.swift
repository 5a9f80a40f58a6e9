import Articles
import TerminalUI

/// An article in lines of plain text, as the reader's screen has it.
struct DocumentText {
  /// The widest a line gets, in columns.
  let measure: Int

  func text(_ content: ArticleDocument) -> String {
    let article = content.article
    var lines = StyledText(article.title.isEmpty ? "Untitled" : article.title)
      .wrapped(width: measure).map(\.text)
    let source = [article.feedTitle, article.author ?? "", article.link ?? ""]
    lines += source.filter { !$0.isEmpty }.map(printable)
    for block in DocumentBlocks(theme: .standard).blocks(of: content.document) {
      lines += Array(repeating: "", count: lines.count == 0 ? 0 : block.spaceBefore)
      let prefix = block.firstPrefix.truncated(width: measure)
      for (row, line) in block.lines(max(1, measure - prefix.width)).enumerated() {
        let start = row == 0 ? prefix : block.prefix.truncated(width: measure)
        let text = start.text + line.text
        lines.append(String(text.reversed().drop { $0 == " " }.reversed()))
      }
    }
    return lines.joined(separator: "\n")
  }
}
