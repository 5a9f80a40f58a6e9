import Articles
import TerminalUI

/// Converts a document to paragraphs for the screen.
struct DocumentBlocks {
  let theme: Theme
  /// How pictures are shown; nil for descriptions instead.
  var pictures: DocumentPictures?
  /// Whether lines are justified.
  var isJustified = false
  /// Whether addresses are never broken, even if they are wider than a line.
  var keepsAddresses = false
  /// The maximum length of the rule between two parts; 0 for no rules, also in tables.
  var widestRule = Int.max
  /// The length in bytes from which a paragraph is laid out in pieces.
  var lengthOfPiece = 16 << 10

  /// A transformation of the text before it is laid out.
  var prepared: (String) -> String = { $0 }

  /// The prefix of the lines of a nested block, such as a bullet or the bar of a quote.
  struct Indent {
    var first = StyledText()
    var rest = StyledText()

    func adding(_ first: String, _ rest: String, style: Style) -> Indent {
      var indent = self
      indent.first.append(first, style: style)
      indent.rest.append(rest, style: style)
      return indent
    }

    /// The indent of the blocks after the first one of an item, without the bullet.
    var continued: Indent { Indent(first: rest, rest: rest) }
  }

  /// Returns the paragraphs of a document, with its links listed at the end.
  func blocks(of document: Document) -> [RichText.Block] {
    var blocks = blocks(document.blocks, Indent(), spacing: 1)
    guard !document.links.isEmpty else { return blocks }
    blocks.append(rule(Indent(), spacing: 1))
    let width = "[\(document.links.count)] ".count
    blocks += document.links.enumerated().map { index, link in
      let number = "[\(link.number)] "
      let pad = String(repeating: " ", count: max(0, width - number.count))
      return text(
        StyledText(link.address, style: Style(attributes: .underline), tag: link.number),
        Indent().adding(
          pad + number, String(repeating: " ", count: width),
          style: Style(foreground: theme.secondary)), spacing: index == 0 ? 1 : 0)
    }
    return blocks
  }

  /// - Parameters:
  ///   - spacing: the number of blank lines before the first block.
  ///   - gap: the number of blank lines between two blocks.
  private func blocks(
    _ blocks: some Sequence<Block>, _ indent: Indent, spacing: Int, gap: Int = 1
  ) -> [RichText.Block] {
    blocks.enumerated().flatMap { index, block in
      self.blocks(
        block, index == 0 ? indent : indent.continued, spacing: index == 0 ? spacing : gap)
    }
  }

  private func blocks(_ block: Block, _ indent: Indent, spacing: Int) -> [RichText.Block] {
    switch block {
    case .heading(let level, let inlines):
      let style = Style(foreground: level <= 2 ? theme.accent : .default, attributes: .bold)
      var heading = paragraph(inlines, style, indent, spacing: spacing)
      heading.isHeading = true
      return [heading] + pictures(in: inlines, indent.continued)
    case .paragraph(let inlines):
      if let pictures = linkedPictures(inlines, indent, spacing: spacing) { return pictures }
      return inlines.pieces(length: lengthOfPiece).enumerated().map { index, piece in
        paragraph(
          piece, .plain, index == 0 ? indent : indent.continued, spacing: index == 0 ? spacing : 0)
      } + pictures(in: inlines, indent.continued)
    case .quote(let inner):
      let bar = Style(foreground: theme.separator)
      return blocks(inner, indent.adding("▎ ", "▎ ", style: bar), spacing: spacing)
    case .list(let marks, let items): return list(marks, items, indent, spacing: spacing)
    case .code(_, let code): return self.code(code, indent, spacing: spacing)
    case .rule: return [rule(indent, spacing: spacing)]
    case .picture(let picture):
      return self.picture(picture, link: nil, indent, spacing: spacing)
        ?? [text(styled([.picture(picture)]), indent, spacing: spacing)]
    case .table(let table):
      return self.table(table, indent, spacing: spacing)
        + table.rows.joined().flatMap { pictures(in: $0, indent.continued) }
    }
  }

  private func rule(_ indent: Indent, spacing: Int) -> RichText.Block {
    block(indent, spacing: spacing, expectedRows: { _ in 1 }) { width in
      let length = min(width, widestRule)
      return [
        StyledText(
          String(repeating: "─", count: length), style: Style(foreground: theme.separator)
        ).truncated(width: length)
      ]
    }
  }

