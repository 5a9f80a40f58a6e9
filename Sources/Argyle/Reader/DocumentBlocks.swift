import Articles
import TerminalUI

/// A document as paragraphs for the screen.
struct DocumentBlocks {
  let theme: Theme

  /// What stands before the lines of a nested block: a bullet, the bar of a quote.
  private struct Indent {
    var first = StyledText()
    var rest = StyledText()

    func adding(_ first: String, _ rest: String, style: Style) -> Indent {
      var indent = self
      indent.first.append(first, style: style)
      indent.rest.append(rest, style: style)
      return indent
    }

    /// The same for what follows the first block of an item: its bullet is not drawn again.
    var continued: Indent { Indent(first: rest, rest: rest) }
  }

  /// The paragraphs of a document, with its links listed at the end.
  func blocks(of document: Document) -> [RichText.Block] {
    var blocks = blocks(document.blocks, Indent(), spacing: 1)
    guard !document.links.isEmpty else { return blocks }
    blocks.append(
      block(Indent(), spacing: 1) { width in
        [
          StyledText(
            String(repeating: "─", count: width), style: Style(foreground: theme.separator)
          )
          .truncated(width: width)
        ]
      })
    let width = "[\(document.links.count)] ".count
    blocks += document.links.enumerated().map { index, link in
      let number = "[\(link.number)] "
      let pad = String(repeating: " ", count: max(0, width - number.count))
      return text(
        StyledText(link.address, style: Style(attributes: .underline)),
        Indent().adding(
          pad + number, String(repeating: " ", count: width),
          style: Style(foreground: theme.secondary)), spacing: index == 0 ? 1 : 0)
    }
    return blocks
  }

  private func blocks(_ blocks: [Block], _ indent: Indent, spacing: Int) -> [RichText.Block] {
    blocks.enumerated().flatMap { index, block in
      self.blocks(block, index == 0 ? indent : indent.continued, spacing: index == 0 ? spacing : 1)
    }
  }

  private func blocks(_ block: Block, _ indent: Indent, spacing: Int) -> [RichText.Block] {
    switch block {
    case .heading(let level, let inlines):
      let style = Style(foreground: level <= 2 ? theme.accent : .default, attributes: .bold)
      return [text(styled(inlines, style), indent, spacing: spacing)]
    case .paragraph(let inlines):
      return [text(styled(inlines), indent, spacing: spacing)]
    case .quote(let inner):
      let bar = Style(foreground: theme.separator)
      return blocks(inner, indent.adding("▎ ", "▎ ", style: bar), spacing: spacing)
    case .list(let start, let items):
      return list(start: start, items, indent, spacing: spacing)
    case .code(_, let code):
      let style = Style(foreground: theme.code)
      return [
        text(
          StyledText(code, style: style), indent.adding("  ", "  ", style: style), spacing: spacing)
      ]
    case .rule:
      return [
        self.block(indent, spacing: spacing) { width in
          [
            StyledText(
              String(repeating: "─", count: width), style: Style(foreground: theme.separator)
            ).truncated(width: width)
          ]
        }
      ]
    case .picture(let picture):
      return [text(styled([.picture(picture)]), indent, spacing: spacing)]
    case .table(let table):
      return [
        self.block(indent, spacing: spacing) { width in
          TableLayout(rows: table.rows.map { $0.map { styled($0) } }, hasHeader: table.hasHeader)
            .lines(width: width, theme: theme)
        }
      ]
    }
  }

  private func list(
    start: Int?, _ items: [[Block]], _ indent: Indent, spacing: Int
  ) -> [RichText.Block] {
    let width = start.map { "\($0 + items.count - 1). ".count } ?? 2
    return items.enumerated().flatMap { index, item in
      let bullet = start.map { "\($0 + index). " } ?? "• "
      let pad = String(repeating: " ", count: max(0, width - bullet.count))
      let outer = index == 0 ? indent : indent.continued
      return blocks(
        item,
        outer.adding(
          pad + bullet, String(repeating: " ", count: width), style: Style(foreground: theme.accent)
        ),
        spacing: index == 0 ? spacing : 0)
    }
  }

  private func text(_ text: StyledText, _ indent: Indent, spacing: Int) -> RichText.Block {
    block(indent, spacing: spacing) { text.wrapped(width: $0) }
  }

  private func block(
    _ indent: Indent, spacing: Int, lines: @escaping (Int) -> [StyledLine]
  ) -> RichText.Block {
    RichText.Block(
      spaceBefore: spacing, firstPrefix: indent.first, prefix: indent.rest, lines: lines)
  }

  private func styled(_ inlines: [Inline], _ base: Style = .plain) -> StyledText {
    var text = StyledText()
    var openLink: Int?
    func closeLink(before next: Int?) {
      if let link = openLink, link != next {
        text.append("[\(link)]", style: Style(foreground: theme.secondary), tag: link)
      }
      openLink = next
    }
    for inline in inlines {
      switch inline {
      case .text(let words, let style, let link):
        closeLink(before: link)
        text.append(words, style: self.style(style, base, isLink: link != nil), tag: link)
      case .lineBreak:
        text.append("\n", style: base)
      case .picture(let picture, let link):
        closeLink(before: link)
        let words = picture.alt.isEmpty ? "picture" : "picture: \(picture.alt)"
        text.append(
          "[\(words)]", style: Style(foreground: theme.secondary, attributes: .italic), tag: link)
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
    if isLink { result.attributes.insert(.underline) }
    return result
  }
}
