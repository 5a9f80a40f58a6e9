import Articles
import TerminalUI

/// An article in lines of plain text, as the reader's screen has it.
struct DocumentText {
  /// The widest a line gets, in columns; nil for paragraphs of one line each, as a script or an
  /// editor wants them.
  let width: Int?
  /// How long a rule is where lines have no end.
  private static let ruleWidth = 72
  /// Wider than any paragraph, and small enough to be calculated with.
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

  /// The article; its only controls are the ends of its lines.
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

  /// A text without the title of an article.
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

  /// By bytes: a paragraph is one line here, and one of 8 MB took most of a minute by characters.
  private static func withoutBlanksAtEnd(_ text: String) -> String {
    let bytes = text.utf8
    let last = bytes.lastIndex { $0 != UInt8(ascii: " ") }
    return String(text[..<(last.map(bytes.index(after:)) ?? text.startIndex)])
  }
}
