import PseudoTerminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of long texts, which only lay out the lines near the screen.
@MainActor
@Suite struct RichTextLayoutTests {
  @MainActor
  private final class Count {
    var made = 0
    var asked = 0
  }

  private static let words = [
    "a", "word", "something", "漢字", "well-known", "e\u{301}te\u{301}", "Donaudampfschifffahrt", "—",
  ]

  private static func text(_ words: Int, using generator: inout SeededGenerator) -> StyledText {
    var text = StyledText()
    for index in 0..<words {
      let word = Self.words.randomElement(using: &generator) ?? ""
      text.append(index == 0 ? word : " " + word)
    }
    return text
  }

  /// Returns blocks of every kind, many with a wrong expected height.
  private static func blocks(using generator: inout SeededGenerator) -> [RichText.Block] {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    return (0..<number(1...60)).map { index in
      let isIndented = number(0...3) == 0
      let (first, rest) =
        isIndented ? (StyledText("12. "), StyledText("    ")) : (StyledText(), StyledText())
      let guess = number(0...8)
      if number(0...7) == 0 {
        let rows = number(1...12)
        return RichText.Block(
          spaceBefore: number(0...1), firstPrefix: first, prefix: rest,
          view: RichText.EmbeddedView(rows: { _ in rows }) { Text("view") })
      }
      let isWide = number(0...5) == 0
      let text = text(number(0...60), using: &generator)
      var block = RichText.Block(
        spaceBefore: number(0...2), firstPrefix: first, prefix: rest
      ) { isWide ? text.wrapped(width: 90) : text.wrapped(width: $0) }
      block.isWide = isWide
      block.isHeading = number(0...5) == 0
      if number(0...5) > 0 { block.expectedRows = { _ in guess } }
      if number(0...9) == 0 { block.names = ["note \(index)"] }
      return block
    }
  }

  /// The scroll position as a scroll view keeps it.
  @MainActor
  private struct Reading {
    let layout: RichTextLayout
    var part = 0
    var rowsInto = 0
    var isEnd = false
    var row = 0

    mutating func place(_ row: Int) {
      part = layout.part(atRow: max(0, row)) ?? 0
      rowsInto = layout.parts.isEmpty ? 0 : max(0, row) - layout.parts[part].start
      isEnd = false
    }

    /// Applies a key of a scroll view.
    mutating func move(_ kind: Int, _ rows: Int, to target: Int, height: Int) {
      switch kind {
      case 0: isEnd = true
      case 1: place(0)
      case 2, 3:
        if let next = layout.heading(from: row, isForwards: kind == 2) { place(next.row) }
      case 4: if let part = layout.part(named: "note \(target)") { place(layout.parts[part].top) }
      case 5:
        if layout.parts.indices.contains(target) {
          place(layout.row(afterCharacters: rows * 5, of: target))
        }
      case 6: _ = layout.shift(layout.wideParts(row..<(row + height)), by: rows)
      default: place(min(max(0, layout.height - height), row + rows))
      }
    }

    mutating func show(height: Int) -> [String] {
      let wanted = layout.row(rowsInto, of: part) ?? 0
      row = layout.prepare(row: wanted, height: height, isEnd: isEnd)
      let isEnd = isEnd
      place(row)
      self.isEnd = isEnd
      return (row..<min(layout.height, row + height)).map { row in
        guard let index = layout.part(atRow: row) else { return "" }
        let part = layout.parts[index]
        guard part.top <= row else { return "\(index):" }
        let ends = layout.hiddenEnds(row, of: index)
        return "\(index): \(layout.line(row, of: index).text) \(ends)"
      }
    }
  }

