extension ArticleDocument {
  /// The article as Markdown: its title, its source and its text.
  public var markdown: String {
    let writer = MarkdownWriter(links: document.links)
    let source = [article.feedTitle, article.author ?? ""].filter { !$0.isEmpty }
    var blocks = [
      Block.heading(level: 1, [.text(article.title.isEmpty ? "Untitled" : article.title)])
    ]
    if !source.isEmpty { blocks.append(.paragraph([.text(source.joined(separator: " · "))])) }
    var texts = writer.blocks(blocks)
    if let link = article.link { texts.append("<\(MarkdownInlines.destination(link))>") }
    return (texts + writer.blocks(document.blocks)).joined(separator: "\n\n") + "\n"
  }
}

/// Writes a document as Markdown, with GitHub's tables and strikethrough.
///
/// It leaves out what Markdown cannot express: links inside the text, the sizes of pictures, letters
/// and Roman numerals in lists, and which paragraphs define a term. Of a picture without an address,
/// only the description is written. Short rows of a table are not
/// padded: Markdown readers add the missing cells.
struct MarkdownWriter {
  private let links: LinkAddresses

  init(links: [Link]) { self.links = LinkAddresses(links) }

  /// Returns the text of each block that is not empty.
  func blocks(_ blocks: [Block]) -> [String] {
    var texts: [String] = []
    var isOther = false
    for (index, block) in blocks.enumerated() {
      // A list directly after another needs different bullets, or it would continue that list.
      isOther = index > 0 && block.isList(like: blocks[index - 1]) && !isOther
      let text = text(block, isOther: isOther)
      if !text.isEmpty { texts.append(text) }
    }
    return texts
  }

  private func text(_ block: Block, isOther: Bool) -> String {
    switch block {
    case .heading(let level, let inlines):
      let words = text(inlines, .heading)
      return words.isEmpty
        ? "" : String(repeating: "#", count: min(max(level, 1), 6)) + " " + Self.closed(words)
    case .paragraph(let inlines): return Self.guarded(text(inlines, .paragraph))
    case .list(.terms, let items): return blocks(Array(items.joined())).joined(separator: "\n\n")
    case .list(let marks, let items): return list(marks, items, isOther: isOther)
    case .quote(let inner):
      let body = blocks(inner).joined(separator: "\n\n")
      return body.isEmpty ? "" : "> " + Self.indented(body, "> ")
    case .code(let language, let code): return Self.fenced(code, language: language)
    // Underscores, because hyphens or asterisks after a list bullet would form one line with it.
    case .rule: return "___"
    case .picture(let picture): return Self.guarded(text([.picture(picture)], .paragraph))
    case .table(let table): return text(table)
    }
  }

  /// The greatest number of a list item in Markdown.
  private static let highestNumber = 999_999_999

  private func list(_ marks: ListMarks, _ items: [[Block]], isOther: Bool) -> String {
    items.enumerated().map { index, item in
      var bullet = isOther ? "* " : "- "
      if case .numbers(let start, let step, _) = marks {
        let number = min(max(0, max(0, start) + step * index), Self.highestNumber)
        bullet = "\(number)\(isOther ? ")" : ".") "
      }
      let body = Self.task(blocks(item).joined(separator: "\n\n"))
      return bullet + Self.indented(body, String(repeating: " ", count: bullet.count))
    }.joined(separator: "\n")
  }

  /// Converts a checkbox at the beginning of an item to a Markdown task.
  private static func task(_ item: String) -> String {
    switch item.unicodeScalars.first {
    case "☐": "[ ]" + item.unicodeScalars.dropFirst().text
    case "☑": "[x]" + item.unicodeScalars.dropFirst().text
    default: item
    }
  }

  private func text(_ table: Table) -> String {
    let columns = table.rows.map(\.count).max() ?? 0
    guard columns > 0 else { return "" }
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rows = table.rows.map { row in row.map { text($0, .cell) } }
    // Markdown tables need a header, and only the header needs all columns: padding every row would
    // make short rows of a wide table far longer than their text.
    let head = table.hasHeader ? rows[0] : []
    let header = head + Array(repeating: "", count: columns - head.count)
    let marks = (0..<columns).map { table.alignment(of: $0).mark }
    let lines =
      [line(header), line(marks)] + rows.dropFirst(table.hasHeader ? 1 : 0).map(line)
    return lines.joined(separator: "\n")
  }

  private func text(_ inlines: [Inline], _ place: MarkdownInlines.Place) -> String {
    MarkdownInlines(links: links, place: place).text(inlines)
  }

  // MARK: Lines

  /// Escapes lines of a paragraph that would look like a heading, a list or a heading's underline.
  private static func guarded(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let first = line.unicodeScalars.first else { return line }
      if "#+-=|:".unicodeScalars.contains(first) { return "\\" + line }
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      let rest = line[digits.endIndex...]
      guard !digits.isEmpty, let sign = rest.unicodeScalars.first, sign == "." || sign == ")" else {
        return line
      }
      return digits + "\\" + rest
    }.joined(separator: "\n")
  }

  /// Escapes "#" at the end of a heading, which would otherwise be dropped.
  private static func closed(_ text: String) -> String {
    guard text.unicodeScalars.last == "#" else { return text }
    return text.unicodeScalars.dropLast().text + "\\#"
  }

  private static func fenced(_ code: String, language: String?) -> String {
    // Tabs are kept: in code they may be significant.
    let code = code.split(separator: "\t", omittingEmptySubsequences: false)
      .map { String($0).withoutControls }.joined(separator: "\t")
    let run = MarkdownInlines.longestRun(of: "`", in: code)
    let fence = String(repeating: "`", count: max(3, run + 1))
    let language =
      language.map { $0.filter { $0.isLetter || $0.isNumber || "+#._-".contains($0) } } ?? ""
    return "\(fence)\(language)\n\(code)\n\(fence)"
  }

  private static func indented(_ text: String, _ indent: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + indent)
  }
}

extension Table.Alignment {
  /// What stands below the heading of a column in Markdown.
  fileprivate var mark: String {
    switch self {
    case .left: "---"
    case .center: ":---:"
    case .right: "---:"
    }
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var text: String { String(String.UnicodeScalarView(self)) }
}

extension Block {
  /// Whether both lists are numbered, or both are not.
  fileprivate func isList(like other: Block) -> Bool {
    guard case .list(let marks, _) = self, case .list(let otherMarks, _) = other else {
      return false
    }
    return (marks == .bullets) == (otherMarks == .bullets)
  }
}
