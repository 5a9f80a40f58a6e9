import Articles
import Loading
import TerminalUI
import Testing

@testable import Argyle

/// Tests of the table of contents of an article, with expected lines written by hand.
@MainActor
@Suite struct ContentsTests {
  private func still(_ blocks: [Block], width: Int = 32, height: Int = 12) -> Still {
    Still(reading: blocks, size: Size(width: width, height: height))
  }

  /// Returns the first line of the text, below its title.
  private func firstLine(_ still: Still) -> String? {
    still.lines.dropFirst().first { !$0.isEmpty }
  }

  private func press(_ keys: String, in still: Still) throws { still.play(try KeyScript(keys)) }

  @Test func `an article without an address offers neither the browser nor to copy one`() throws {
    let still = still(Self.parts, width: 200)
    let footer = try #require(still.lines.last)
    #expect(!footer.contains("browser") && !footer.contains("copy address"))
  }

  private static let parts = (1...9).flatMap { number -> [Block] in
    [
      .heading(level: number.isMultiple(of: 3) ? 3 : 2, [.text("Part \(number)")]),
      .paragraph([.text("Words of part \(number).")]), .paragraph([.text("More of them.")]),
    ]
  }

  @Test func `t lists the headings by level, Enter goes to one, and Esc to none`() throws {
    let still = still(Self.parts)
    try press("t", in: still)
    #expect(
      still.lines == [
        "╭─ Contents ───────────────────╮",
        "│ Part 1                       │",
        "│ Part 2                       │",
        "│   Part 3                     │",
        "│ Part 4                       │",
        "│ Part 5                       │",
        "│   Part 6                     │",
        "│ Part 7                       │",
        "│ Part 8                       │",
        "│   Part 9                     │",
        "╰──────────────────────────────╯",
        "Enter go there  Esc close",
      ])
    try press("j j j j enter", in: still)
    #expect(firstLine(still) == " Part 5")
    // The selection begins at the current heading.
    try press("t enter", in: still)
    #expect(firstLine(still) == " Part 5")
    try press("t j enter", in: still)
    #expect(firstLine(still) == " Part 6")
    try press("t g esc", in: still)
    #expect(firstLine(still) == " Part 6")
    still.end()
  }

  @Test func `from where it went one can return, and go there again`() throws {
    let still = still(Self.parts, width: 60)
    try press("j j", in: still)
    try press("t j j j j enter", in: still)
    #expect(firstLine(still) == " Part 5")
    #expect(still.lines.last?.contains("Ctrl-O to where you were") == true)
    try press("ctrl-o", in: still)
    #expect(firstLine(still) == " Words of part 1.")
    try press("backspace", in: still)
    #expect(firstLine(still) == " Part 5")
    still.end()
  }

  @Test func `on the lowest of screens it shows where one is`() throws {
    let still = still(Self.parts, width: 20, height: 5)
    try press("} } } t", in: still)
    #expect(still.lines[1...2].contains { $0.contains("Part 4") })
    try press("j j j j enter", in: still)
    #expect(still.lines[1] == "Part 8")
    still.end()
  }

  @Test func `an article without headings says so`() throws {
    let still = still([.paragraph([.text("Words.")]), .heading(level: 1, [])])
    try press("t", in: still)
    #expect(still.lines[10] == "This article has no headings.")
    #expect(!still.lines.contains { $0.contains("Contents") })
    still.end()
  }

  @Test func `an article without text says so, and where it is to be read`() throws {
    let still = still([], width: 44)
    #expect(still.lines.contains { $0.contains("The feed has no text for this article.") })
    try press("t", in: still)
    #expect(still.lines[10] == "This article has no headings.")
    still.end()
  }
}
