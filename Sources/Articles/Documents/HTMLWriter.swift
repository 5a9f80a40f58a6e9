extension ArticleDocument {
  /// The article as an HTML document with only text, links and pictures: without scripts, styles or
  /// anything else that is loaded.
  public var html: String {
    let title = HTMLWriter.escaped(article.title.isEmpty ? "Untitled" : article.title)
    let heading =
      article.link.map { "<a href=\"\(HTMLWriter.escaped($0))\">\(title)</a>" } ?? title
    let source = [article.feedTitle, article.author ?? ""].filter { !$0.isEmpty }
      .map(HTMLWriter.escaped).joined(separator: " · ")
    return """
      <!DOCTYPE html>
      <html>
      <head><meta charset="utf-8"><title>\(title)</title></head>
      <body>
      <h1>\(heading)</h1>
      <p>\(source)</p>
      \(HTMLWriter(links: document.links).text(document.blocks))
      </body>
      </html>

      """
  }
}

/// Writes a document as HTML.
struct HTMLWriter {
  private let links: LinkAddresses

  init(links: [Link]) { self.links = LinkAddresses(links) }

  func text(_ blocks: [Block]) -> String { blocks.map(text).joined(separator: "\n") }

  private func text(_ block: Block) -> String {
    switch block {
    case .heading(let level, let inlines):
      "<h\(min(max(level, 1), 6))>\(text(inlines))</h\(min(max(level, 1), 6))>"
    case .paragraph(let inlines): "<p>\(text(inlines))</p>"
    case .list(let marks, let items): list(marks, items)
    case .quote(let inner): "<blockquote>\n\(text(inner))\n</blockquote>"
    case .code(_, let code): "<pre><code>\(Self.escaped(code: code))</code></pre>"
    case .rule: "<hr>"
    // `[Inline]` selects the overload for runs; the one for blocks would call itself forever.
    case .picture(let picture): "<p>\(text([.picture(picture)] as [Inline]))</p>"
    case .table(let table): text(table)
    }
  }

  private func list(_ marks: ListMarks, _ items: [[Block]]) -> String {
    let inner = items.map { "<li>\(text($0))</li>\n" }.joined()
    return switch marks {
    case .bullets: "<ul>\n\(inner)</ul>"
    case .numbers(let start, let step, let numerals):
      "<ol start=\"\(start)\"" + (step < 0 ? " reversed" : "")
        + (numerals == .decimal ? "" : " type=\"\(numerals.rawValue)\"") + ">\n\(inner)</ol>"
    case .terms: "<dl>\n\(items.map(definition).joined())</dl>"
    }
  }

  private func definition(_ item: [Block]) -> String {
    "<dt>\(text(Array(item.prefix(1))))</dt>\n"
      + (item.count > 1 ? "<dd>\(text(Array(item.dropFirst())))</dd>\n" : "")
  }

  private func text(_ table: Table) -> String {
    let rows = table.rows.enumerated().map { index, row in
      let cell = index == 0 && table.hasHeader ? "th" : "td"
      return "<tr>" + row.map { "<\(cell)>\(text($0))</\(cell)>" }.joined() + "</tr>\n"
    }
    return "<table>\n\(rows.joined())</table>"
  }

  private func text(_ inlines: [Inline]) -> String { inlines.map(text).joined() }

  private func text(_ inline: Inline) -> String {
    switch inline {
    case .lineBreak: return "<br>\n"
    case .anchor: return ""
    case .picture(let picture, let link):
      let alt = Self.escaped(picture.alt)
      let tag = picture.address.map { "<img src=\"\(Self.escaped($0))\" alt=\"\(alt)\">" }
      return linked(tag ?? alt, link)
    case .text(let text, let style, let link):
      var output = Self.escaped(text)
      let tags: [(TextStyle, String)] = [
        (.code, "code"), (.strikethrough, "del"), (.emphasis, "em"), (.strong, "strong"),
      ]
      for (part, tag) in tags where style.contains(part) { output = "<\(tag)>\(output)</\(tag)>" }
      return linked(output, link)
    }
  }

  private func linked(_ text: String, _ link: Int?) -> String {
    guard let address = link.flatMap(links.address) else { return text }
    return "<a href=\"\(Self.escaped(address))\">\(text)</a>"
  }

  private static func escaped(code: String) -> String {
    // Tabs are kept: they may be significant in code.
    code.split(separator: "\t", omittingEmptySubsequences: false).map { escaped(String($0)) }
      .joined(separator: "\t")
  }

  static func escaped(_ text: String) -> String { text.withoutControls.escaped }
}