  // Limits the lines of code, since a screenful of the widest ones is laid out between two keys.
  private static let widestCode = 2_000

  // Code as long as a book is laid out in pieces, and only those on the screen.
  private static let linesOfPiece = 100
  private static let rowsOfPiece = 40
  /// A row of a table that is longer than a quarter of a piece is not drawn as columns: its cells
  /// become paragraphs, one below the other.
  private var lengthOfRow: Int { lengthOfPiece / 4 }

  // Long lines of code are not wrapped, because a wrapped line would read as two. They scroll
  // sideways.
  private func code(_ code: String, _ indent: Indent, spacing: Int) -> [RichText.Block] {
    let style = Style(foreground: theme.code)
    let indent = indent.adding("  ", "  ", style: style)
    let pieces = code.pieces(lines: Self.linesOfPiece, length: lengthOfPiece)
    return pieces.enumerated().map { index, piece in
      var block = wide(
        index == 0 ? indent : indent.continued, spacing: index == 0 ? spacing : 0,
        expectedRows: max(piece.lineCount, piece.text.utf8.count / Self.widestCode),
        isContinuation: index > 0
      ) { _ in
        StyledText(prepared(String(piece.text)), style: style).wrapped(width: Self.widestCode)
      }
      block.texts = { [prepared] in
        piece.text.split(separator: "\n").map { StyledText(prepared(String($0))) }
      }
      return block
    }
  }

  private func table(_ table: Table, _ indent: Indent, spacing: Int) -> [RichText.Block] {
    let lengthsOfCells = table.rows.map { row in
      row.map { cell in cell.reduce(0) { $0 + $1.length } }
    }
    let lengths = lengthsOfCells.map { $0.reduce(0, +) }
    let isLong = lengths.map { $0 > lengthOfRow }
    // The row with the longest cell of each column.
    var longest: [Int] = []
    for (row, cells) in lengthsOfCells.enumerated() where !isLong[row] {
      for (column, length) in cells.enumerated() {
        if column == longest.count {
          longest.append(row)
        } else if length > lengthsOfCells[longest[column]][column] {
          longest[column] = row
        }
      }
    }
    let layout = TableLayout(
      rowCount: table.rows.count, columnCount: longest.count,
      hasHeader: table.hasHeader && widestRule > 0, keepsAddresses: keepsAddresses,
      longest: longest, alignment: table.alignment
    ) { index in isLong[index] ? [] : table.rows[index].map { styled($0) } }
    var blocks: [RichText.Block] = []
    var start = 0
    while start < table.rows.count {
      let indent = start == 0 ? indent : indent.continued
      let spacing = start == 0 ? spacing : 0
      if isLong[start] {
        let cells = Array(table.rows[start].joined(separator: [.lineBreak]))
        blocks += cells.pieces(length: lengthOfPiece).enumerated().map {
          paragraph($1, .plain, $0 == 0 ? indent : indent.continued, spacing: $0 == 0 ? spacing : 0)
        }
        start += 1
      } else {
        var (end, length) = (start, 0)
        repeat {
          length += lengths[end]
          end += 1
        } while end < table.rows.count && end - start < Self.rowsOfPiece && !isLong[end]
          && length + lengths[end] <= lengthOfPiece
        let rows = start..<end
        var block = wide(
          indent, spacing: spacing, expectedRows: rows.count + 1,
          isContinuation: start > 0 && !isLong[start - 1]
        ) { layout.lines(of: rows, width: $0, theme: theme) }
        block.texts = { table.rows[rows].joined().map { styled($0) } }
        block.names = table.rows[rows].joined().flatMap(\.anchors)
        blocks.append(block)
        start = end
      }
    }
    return blocks
  }

  /// - Parameter isContinuation: whether the block scrolls sideways together with the one before
  ///   it.
  private func wide(
    _ indent: Indent, spacing: Int, expectedRows: Int, isContinuation: Bool,
    lines: @escaping (Int) -> [StyledLine]
  ) -> RichText.Block {
    var block = block(
      indent, spacing: spacing, expectedRows: { _ in expectedRows }, lines: lines)
    block.isWide = true
    block.isContinuation = isContinuation
    return block
  }

