import Articles
import TerminalUI
import Testing

@testable import Argyle

@Suite struct TableLayoutTests {
  /// Returns the steps and the lines of laying out all rows of a table.
  private func layOut(_ rows: [[String]], width: Int = 80) -> (steps: Int, lines: [StyledLine]) {
    let layout = TableLayout(
      rowCount: rows.count, columnCount: rows.map(\.count).max() ?? 0, hasHeader: false
    ) { rows[$0].map { StyledText($0) } }
    let lines = layout.lines(of: 0..<rows.count, width: width, theme: .mono)
    return (layout.steps, lines)
  }

  private static let tables: [(name: String, rows: @Sendable (Int) -> [[String]])] = [
    ("one wide row", { [Array(repeating: "cell", count: $0)] }),
    ("one long cell", { [["a", String(repeating: "word ", count: $0), "b"]] }),
    ("many rows", { Array(repeating: ["a", "b"], count: $0) }),
    (
      "a long cell at the end of a wide row",
      { count in
        [
          Array(repeating: "wide as a column", count: 256),
          Array(repeating: "", count: 255) + [String(repeating: "word ", count: count)],
        ]
      }
    ),
  ]

  @Test(arguments: 0..<4) func `work grows in proportion to the table`(index: Int) {
    var before: Int?
    for doubling in 0..<5 {
      let steps = layOut(Self.tables[index].rows(1_000 << doubling)).steps
      if let before {
        #expect(steps <= before * 9 / 4 + 20_000, "\(Self.tables[index].name): \(before), \(steps)")
      }
      before = steps
    }
  }

  @Test func `columns are aligned to the left, to the right and in the middle`() {
    let rows = [["name", "how many", "state"], ["a", "1", "on"], ["b", "2000", "-"]]
    let layout = TableLayout(
      rowCount: 3, columnCount: 3, hasHeader: true,
      alignment: { [.left, .right, .center][$0] }
    ) { rows[$0].map { StyledText($0) } }
    #expect(
      layout.lines(of: 0..<3, width: 40, theme: .mono).map(\.text) == [
        "name  how many  state", "─────────────────────", "a            1   on",
        "b         2000    -",
      ])
  }

  @Test func `a row of ten thousand cells has all of them on one line`() {
    let (_, lines) = layOut([(0..<10_000).map { "\($0)" }])
    #expect(lines.count == 1)
    #expect(lines[0].text.hasPrefix("0  1  2  "))
    #expect(lines[0].text.hasSuffix("9998  9999"))
  }

  @Test func `a cell that would make a table of blanks is shown by itself`() {
    let text = String(repeating: "word ", count: 20_000)
    let (_, lines) = layOut([
      Array(repeating: "wide as a column", count: 256), Array(repeating: "", count: 255) + [text],
    ])
    #expect(lines.dropFirst(10).allSatisfy { $0.width <= 80 })
    let words = lines.reduce(0) { $0 + $1.text.split(separator: " ").count { $0 == "word" } }
    #expect(words == 20_000)
  }

  @Test func `a number far down is not broken, nor is a word beside wide columns`() {
    let table = Table(
      rows: (1...3_000).map { number in
        [[.text("\(number)")], [.text(String(repeating: "x", count: 35))], [.text("Unbreakable")]]
      }, hasHeader: false)
    let blocks = DocumentBlocks(theme: .mono).blocks(of: Document(blocks: [.table(table)]))
    let lines = blocks.flatMap { $0.lines(40) }.map(\.text)
    #expect(lines.contains { $0.hasPrefix("2994  xxx") && $0.contains("Unbreakable") })
    #expect(lines.contains { $0.hasPrefix("1     xxx") })
  }

  @Test func `the words of a column are whole while other columns can give way`() {
    let (_, lines) = layOut(
      [["internationalization", String(repeating: "a few words ", count: 9)]], width: 36)
    #expect(lines[0].text == "internationalization  a few words a")
  }

  @Test func `an address in a cell is whole where a terminal's user is to copy it`() {
    let address = "https://example.org/a/long/way/to/the/page"
    let row = ["Some words that have to be wrapped", "See \(address) for more"]
    let layout = TableLayout(
      rowCount: 1, columnCount: 2, hasHeader: false, keepsAddresses: true
    ) { _ in row.map { StyledText($0) } }
    let lines = layout.lines(of: 0..<1, width: 60, theme: .mono).map(\.text)
    #expect(lines.contains { $0.contains(address) })
    let starts = Set(lines.compactMap { $0.range(of: "https")?.lowerBound.utf16Offset(in: $0) })
    #expect(starts.count == 1)
    #expect(lines.joined(separator: " ").split(separator: " ").contains("wrapped"))
  }
}
