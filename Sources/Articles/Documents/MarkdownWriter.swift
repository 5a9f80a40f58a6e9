extension ArticleDocument {
  /// The article as Markdown: its title, where it comes from, and its text.
  public var markdown: String {
    var lines = ["# " + MarkdownWriter.escaped(article.title.isEmpty ? "Untitled" : article.title)]
    let source = [article.feedTitle, article.author ?? ""].filter { !$0.isEmpty }
    if !source.isEmpty { lines.append(MarkdownWriter.escaped(source.joined(separator: " · "))) }
    if let link = article.link { lines.append("<\(link.withoutControls)>") }
    return (lines + MarkdownWriter(links: document.links).blocks(document.blocks))
      .joined(separator: "\n\n") + "\n"
  }
}

/// Writes a document as Markdown, with tables and strikethrough as GitHub has them.
struct MarkdownWriter {
  let links: [Link]

  /// Each block as its lines.
  func blocks(_ blocks: [Block]) -> [String] { blocks.map(text) }

  private func text(_ block: Block) -> String {
    switch block {
    case .heading(let level, let inlines):
      String(repeating: "#", count: min(max(level, 1), 6)) + " "
        + text(inlines).replacing("\n", with: " ")
    case .paragraph(let inlines): Self.guarded(text(inlines))
    case .list(let start, let items):
      items.enumerated().map { index, item in
        let bullet = start.map { "\($0 + index). " } ?? "- "
        let body = blocks(item).joined(separator: "\n\n")
        return bullet + Self.indented(body, String(repeating: " ", count: bullet.count))
      }.joined(separator: "\n")
    case .quote(let inner):
      "> " + Self.indented(blocks(inner).joined(separator: "\n\n"), "> ")
    case .code(let language, let code): Self.fenced(code, language: language)
    case .rule: "---"
    case .picture(let picture): text([.picture(picture)])
    case .table(let table): text(table)
    }
  }

  private func text(_ table: Table) -> String {
    let columns = table.rows.map(\.count).max() ?? 0
    guard columns > 0 else { return "" }
    func line(_ cells: [String]) -> String {
      "| " + (cells + Array(repeating: "", count: columns - cells.count)).joined(separator: " | ")
        + " |"
    }
    var rows = table.rows.map { row in
      row.map { text($0).replacing("\\\n", with: " ").replacing("|", with: "\\|") }
    }
    // There is no table without a header.
    if !table.hasHeader { rows.insert([], at: 0) }
    let rule = line(Array(repeating: "---", count: columns))
    return ([line(rows[0]), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
  }

  private func text(_ inlines: [Inline]) -> String {
    var output = ""
    var index = 0
    while index < inlines.count {
      // Runs of one link become one link.
      let link = inlines[index].link
      var end = index + 1
      while end < inlines.count, link != nil, inlines[end].link == link { end += 1 }
      let words = inlines[index..<end].map(plain).joined()
      if let link, let address = links.first(where: { $0.number == link })?.address {
        output += "[\(words)](\(Self.destination(address)))"
      } else {
        output += words
      }
      index = end
    }
    return output
  }

  private func plain(_ inline: Inline) -> String {
    switch inline {
    case .lineBreak: return "\\\n"
    case .picture(let picture, _):
      let alt = Self.escaped(picture.alt)
      return picture.address.map { "![\(alt)](\(Self.destination($0)))" } ?? alt
    case .text(let text, let style, _):
      if style.contains(.code) { return Self.code(text) }
      var output = Self.escaped(text)
      let words = output.trimmingWhiteSpace()
      guard !words.isEmpty, let range = output.firstRange(of: words) else { return output }
      // A mark beside a space would be no mark.
      var marks = ""
      if style.contains(.strong) { marks += "**" }
      if style.contains(.emphasis) { marks += "*" }
      if style.contains(.strikethrough) { marks += "~~" }
      output.replaceSubrange(range, with: marks + words + String(marks.reversed()))
      return output
    }
  }

  // MARK: Characters with a meaning

  static func escaped(_ text: String) -> String {
    var output = ""
    for character in text.withoutControls {
      if "\\`*_[]<>~".contains(character) { output.append("\\") }
      output.append(character)
    }
    return output
  }

  /// A paragraph that begins like a heading, a list or a quote is none.
  private static func guarded(_ text: String) -> String {
    guard let first = text.first else { return text }
    if "#+-=|:".contains(first) { return "\\" + text }
    let digits = text.prefix { $0.isNumber }
    let rest = text[digits.endIndex...]
    guard !digits.isEmpty, rest.hasPrefix(".") || rest.hasPrefix(")") else { return text }
    return digits + "\\" + rest
  }

  private static func destination(_ address: String) -> String {
    address.withoutControls.replacing("(", with: "%28").replacing(")", with: "%29")
      .replacing(" ", with: "%20").replacing("<", with: "%3C").replacing(">", with: "%3E")
  }

  private static func code(_ text: String) -> String {
    let text = text.withoutControls.replacing("\n", with: " ")
    let ticks = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let pad = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
    return ticks + pad + text + pad + ticks
  }

  private static func fenced(_ code: String, language: String?) -> String {
    let code = code.withoutControls
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: code) + 1))
    let language = language.map { $0.filter { $0.isLetter || $0.isNumber || $0 == "-" } } ?? ""
    return "\(fence)\(language)\n\(code)\n\(fence)"
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for other in text {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  private static func indented(_ text: String, _ indent: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + indent)
  }
}

extension Inline {
  /// The number of the link that it belongs to.
  fileprivate var link: Int? {
    switch self {
    case .text(_, _, let link), .picture(_, let link): link
    case .lineBreak: nil
    }
  }
}