  private func paragraph(
    _ inlines: [Inline], _ style: Style, _ indent: Indent, spacing: Int
  ) -> RichText.Block {
    let length = inlines.reduce(0) { $0 + $1.length }
    var block = block(indent, spacing: spacing, expectedRows: { length / max(1, $0) + 1 }) {
      styled(inlines, style)
        .wrapped(width: $0, isJustified: isJustified, keepsAddresses: keepsAddresses)
    }
    block.names = inlines.anchors
    block.texts = { [styled(inlines, style)] }
    return block
  }

  private func list(
    _ marks: ListMarks, _ items: [[Block]], _ indent: Indent, spacing: Int
  ) -> [RichText.Block] {
    let gap = isTight(items, marks) ? 0 : 1
    let bullets = bullets(marks, count: items.count)
    let width = bullets.map(\.count).max() ?? 0
    let style = Style(foreground: theme.accent)
    return items.enumerated().flatMap { index, item in
      let outer = index == 0 ? indent : indent.continued
      let spacing = index == 0 ? spacing : gap
      guard marks != .terms else {
        return blocks(item.prefix(1), outer, spacing: spacing)
          + blocks(
            item.dropFirst(), outer.continued.adding("  ", "  ", style: style), spacing: 0,
            gap: gap)
      }
      let pad = String(repeating: " ", count: width - bullets[index].count)
      return blocks(
        item,
        outer.adding(pad + bullets[index], String(repeating: " ", count: width), style: style),
        spacing: spacing, gap: gap)
    }
  }

  private func bullets(_ marks: ListMarks, count: Int) -> [String] {
    switch marks {
    case .bullets: Array(repeating: "• ", count: count)
    case .numbers(let start, let step, let numerals):
      (0..<count).map { numerals.text(start + step * $0) + ". " }
    case .terms: []
    }
  }

  /// Whether a list has no blank lines: each item is one block, or a term with one definition, and
  /// then has only lists.
  private func isTight(_ items: [[Block]], _ marks: ListMarks) -> Bool {
    items.allSatisfy { item in
      item.dropFirst(marks == .terms ? 2 : 1).allSatisfy {
        if case .list = $0 { true } else { false }
      }
    }
  }

  func text(_ text: StyledText, _ indent: Indent, spacing: Int) -> RichText.Block {
    let length = text.runs.reduce(0) { $0 + $1.text.utf8.count }
    var block = block(indent, spacing: spacing, expectedRows: { length / max(1, $0) + 1 }) {
      text.wrapped(width: $0, keepsAddresses: keepsAddresses)
    }
    block.texts = { [text] }
    return block
  }

  private func block(
    _ indent: Indent, spacing: Int, expectedRows: @escaping (Int) -> Int,
    lines: @escaping (Int) -> [StyledLine]
  ) -> RichText.Block {
    var block = RichText.Block(
      spaceBefore: spacing, firstPrefix: indent.first, prefix: indent.rest, lines: lines)
    block.expectedRows = expectedRows
    return block
  }

  private func styled(_ inlines: [Inline], _ base: Style = .plain) -> StyledText {
    var text = StyledText()
    var openLink: Int?
    func closeLink(before next: Int?) {
      // A link to another place in the text has no number, since it is not listed at the end.
      if let link = openLink, link != next, link > 0 {
        text.append(
          "[\(link)]", style: Style(foreground: theme.secondary), tag: link, isAddition: true)
      }
      openLink = next
    }
    for inline in inlines {
      switch inline {
      case .text(let words, let style, let link):
        closeLink(before: link)
        text.append(prepared(words), style: self.style(style, base, isLink: link != nil), tag: link)
      case .lineBreak:
        text.append("\n", style: base)
      case .anchor: break
      case .picture(let picture, let link):
        closeLink(before: link)
        let words = picture.alt.isEmpty ? "picture" : "picture: \(picture.alt)"
        text.append(
          prepared("[\(words)]"),
          style: Style(foreground: theme.secondary, attributes: .italic), tag: link)
      }
    }
    closeLink(before: nil)
    return text
  }

  private func style(_ style: TextStyle, _ base: Style, isLink: Bool) -> Style {
    var result = base
    if style.contains(.emphasis) { result.attributes.insert(.italic) }
    if style.contains(.strong) { result.attributes.insert(.bold) }
    if style.contains(.strikethrough) { result.attributes.insert(.strikethrough) }
    if style.contains(.code) { result.foreground = theme.code }
    if style.contains(.dimmed) { result.foreground = theme.secondary }
    if isLink { result.attributes.insert(.underline) }
    return result
  }
}
