import Articles
import TerminalUI
import Testing

@testable import Argyle

/// Tests of documents as paragraphs, with expected lines written by hand.
@MainActor
@Suite struct DocumentBlocksTests {
  private func lines(_ document: Document, width: Int) -> [String] {
    let text = RichText(id: 0) { DocumentBlocks(theme: .mono).blocks(of: document) }
    let frame = Frame(text, size: Size(width: width, height: 40))
    let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
    return Array(lines.reversed().drop { $0.isEmpty }.reversed())
  }

  private func lines(_ blocks: [Block], width: Int = 30) -> [String] {
    lines(Document(blocks: blocks), width: width)
  }

  @Test func `paragraphs are wrapped, with a line between them`() {
    #expect(
      lines(
        [
          .heading(level: 1, [.text("A heading")]),
          .paragraph([.text("Some words that wrap here")]),
          .paragraph([.text("One"), .lineBreak, .text("two")]),
        ], width: 12) == [
          "A heading", "", "Some words", "that wrap", "here", "", "One", "two",
        ])
  }

  @Test func `lists are numbered from where they start, their numbers in one column`() {
    let items = (1...3).map { [Block.paragraph([.text("Item \($0) of three")])] }
    #expect(
      lines([.list(.bullets, items: items)], width: 10).prefix(4) == [
        "• Item 1", "  of three", "• Item 2", "  of three",
      ])
    #expect(
      lines([.list(.numbers(from: 9), items: items)]) == [
        " 9. Item 1 of three", "10. Item 2 of three", "11. Item 3 of three",
      ])
  }

  @Test func `lists are tight unless an item has several paragraphs`() {
    func text(_ words: String) -> Block { .paragraph([.text(words)]) }
    #expect(
      lines([
        .list(
          .bullets,
          items: [[text("one"), .list(.bullets, items: [[text("inner")]])], [text("two")]]),
        .list(
          .numbers(from: 9, as: .lowerRoman),
          items: [[text("nine"), text("more")], [text("ten")]]),
        .list(.terms, items: [[text("Wool"), text("warm")], [text("Felt"), text("warmer")]]),
      ]) == [
        "• one", "  • inner", "• two", "", "ix. nine", "", "    more", "", " x. ten", "",
        "Wool", "  warm", "Felt", "  warmer",
      ])
  }

  @Test func `what is nested keeps the marks of all that is around it`() {
    #expect(
      lines([
        .quote([
          .paragraph([.text("Said")]),
          .list(.bullets, items: [[.paragraph([.text("one")]), .paragraph([.text("more")])]]),
          .quote([.paragraph([.text("by others")])]),
        ])
      ]) == [
        "▎ Said", "", "▎ • one", "", "▎   more", "", "▎ ▎ by others",
      ])
  }

  @Test func `links have numbers, listed with their addresses at the end`() {
    let document = Document(
      blocks: [
        .paragraph([
          .text("See "), .text("this", link: 1), .text(" page", .strong, link: 1), .text(" and "),
          .text("that", link: 2), .text("."),
        ])
      ],
      links: [Link(number: 1, address: "http://a/"), Link(number: 2, address: "http://b/")])
    #expect(
      lines(document, width: 30) == [
        "See this page[1] and that[2].", "", String(repeating: "─", count: 30), "",
        "[1] http://a/", "[2] http://b/",
      ])
  }

  @Test func `pictures are described, code is not wrapped into other code, rules are drawn`() {
    #expect(
      lines(
        [
          .picture(Picture(alt: "A sock", address: nil)), .picture(Picture(alt: "", address: nil)),
          .code(language: nil, text: "if a {\n  b()\n}"), .rule,
        ], width: 10) == [
          "[picture:", "A sock]", "", "[picture]", "", "  if a {", "    b()", "  }", "",
          "──────────",
        ])
  }

  @Test func `a table shares its width, the wide columns giving way`() {
    let rows = [["Key", "What it does"], ["q", "ends the program at once"]].map { row in
      row.map { [Inline.text($0)] }
    }
    #expect(
      lines([.table(Table(rows: rows, hasHeader: true))], width: 19) == [
        "Key  What it does", "───────────────────", "q    ends the", "     program at", "     once",
      ])
    #expect(
      lines([.table(Table(rows: rows, hasHeader: false))], width: 40) == [
        "Key  What it does", "q    ends the program at once",
      ])
  }

  private func tableLines(_ rows: [[StyledText]], width: Int) -> [StyledLine] {
    TableLayout(
      rowCount: rows.count, columnCount: rows.map(\.count).max() ?? 0, hasHeader: true
    ) { rows[$0] }
    .lines(of: rows.indices, width: width, theme: .mono)
  }

  @Test func `a table of any shape fits into every width but those in which it could not be read`()
  {
    let rows: [[[Inline]]] = [
      [[.text("a")]], [], [[.text("字字")], [.text("bb")], [.text("long long long")]],
    ]
    for width in 1...40 {
      let cells = rows.map { $0.map { _ in StyledText("字字 words of a cell") } }
      for line in tableLines(cells, width: width) where width >= 28 {
        #expect(line.width <= width)
      }
      _ = lines([.table(Table(rows: rows, hasHeader: true))], width: width)
    }
    #expect(tableLines([], width: 10).isEmpty)
    #expect(tableLines([[]], width: 10).isEmpty)
  }

  // MARK: Long blocks

  /// Returns the lines of each paragraph at a width.
  private func blocks(_ blocks: [Block], width: Int = 60) -> [[String]] {
    DocumentBlocks(theme: .mono).blocks(of: Document(blocks: blocks)).map { block in
      block.lines(width).map { String($0.text.reversed().drop { $0 == " " }.reversed()) }
    }
  }

  @Test func `no part of a paragraph, code or a table of a megabyte is longer than some pages`() {
    let words = (0..<100_000).map { "word\($0)" }
    let paragraph = blocks([.paragraph([.text(words.joined(separator: " "))])])
    #expect(paragraph.map(\.count).max() ?? 0 < 400)
    #expect(paragraph.joined().joined(separator: " ") == words.joined(separator: " "))

    let lines = words.map { [Inline.text($0), .lineBreak] }.joined()
    let broken = blocks([.paragraph(Array(lines.dropLast()))])
    #expect(broken.map(\.count).max() ?? 0 < 4_000)
    #expect(Array(broken.joined()) == words)

    let code = blocks([.code(language: nil, text: words.joined(separator: "\n"))])
    #expect(code.map(\.count).max() == 100)
    #expect(Array(code.joined()) == words)

    let rows = words.prefix(1_000).map { [[Inline.text($0)], [.text("x")]] }
    let table = blocks([.table(Table(rows: rows, hasHeader: true))])
    #expect(table.map(\.count).max() == 41)
    #expect(table.joined().count == 1_001)
    #expect(table[3][0] == "word120  x")
  }

  private nonisolated static let links: [Inline] = (1...20_000).flatMap { number -> [Inline] in
    [.text("x", link: number), .text(" ")]
  }
  private nonisolated static let runs: [Inline] = (1...50_000).map { number -> Inline in
    .text("word", number % 2 == 0 ? .strong : [])
  }
  private nonisolated static let cell: [Inline] = [.text("cell")]
  private nonisolated static let longCell: [Inline] = [
    .text(String(repeating: "word ", count: 200_000))
  ]

  private nonisolated static let longBlocks: [Block] = [
    .paragraph([.text(String(repeating: "x", count: 1_000_000))]),
    .paragraph([.text(String(repeating: "字", count: 300_000))]),
    .paragraph([.text(String(repeating: "word ", count: 200_000), link: 1)]),
    .paragraph(links),
    .paragraph(runs),
    .paragraph(Array(repeating: .lineBreak, count: 50_000)),
    .code(language: nil, text: String(repeating: "x", count: 1_000_000)),
    .code(language: nil, text: String(repeating: "a line of code\n", count: 50_000)),
    .table(Table(rows: [[cell, longCell]], hasHeader: true)),
    .table(Table(rows: [Array(repeating: cell, count: 100_000)], hasHeader: false)),
    .table(
      Table(
        rows: Array(repeating: Array(repeating: cell, count: 500), count: 200), hasHeader: false)),
  ]

  // Keys have to wait while a block is laid out, so each must be short.
  @Test(arguments: longBlocks.indices)
  func `nothing that is laid out at once is long`(index: Int) {
    let made = DocumentBlocks(theme: .mono).blocks(of: Document(blocks: [Self.longBlocks[index]]))
    for block in made {
      let lines = block.lines(60)
      let size = lines.reduce(0) { $0 + $1.width }
      #expect(size <= 80_000)
      #expect(lines.count <= 10_000)
      // A screenful of the widest lines must be short, too.
      #expect(lines.allSatisfy { $0.width <= 6_000 })
    }
  }

  @Test func `the cells of a row of much text are paragraphs, and the others stay a table`() {
    let long = String(repeating: "word ", count: 2_000) + "end"
    let rows: [[[Inline]]] = [
      [[.text("a")], [.text("b")]], [[.text(long)], [.text("c")]], [[.text("d")], [.text("e")]],
    ]
    let made = blocks([.table(Table(rows: rows, hasHeader: true))])
    #expect(made.first == ["a  b", "────"])
    #expect(made.last == ["d  e"])
    #expect(made.dropFirst().dropLast().joined().joined(separator: " ") == long + " c")
  }

  @Test func `long lines of code are cut, and the lines around them stay whole`() {
    let long = String(repeating: "x", count: 40_000)
    let text = ["one", long, "", "two", String(repeating: "y ", count: 7_000)].joined(
      separator: "\n")
    for end in ["", "\n", "\n\n"] {
      let made = blocks([.code(language: nil, text: text + end)]).joined()
      #expect(made.joined().filter { $0 == "x" }.count == 40_000)
      #expect(made.joined().filter { $0 == "y" }.count == 7_000)
      #expect(made.first == "one")
      #expect(made.contains("two"))
    }
  }

  @Test func `a link is not cut in two`() {
    let long = String(repeating: "word ", count: 8_000) + "word"
    let made = DocumentBlocks(theme: .mono).blocks(
      of: Document(blocks: [.paragraph([.text("See "), .text(long, link: 1), .text(".")])]))
    #expect(made.count == 1)
  }
}
