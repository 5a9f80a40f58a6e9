import PseudoTerminal
import Testing

@testable import Terminal

private func wrapped(_ text: String, _ width: Int, keepsAddresses: Bool = false) -> [String] {
  StyledText(text).wrapped(width: width, keepsAddresses: keepsAddresses).map(\.text)
}

@Suite struct LineWrapTests {
  @Test func `lines end at spaces, which are left out`() {
    #expect(wrapped("The quick brown fox", 10) == ["The quick", "brown fox"])
    #expect(wrapped("The quick brown fox", 9) == ["The quick", "brown fox"])
    #expect(wrapped("ab   cd  ", 2) == ["ab", "cd"])
    #expect(wrapped("ab   cd  ", 20) == ["ab   cd"])
    #expect(wrapped("字字\u{3000}字", 5) == ["字字", "字"])
  }

  @Test func `no-break spaces hold words together`() {
    #expect(wrapped("page 10\u{A0}km", 8) == ["page", "10\u{A0}km"])
  }

  @Test func `the text's own lines are kept, empty ones too`() {
    #expect(wrapped("a\n\nb", 5) == ["a", "", "b"])
    #expect(wrapped("a\r\nb\u{2028}c", 5) == ["a", "b", "c"])
    #expect(wrapped("a\n", 5) == ["a", ""])
    #expect(wrapped("", 5) == [""])
    #expect(wrapped("   \n a", 2) == ["", " a"])
    #expect(StyledText().wrapped(width: 5).map(\.text) == [""])
  }

  @Test func `words break after their hyphens`() {
    #expect(wrapped("a well-known fact", 7) == ["a well-", "known", "fact"])
    #expect(wrapped("yes—no", 4) == ["yes—", "no"])
    #expect(wrapped("see --help", 7) == ["see", "--help"])
    #expect(wrapped("on 2026-11-21", 8) == ["on", "2026-11-", "21"])  // only for want of room
    #expect(wrapped("at -5 now", 4) == ["at", "-5", "now"])
  }

  @Test func `a word longer than the line is cut`() {
    #expect(wrapped("abcdefgh", 3) == ["abc", "def", "gh"])
    #expect(wrapped("a abcdefgh b", 3) == ["a", "abc", "def", "gh", "b"])
  }

