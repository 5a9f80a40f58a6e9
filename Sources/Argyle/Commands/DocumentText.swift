import Articles
import TerminalUI

/// Formats an article as lines of plain text, like the reader's screen.
struct DocumentText {
  /// The maximum width of a line, in columns; nil for one line per paragraph, as scripts and
  /// editors expect.
  let width: Int?
  /// The length of a horizontal rule if the width is not limited.
  private static let ruleWidth = 72
  /// Wider than any paragraph, and small enough for calculations not to overflow.
  private static let unlimited = Int.max / 2

  private func blocks(_ emoji: EmojiStandIns) -> DocumentBlocks {
    var blocks = DocumentBlocks(theme: .standard)
    blocks.keepsAddresses = true
    if width == nil {
      blocks.prepared = emoji.replace(in:)
      blocks.widestRule = Self.ruleWidth
      blocks.lengthOfPiece = .max
    }
    return blocks
  }

  /// Returns the text of the article; its only control characters are newlines.
  func text(_ content: ArticleDocument) -> String {
    let emoji = EmojiStandIns()
    let blocks = blocks(emoji)
    let article = content.article
    let width = width ?? Self.unlimited
    let source = [
      article.title.isEmpty ? "Untitled" : article.title, article.feedTitle, article.author ?? "",
      article.link ?? "",
    ]
    var lines = source.filter { !$0.isEmpty }.flatMap {
      StyledText(blocks.prepared($0)).wrapped(width: width, keepsAddresses: true).map(\.text)
    }
    lines += self.lines(content.document, blocks, width: width)
    return emoji.restore(in: lines.joined(separator: "\n"))
  }

  /// Returns the text of a document, without an article's title.
  func text(_ document: Document) -> String {
    let emoji = EmojiStandIns()
    let lines = lines(document, blocks(emoji), width: width ?? Self.unlimited)
    return emoji.restore(in: lines.drop(while: \.isEmpty).joined(separator: "\n"))
  }

  private func lines(_ document: Document, _ blocks: DocumentBlocks, width: Int) -> [String] {
    var lines: [String] = []
    for block in blocks.blocks(of: document) {
      lines += Array(repeating: "", count: block.spaceBefore)
      let prefix = block.firstPrefix.truncated(width: width)
      for (row, line) in block.lines(max(1, width - prefix.width)).enumerated() {
        let start = row == 0 ? prefix : block.prefix.truncated(width: width)
        lines.append(Self.withoutBlanksAtEnd(start.text + line.text))
      }
    }
    return lines
  }

  /// Works on bytes: a paragraph is one line here, and trimming one of 8 MB by characters took most
  /// of a minute.
  private static func withoutBlanksAtEnd(_ text: String) -> String {
    let bytes = text.utf8
    let last = bytes.lastIndex { $0 != UInt8(ascii: " ") }
    return String(text[..<(last.map(bytes.index(after:)) ?? text.startIndex)])
  }
}
