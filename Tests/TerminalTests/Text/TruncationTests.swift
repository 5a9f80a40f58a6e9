import PseudoTerminal
import Testing

@testable import Terminal

private func truncated(
  _ text: String, _ width: Int, _ truncation: StyledText.Truncation = .tail
) -> String {
  StyledText(text).truncated(width: width, truncation).text
}

@Suite struct TruncationTests {
  @Test func `text that fits is not changed`() {
    #expect(truncated("Hello", 5) == "Hello")
    #expect(truncated("Hello", 5, .middle) == "Hello")
    #expect(truncated("Hello ", 6, .head) == "Hello ")
    #expect(truncated("a\nb\tc", 5) == "a b c")
  }

  @Test func `text that does not fit ends with an ellipsis`() {
    #expect(truncated("Hello world", 8) == "Hello w…")
    #expect(truncated("Hello world", 7) == "Hello…")
    #expect(truncated("日本語", 5) == "日本…")
    #expect(truncated("日本語", 4) == "日…")
  }

  @Test func `the head or the middle may go instead`() {
    #expect(truncated("The quick brown dog", 8, .head) == "…own dog")
    #expect(truncated("The quick brown dog", 9, .middle) == "The…n dog")
    #expect(truncated("日本語日本語", 6, .head) == "…本語")
    #expect(truncated("日本語日本語", 8, .middle) == "日本…語")
  }

  @Test func `widths of one and none end`() {
    for truncation in [StyledText.Truncation.tail, .middle, .head] {
      #expect(truncated("ab", 1, truncation) == "…")
      #expect(truncated("字", 1, truncation) == "…")
      #expect(truncated("a", 1, truncation) == "a")
      #expect(truncated("a", 0, truncation) == "")
      #expect(truncated("", 3, truncation) == "")
    }
  }

  @Test func `the ellipsis looks like what it follows`() {
    let (bold, dim) = (Style(attributes: .bold), Style(attributes: .dim))
    var text = StyledText("ab", style: bold, tag: 1)
    text.append("cdef", style: dim, tag: 2)
    #expect(text.truncated(width: 3).runs.map(\.style) == [bold])
    #expect(text.truncated(width: 4).runs.map(\.tag) == [1, 2])
    #expect(text.truncated(width: 3, .head).runs.map(\.tag) == [1, 2])
  }

  @Test func `no text is wider than asked for`() {
    forEachSeed { generator, seed in
      let text = generator.hostileText(length: 30)
      let width = Int.random(in: 1...20, using: &generator)
      for truncation in [StyledText.Truncation.tail, .middle, .head] {
        let line = StyledText(text).truncated(width: width, truncation)
        #expect(line.width <= width, "seed \(seed)")
        #expect((line.width == columns(of: text)) == (columns(of: text) <= width), "seed \(seed)")
      }
    }
  }
}
