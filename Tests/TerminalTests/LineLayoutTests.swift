import Testing

@testable import Terminal

/// Lines that are widened to an edge, and lines that are scrolled to the side.
@Suite struct LineLayoutTests {
  private func lines(_ text: String, width: Int) -> [String] {
    StyledText(text).wrapped(width: width, isJustified: true).map(\.text)
  }

  @Test
  func `blanks are widened from the left, but for the last line and what would be torn apart`() {
    #expect(
      lines("One two three four five\nsix", width: 11) == ["One two", "three  four", "five", "six"])
    #expect(lines("a bb ccc dddd ee", width: 10) == ["a  bb  ccc", "dddd ee"])
    #expect(lines("  aaa bb cc dddd", width: 12) == ["  aaa  bb cc", "dddd"])
    #expect(lines("unbreakable words", width: 12) == ["unbreakable", "words"])
    #expect(lines("字字 字字字 字", width: 11) == ["字字 字字字", "字"])
  }

  @Test func `no justified line is wider than it may be, and its words are what they were`() {
    let text = "A line of words, some of them rather long, and some of 全角文字 between them."
    for width in 1...60 {
      for line in StyledText(text).wrapped(width: width, isJustified: true) {
        #expect(line.width <= width)
      }
      let words = lines(text, width: width).joined().filter { $0 != " " }
      if width > 1 { #expect(words == text.filter { $0 != " " }) }
    }
  }

  @Test func `columns are dropped from the left, and half a wide glyph is a blank`() {
    var text = StyledText("ab字c")
    text.append("de", tag: 7)
    let line = text.truncated(width: 20)
    #expect(
      (0...9).map { line.dropping(columns: $0).text } == [
        "ab字cde", "b字cde", "字cde", " cde", "cde", "de", "e", "", "", "",
      ])
    #expect(
      (0...7).map { line.dropping(columns: 1, keeping: $0).text } == [
        "", "b", "b字", "b字", "b字c", "b字cd", "b字cde", "b字cde",
      ])
    #expect((2...4).map { line.dropping(columns: $0, keeping: 1).text } == ["字", " ", "c"])
    #expect(line.dropping(columns: 3).tag(atColumn: 2) == 7)
    #expect(line.tag(atColumn: 4) == nil)
    #expect((4...8).map(line.tag(atColumn:)) == [nil, 7, 7, nil, nil])
    #expect(line.tag(atColumn: -1) == nil)
  }

  @Test func `what goes to the clipboard is clean, and not too much`() throws {
    let bytes = try #require(ClipboardSequence.bytes("https://a/\u{1B}]52;c;!\u{7}\r\n\u{202E}b"))
    // The base64 of what is left: no order, no line end, no turned direction.
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}]52;c;"))
    #expect(text.hasSuffix("\u{1B}\\"))
    #expect(bytes.filter { $0 < 0x20 }.count == 2)
    #expect(
      ClipboardSequence.bytes("https://a/") == Array("\u{1B}]52;c;aHR0cHM6Ly9hLw==\u{1B}\\".utf8))
    #expect(ClipboardSequence.bytes("") == nil)
    #expect(ClipboardSequence.bytes(String(repeating: "a", count: 8193)) == nil)
  }
}
