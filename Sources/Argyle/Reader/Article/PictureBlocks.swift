import Articles
import TerminalUI

/// Pictures between paragraphs.
extension DocumentBlocks {
  /// Returns a picture with its description below; nil if it cannot be or is not shown.
  func picture(
    _ picture: Picture, link: Int?, _ indent: Indent, spacing: Int
  ) -> [RichText.Block]? {
    guard let view = pictures?.view(of: picture) else { return nil }
    let block = RichText.Block(
      spaceBefore: spacing, firstPrefix: indent.first, prefix: indent.rest, view: view)
    let style = Style(foreground: theme.secondary, attributes: .italic)
    var caption = StyledText(picture.alt, style: style, tag: link)
    if let link {
      caption.append("[\(link)]", style: Style(foreground: theme.secondary), tag: link)
    }
    guard !picture.alt.isEmpty || link != nil else { return [block] }
    return [block, text(caption, indent.continued, spacing: 0)]
  }

  /// Returns the pictures of a paragraph that consists of nothing else; nil for any other one.
  func linkedPictures(
    _ inlines: [Inline], _ indent: Indent, spacing: Int
  ) -> [RichText.Block]? {
    var blocks: [RichText.Block] = []
    for inline in inlines {
      switch inline {
      case .lineBreak, .anchor: continue
      case .text(let words, _, _): if words != " " { return nil }
      case .picture(let picture, let link):
        let isFirst = blocks.isEmpty
        guard
          let shown = self.picture(
            picture, link: link, isFirst ? indent : indent.continued, spacing: isFirst ? spacing : 1
          )
        else { return nil }
        blocks += shown
      }
    }
    return blocks.isEmpty ? nil : blocks
  }

  /// Returns the pictures within a line of text, which mentions them; pictures as small as a letter
  /// stay descriptions.
  func pictures(in inlines: [Inline], _ indent: Indent) -> [RichText.Block] {
    inlines.flatMap { inline -> [RichText.Block] in
      guard case .picture(let picture, let link) = inline, !picture.isIcon else { return [] }
      return self.picture(picture, link: link, indent, spacing: 1) ?? []
    }
  }
}

extension Document {
  /// Whether it shows pictures from the web, instead of which lines may say how to load them.
  var hasWebPictures: Bool { blocks.contains(where: \.hasWebPictures) }
}

extension Block {
  fileprivate var hasWebPictures: Bool {
    switch self {
    case .heading(_, let inlines), .paragraph(let inlines): inlines.hasWebPictures
    case .list(_, let items): items.joined().contains(where: \.hasWebPictures)
    case .quote(let blocks): blocks.contains(where: \.hasWebPictures)
    case .picture(let picture): picture.isOfWeb
    case .table(let table): table.rows.joined().contains(where: \.hasWebPictures)
    case .code, .rule: false
    }
  }
}

extension [Inline] {
  fileprivate var hasWebPictures: Bool {
    // A small one within a line of text stays its description.
    let hasText = contains { if case .text(let words, _, _) = $0 { words != " " } else { false } }
    return contains { inline in
      guard case .picture(let picture, _) = inline else { return false }
      return picture.isOfWeb && !(picture.isIcon && hasText)
    }
  }
}

extension Picture {
  fileprivate var isOfWeb: Bool {
    ArticlePictures.request(self, room: Size(width: 1, height: 1))?.source.isRemote ?? false
  }

  /// Whether the picture is a small symbol, such as a smiley.
  fileprivate var isIcon: Bool {
    declaredSize.map { $0.width <= 48 && $0.height <= 48 } ?? false
  }
}
