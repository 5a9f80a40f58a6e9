import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of matches in a text: where they are, how they are highlighted, and how they are scrolled
/// into view.
@MainActor
@Suite struct TextMatchTests {
  private static func paragraph(
    _ text: StyledText, prefix: (String, String) = ("", "")
  ) -> RichText.Block {
    var block = RichText.Block(
      firstPrefix: StyledText(prefix.0), prefix: StyledText(prefix.1)
    ) { text.wrapped(width: $0) }
    block.texts = { [text] }
    return block
  }

  private static func wide(_ lines: String...) -> RichText.Block {
    var block = RichText.Block { _ in
      lines.flatMap { StyledText($0).wrapped(width: 200) }
    }
    block.isWide = true
    block.texts = { lines.map { StyledText($0) } }
    return block
  }

  @MainActor
  private final class Reading {
    let proxy = ScrollProxy()
    let stage: Stage
    let matches: [TextMatch]
    private let current: CurrentMatch

    init(_ words: String, in blocks: [RichText.Block], width: Int, height: Int) throws {
      let pattern = try #require(TextPattern(words))
      let matches = SearchableText(blocks).matches(of: pattern)
      let (proxy, current) = (proxy, CurrentMatch())
      (self.matches, self.current) = (matches, current)
      stage = Stage(width, height) {
        ScrollView(proxy) {
          RichText(id: 0, found: RichText.Found(pattern, matches, current: current.number)) {
            blocks
          }
        }
      }
    }

    func go(to number: Int) {
      current.number = number
      proxy.scroll(to: matches[number])
      stage.settle()
    }

    /// The rows, with matches in brackets, and the current match in braces.
    var rows: [String] {
      (0..<stage.size.height).map { y in
        var (row, open) = ("", "")
        for cell in stage.frame.cells.row(y) {
          let style = cell.style.attributes
          let mark = !style.contains(.reverse) ? "" : style.contains(.bold) ? "{" : "["
          if mark != open {
            row += (open == "{" ? "}" : open == "[" ? "]" : "") + mark
            open = mark
          }
          row += cell.glyph.text
        }
        return String(row.reversed().drop { " ▐".contains($0) }.reversed())
      }
    }
  }

  @Test func `matches are marked across lines, bullets and links`() throws {
    var link = StyledText("a wool")
    link.append("[1]", isAddition: true)
    link.append(" sock")
    let reading = try Reading(
      "wool sock",
      in: [
        Self.paragraph(StyledText("WOOL sock, wool socks"), prefix: ("• ", "▎ ")),
        Self.paragraph(link), Self.wide("the wool  sock is long", "wool", "sock"),
      ], width: 12, height: 9)
    #expect(reading.matches.map(\.block) == [0, 0, 1, 2])
    reading.go(to: 1)
    #expect(
      reading.rows == [
        "• [WOOL]", "▎ [sock],", "▎ {wool}", "▎ {sock}s", "", "a [wool[1]]", "[sock]", "",
        "the [wool ]›",
      ])
  }

  @Test func `a match comes into sight with what stands before it, and moves nothing in sight`()
    throws
  {
    let lines = (0..<40).map { $0 % 13 == 12 || $0 == 14 ? "wool \($0)" : "line \($0)" }
    let reading = try Reading(
      "wool", in: lines.map { Self.paragraph(StyledText($0)) }, width: 12, height: 9)
    #expect(reading.matches.map(\.block) == [12, 14, 25, 38])
    reading.go(to: 0)
    #expect(
      reading.rows == [
        "", "line 11", "", "{wool} 12", "", "line 13", "", "[wool] 14", "",
      ])
    reading.go(to: 1)
    #expect(
      reading.rows == [
        "", "line 11", "", "[wool] 12", "", "line 13", "", "{wool} 14", "",
      ])
    reading.go(to: 3)
    #expect(reading.rows.contains("{wool} 38"))
  }

  @Test
  func `a match at the beginning of a line is in that line, and not at the end of the one before`()
    throws
  {
    let text = StyledText("a sock, wool socks")
    let reading = try Reading("wool", in: [Self.paragraph(text)], width: 10, height: 1)
    reading.go(to: 0)
    #expect(reading.rows == ["{wool}"])
  }

  @Test func `in lines that are not wrapped the one that the user is at is the one that is shown`()
    throws
  {
    let reading = try Reading(
      "wool", in: [Self.wide("wool and wool", "no", "wool")], width: 20, height: 4)
    #expect(reading.matches.count == 3)
    reading.go(to: 1)
    #expect(reading.rows == ["[wool] and {wool}", "no", "[wool]", ""])
    reading.go(to: 2)
    #expect(reading.rows == ["[wool] and [wool]", "no", "{wool}", ""])
  }

  @Test func `a match in a table whose cells are wrapped is as near as can be`() throws {
    // One of the matches spans two cells, and is broken where they are narrow.
    var block = RichText.Block { _ in
      ["red   blue", "wool  sock"].flatMap { StyledText($0).wrapped(width: 40) }
    }
    block.isWide = true
    block.texts = { [StyledText("red wool"), StyledText("blue sock"), StyledText("wool")] }
    let reading = try Reading("wool", in: [block], width: 20, height: 2)
    #expect(reading.matches.count == 2)
    reading.go(to: 1)
    #expect(reading.rows == ["red   blue", "[wool]  sock"])
  }
}

/// The number of the current match.
@MainActor
@Observable
private final class CurrentMatch {
  var number: Int?
}