  @Test(arguments: 1...100)
  func `what is seen of a long text is what would be seen if all of it had lines`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    let blocks = Self.blocks(using: &generator)
    let text = RichText(id: 0) { blocks }
    var long = Reading(layout: RichTextLayout(longestWhole: 0))
    var whole = Reading(layout: RichTextLayout(longestWhole: .max))
    var width = number(8...60)
    let height = number(1...20)
    for _ in 0..<25 {
      long.layout.lay(out: text, width: width)
      whole.layout.lay(out: text, width: width)
      let seen = long.show(height: height)
      #expect(seen == whole.show(height: height))
      #expect(
        long.layout.characters(beforeRow: long.row, of: long.part)
          == whole.layout.characters(beforeRow: whole.row, of: whole.part))
      let (kind, rows, target) = (number(0...9), number(-height...height), number(0...59))
      long.move(kind, rows, to: target, height: height)
      whole.move(kind, rows, to: target, height: height)
      if number(0...7) == 0 { width = number(8...60) }
    }
  }

  @Test func `the place in a quote does not depend on how often its bar is drawn`() {
    let words = StyledText((1000..<1600).map { "w\($0)" }.joined(separator: " "))
    let bar = StyledText("│ ")
    let text = RichText(id: 0) {
      [RichText.Block(spaceBefore: 0, firstPrefix: bar, prefix: bar) { words.wrapped(width: $0) }]
    }
    let layout = RichTextLayout(longestWhole: .max)
    func lay(_ width: Int) {
      layout.lay(out: text, width: width)
      _ = layout.prepare(row: 0, height: 1_000, isEnd: false)
    }
    lay(80)
    let row = layout.height - 10
    let place = layout.characters(beforeRow: row, of: 0)
    let first = layout.line(row, of: 0).text.dropFirst(2).prefix(5)
    lay(30)
    let found = layout.line(layout.row(afterCharacters: place, of: 0), of: 0).text
    #expect(found.contains(first), "\(first) \(found)")
  }

  @Test func `of ten thousand paragraphs those have lines that are near the screen`() throws {
    let count = Count()
    let host = ViewHost(
      ScrollView {
        RichText(id: 0) {
          count.asked += 1
          return (0..<10_000).map { index in
            var block = RichText.Block { width in
              count.made += 1
              return StyledText("Paragraph \(index) with some words to be wrapped twice or so.")
                .wrapped(width: width)
            }
            block.expectedRows = { _ in 1 }
            return block
          }
        }
      })
    let size = Size(width: 22, height: 20)
    var frame = host.frame(size: size)
    host.didPresent(frame)
    #expect(count.made < 60)
    host.press("G", in: frame)
    frame = host.frame(size: size)
    host.didPresent(frame)
    #expect(frame.text.contains("Paragraph 9999 with"))
    #expect(frame.text.contains("twice or so"))
    #expect(count.made < 120)
    // A page up, and the same page again.
    host.press(.pageUp, in: frame)
    frame = host.frame(size: size)
    host.didPresent(frame)
    #expect(frame.text.contains("Paragraph 9994 with"))
    // Another width.
    let wider = host.frame(size: Size(width: 40, height: 20))
    #expect(wider.text.contains("Paragraph 999"))
    #expect(count.made < 240)
    #expect(count.asked == 1)
  }

  @Test func `code that is moved to the side is drawn there at once`() {
    let host = ViewHost(
      ScrollView {
        RichText(id: 0) {
          var block = RichText.Block { _ in
            StyledText("0123456789abcdefghijklmnopqrstuvwxyz").wrapped(width: 100)
          }
          block.isWide = true
          return [block]
        }
      })
    let size = Size(width: 20, height: 3)
    var frame = host.frame(size: size)
    host.didPresent(frame)
    for expected in ["‹9abcdefghijklmno›", "‹hijklmnopqrstuvw›", "‹jklmnopqrstuvwxyz"] {
      host.press(.right, in: frame)
      frame = host.frame(size: size)
      host.didPresent(frame)
      #expect(frame.text.hasPrefix(expected))
    }
  }

  @Test(arguments: [(15, true), (40, false)])
  func `the footer has the key that scrolls a line while one is cut`(width: Int, isCut: Bool) {
    let stage = Stage(width, 4) {
      VStack(alignment: .leading) {
        ScrollView {
          RichText(id: 0) {
            var block = RichText.Block { _ in StyledText("0123456789abcdef").wrapped(width: 100) }
            block.isWide = true
            return [block]
          }
        }
        KeyFooter()
      }
    }
    #expect(stage.text.contains("→") == isCut)
  }

  @Test func `a text that goes on after End was pressed goes on at its end`() {
    let stage = Stage(20, 5) { GrowingText() }
    stage.press("G")
    #expect(stage.text.contains("Paragraph 19"))
    stage.press("+")
    #expect(stage.text.contains("Paragraph 39"))
    // A user who has scrolled on stays there.
    stage.press("k")
    #expect(stage.text.contains("Paragraph 37"))
    stage.press("+")
    #expect(stage.text.contains("Paragraph 37"))
  }

  private struct GrowingText: View {
    @State private var count = 20

    var body: some View {
      ScrollView {
        RichText(id: count) {
          (0..<count).map { index in
            RichText.Block { StyledText("Paragraph \(index) ").wrapped(width: $0) }
          }
        }
      }
      .onKeyPress("+", label: "more") { count += 20 }
    }
  }
}