  @Test func `an address is not cut where it is to be kept whole`() {
    let text = "see https://a-site.example/one-page or mailto:me@a-b.c, at once"
    #expect(
      wrapped(text, 10, keepsAddresses: true) == [
        "see", "https://a-site.example/one-page", "or", "mailto:me@a-b.c,", "at once",
      ])
    #expect(wrapped(text, 10)[1] == "https://a-")
    #expect(wrapped("は https://a.b/c日本", 6, keepsAddresses: true) == ["は", "https://a.b/c", "日本"])
    #expect(
      wrapped("abcdefgh 12:30", 3, keepsAddresses: true) == ["abc", "def", "gh", "12:", "30"])
    // Ends of lines, and blanks before an address, are those of the text.
    #expect(wrapped("a://b\n  c://d", 2, keepsAddresses: true) == ["a://b", "c://d"])
  }

  @Test func `no line ends after a hyphen of an address that fits on the next`() {
    #expect(
      wrapped("see http://a-b.c/d-e or well-known x", 16) == [
        "see", "http://a-b.c/d-e", "or well-known x",
      ])
    #expect(wrapped("see http://a-b.c/d-e", 12) == ["see", "http://a-b.c", "/d-e"])
    let long = String(repeating: "a:-", count: 20_000)
    #expect(wrapped(long, 30_000, keepsAddresses: true) == [long])
  }

  @Test func `ideographs break anywhere, and wide glyphs stay whole`() {
    #expect(wrapped("日本語", 4) == ["日本", "語"])
    #expect(wrapped("日本語", 5) == ["日本", "語"])
    #expect(wrapped("abc日本", 5) == ["abc日", "本"])
    #expect(wrapped("👩👩👩", 4) == ["👩👩", "👩"])
  }

  @Test func `Korean breaks at its spaces`() {
    #expect(wrapped("한국어 문장", 8) == ["한국어", "문장"])
  }

  @Test func `closing punctuation never starts a line and opening never ends one`() {
    #expect(wrapped("日本語。", 6) == ["日本", "語。"])
    #expect(wrapped("日本っ", 4) == ["日", "本っ"])
    #expect(wrapped("日「本」", 6) == ["日", "「本」"])
    #expect(wrapped("日「本", 4) == ["日", "「本"])
    #expect(wrapped("。。。", 4) == ["。。", "。"])
  }

  @Test func `an indent stays, unless nothing fits beside it`() {
    #expect(wrapped("  a b", 4) == ["  a", "b"])
    #expect(wrapped("a\n    bb", 4) == ["a", "bb"])
    #expect(wrapped("      ", 4) == [""])
  }

  @Test func `tabs go to stops of four columns`() {
    #expect(wrapped("\ta\tb", 20) == ["    a   b"])
    #expect(wrapped("x\n字\ty", 20) == ["x", "字  y"])
  }

  @Test func `widths of one and none end`() {
    #expect(wrapped("ab c", 1) == ["a", "b", "c"])
    #expect(wrapped("a字b", 1) == ["a", "…", "b"])
    #expect(wrapped("  a", 1) == ["a"])
    #expect(wrapped("abc", 0) == [])
    #expect(wrapped("abc", -3) == [])
  }

  @Test func `styles and tags stay with their glyphs`() {
    let bold = Style(attributes: .bold)
    var text = StyledText("read ")
    text.append("", style: bold, tag: 9)
    text.append("the hand", style: bold, tag: 7)
    text.append("book")
    let lines = text.wrapped(width: 9)
    #expect(lines.map(\.text) == ["read the", "handbook"])
    #expect(lines.map { $0.runs.map(\.style) } == [[.plain, bold], [bold, .plain]])
    #expect(lines.map { $0.runs.map(\.tag) } == [[nil, 7], [7, nil]])
    #expect(lines.map { $0.runs.map(\.width) } == [[5, 3], [4, 4]])
    #expect(lines.map(\.width) == [8, 8])
  }

  @Test func `a redacted line has a block for every column, word by word`() {
    let line = StyledText("one 日 e\u{301}\u{A0}x").wrapped(width: 20)[0]
    #expect(line.redacted(with: .block).text == "▇▇▇ ▇▇ ▇\u{A0}▇")
    #expect(line.redacted(with: .block).width == line.width)
  }

  @Test func `every glyph is on a line, in order, and no line is too wide`() {
    forEachSeed { generator, seed in
      var text = StyledText()
      for tag in 0..<4 { text.append(generator.hostileText(length: 40), tag: tag) }
      let width = Int.random(in: 2...30, using: &generator)
      let lines = text.wrapped(width: width)

      let visible = text.runs.flatMap { Glyphs($0.text).filter { !$0.isBlank } }
      let glyphs = lines.flatMap(\.runs).flatMap(\.glyphs)
      #expect(glyphs.filter { !$0.isBlank } == visible, "seed \(seed)")
      for line in lines {
        #expect(line.width <= width, "seed \(seed)")
        #expect(line.width == line.runs.map(\.width).reduce(0, +), "seed \(seed)")
        #expect(line.redacted(with: .block).width == line.width, "seed \(seed)")
        #expect(line.runs.allSatisfy { !$0.glyphs.isEmpty }, "seed \(seed)")
      }
      #expect(lines.flatMap(\.runs).compactMap(\.tag).isSorted, "seed \(seed)")
    }
  }

  @Test func `narrow widths end for any text`() {
    forEachSeed(100) { generator, seed in
      let text = StyledText(generator.hostileText(length: 40))
      #expect(text.wrapped(width: 1).allSatisfy { $0.width <= 1 }, "seed \(seed)")
      #expect(text.wrapped(width: 0).isEmpty, "seed \(seed)")
    }
  }
}

extension [Int] {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
