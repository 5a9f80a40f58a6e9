import PseudoTerminal
import Testing

@testable import Articles

/// Documents as Markdown: what is written is read as the same document.
///
/// Not said in Markdown, and left out here: links inside the text and the places they lead to, the
/// sizes of pictures, pictures without an address, lists that count from below zero, and an address
/// or a mail address in the text that is no link there, which readers of Markdown make one.
@Suite struct MarkdownWriterTests {
  private static let words = [
    "word", "two words", "1.", "2)", "#", "##", "-", "+", "=", "---", "===", "*", "**", "_",
    "__x__",
    "`", "``", "~", "~~x~~", "[", "]", "[x]", "[x](y)", "![", "!", "<", "<b>", "<!--", ">", "&",
    "&amp;", "&#38;", "AT&T", "|", "| a |", "\\", "\\*", "\\|", "a|b", ":", ":---", "(", ")", "\"",
    "“x”", "字", "かな。", "e\u{301}", "🧦", "\u{A0}", "x\u{A0}", "\u{A0}x", "^", "$", "%", "1986. A",
    "10)", "[^1]", "[^1]: x", "[ ]", "a\u{2003}b", "don't", "…", "—x",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      words.randomElement(using: &generator) ?? ""
    }.joined(separator: Bool.random(using: &generator) ? " " : "")
  }

  private static let links = (1...3).map { number in
    Link(
      number: number,
      address: [
        "https://example.org/a_(b)*c?x=1&y=2&amp;z", "mailto:someone@example.org",
        "http://example.org/%5B~/x'!_",
      ][number - 1])
  }

  private static func inlines(_ generator: inout SeededGenerator) -> [Inline] {
    (0..<Int.random(in: 1...5, using: &generator)).flatMap { _ -> [Inline] in
      let link =
        Int.random(in: 0...5, using: &generator) == 0
        ? Int.random(in: 1...3, using: &generator) : nil
      switch Int.random(in: 0...9, using: &generator) {
      case 0: return [.lineBreak]
      case 1:
        return [
          .picture(
            Picture(alt: text(&generator), address: "https://example.org/p(1).png"), link: link)
        ]
      case let kind:
        let style = TextStyle(rawValue: kind < 6 ? 0 : UInt8.random(in: 0...15, using: &generator))
        let blank = Bool.random(using: &generator) ? " " : ""
        return [.text(text(&generator) + blank, style, link: link)]
      }
    }
  }

  private static func block(depth: Int, _ generator: inout SeededGenerator) -> Block {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    switch number(0...(depth > 0 ? 11 : 7)) {
    case 0: return .heading(level: number(1...6), inlines(&generator))
    case 1:
      let code = ["let x = 1", "\tif a", "  ```", "````", "", "# no", "<b>&amp;\\*", "    x"]
      let lines = (0...number(0...4)).map { _ in code[number(0...(code.count - 1))] }
      return .code(language: nil, text: lines.joined(separator: "\n"))
    case 2: return .rule
    case 3:
      return .picture(Picture(alt: text(&generator), address: "https://example.org/a%20b.png"))
    case 4:
      let columns = number(1...3)
      let rows = (0...number(0...3)).map { _ in
        (0..<columns).map { _ in number(0...4) == 0 ? [] : inlines(&generator) }
      }
      return .table(Table(rows: rows, hasHeader: number(0...1) == 0))
    case 8, 9:
      return .list(
        number(0...1) == 0 ? .bullets : .numbers(from: number(0...1_000)),
        items: (0...number(0...3)).map { _ in blocks(depth: depth - 1, &generator) })
    case 10, 11: return .quote(blocks(depth: depth - 1, &generator))
    default: return .paragraph(inlines(&generator))
    }
  }

  private static func blocks(depth: Int, _ generator: inout SeededGenerator) -> [Block] {
    (0...Int.random(in: 0...3, using: &generator)).map { _ in block(depth: depth, &generator) }
  }

  // MARK: The same

  /// A document in which what is the same looks the same: a run a character, blanks without a style.
  private static func plain(_ document: Document) -> [Block] {
    func plain(_ inlines: [Inline]) -> [Inline] {
      inlines.flatMap { inline -> [Inline] in
        switch inline {
        case .text(let text, let style, let link):
          return text.unicodeScalars.map { scalar in
            scalar.properties.isWhitespace
              ? .text(String(scalar)) : .text(String(scalar), style, link: address(link))
          }
        case .picture(let picture, let link): return [.picture(picture, link: address(link))]
        case .lineBreak: return [.lineBreak]
        case .anchor: return []
        }
      }
    }
    // Numbers depend on the order alone in which addresses come.
    func address(_ link: Int?) -> Int? {
      link.flatMap { number in
        let address = document.links.first { $0.number == number }?.address
        return links.firstIndex { $0.address == address }.map { $0 + 1 } ?? 0
      }
    }
    func plain(_ block: Block) -> Block {
      switch block {
      case .heading(let level, let inlines): .heading(level: level, plain(inlines))
      case .paragraph(let inlines): .paragraph(plain(inlines))
      case .list(let marks, let items): .list(marks, items: items.map { $0.map(plain) })
      case .quote(let inner): .quote(inner.map(plain))
      case .table(let table):
        .table(Table(rows: padded(table.rows).map { $0.map(plain) }, hasHeader: table.hasHeader))
      case .code, .rule, .picture: block
      }
    }
    func padded(_ rows: [[[Inline]]]) -> [[[Inline]]] {
      let columns = rows.map(\.count).max() ?? 0
      return rows.map { $0 + Array(repeating: [], count: columns - $0.count) }
    }
    return document.blocks.map(plain)
  }

  private static func read(_ markdown: String) -> Document {
    HTMLRenderer.document(html: MarkdownText(Array(markdown.utf8), isTitled: true).html)
  }

  @Test func `what is written is read as the same document`() {
    forEachSeed(500) { generator, seed in
      let made = Document(blocks: Self.blocks(depth: 3, &generator), links: Self.links)
      // As a reader of HTML would have made it.
      let html = HTMLWriter(links: Self.links).text(made.blocks)
      let document = HTMLRenderer.document(html: html)
      let markdown = MarkdownWriter(links: document.links).blocks(document.blocks)
        .joined(separator: "\n\n")
      let (wanted, found) = (Self.plain(document), Self.plain(Self.read(markdown)))
      guard wanted != found else { return }
      let place = zip(wanted, found).first { $0 != $1 }
      Issue.record(
        """
        seed \(seed)
        wanted \(place.map { Self.words(in: $0.0) } ?? "\(wanted.count) blocks")
        found  \(place.map { Self.words(in: $0.1) } ?? "\(found.count) blocks")
        \(markdown)
        """)
    }
  }

  private static func markdown(_ blocks: [Block], links: [Link] = []) -> String {
    MarkdownWriter(links: links).blocks(blocks).joined(separator: "\n\n")
  }

  @Test func `lists one after the other stay two, with a rule in one of them`() {
    #expect(
      Self.markdown([
        .list(.bullets, items: [[.paragraph([.text("a")])]]),
        .list(.bullets, items: [[.rule]]),
        .list(.numbers(from: 1), items: [[.paragraph([.text("b")])]]),
        .list(.numbers(from: 1), items: [[.paragraph([.text("c")])]]),
      ]) == "- a\n\n* ___\n\n1. b\n\n1) c")
  }

  @Test func `each line of a paragraph is none of a heading, a list or a table`() {
    #expect(
      Self.markdown([
        .paragraph([.text("Title"), .lineBreak, .text("==="), .lineBreak, .text("- 1.")])
      ]) == "Title\\\n\\===\\\n\\- 1.")
    #expect(
      Self.markdown([.heading(level: 2, [.text("C #"), .lineBreak, .text("#")])])
        == "## C #<br>\\#")
  }

  @Test func `marks that would be none beside a letter are tags`() {
    #expect(
      Self.markdown([
        .paragraph([
          .text("a"), .text("b", .strong), .text("c"), .text("(d)", .emphasis), .text("e"),
        ])
      ]) == "a**b**c<em>(d)</em>e")
    #expect(
      Self.markdown([.paragraph([.text("x()", [.code, .strong]), .text(" y", .emphasis)])])
        == "**`x()`** *y*")
  }

  @Test func `a link after an exclamation mark is no picture`() {
    #expect(
      Self.markdown(
        [.paragraph([.text("Look!"), .text("here", link: 1)])],
        links: [Link(number: 1, address: "https://example.org/(a)")])
        == "Look\\![here](https://example.org/\\(a\\))")
  }

  @Test func `code keeps its tabs, in Markdown and in HTML`() {
    let code = Block.code(language: "c++", text: "a:\n\tb\u{1B}")
    #expect(Self.markdown([code]) == "```c++\na:\n\tb\n```")
    #expect(HTMLWriter(links: []).text([code]) == "<pre><code>a:\n\tb</code></pre>")
  }

  @Test func `a picture by itself is written as HTML`() {
    #expect(
      HTMLWriter(links: []).text([
        .picture(Picture(alt: "A sock", address: "https://example.org/a.png"))
      ]) == "<p><img src=\"https://example.org/a.png\" alt=\"A sock\"></p>")
  }

  private static func words(in block: Block) -> String {
    HTMLWriter(links: links).text([block])
  }
}
