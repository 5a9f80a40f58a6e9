import PseudoTerminal
import Testing

@testable import Terminal

/// Words found in a text, against a naive search in the folded letters.
@Suite struct TextPatternTests {
  private func matches(_ words: String, in text: String) -> [Range<Int>] {
    TextPattern(words)?.matches(in: StyledText(text)) ?? []
  }

  @Test func `neither case nor marks nor blanks make a difference`() {
    #expect(matches("cafe au", in: "Café  au lait, CAFE\nAU") == [0..<6, 11..<17])
    #expect(matches("É", in: "e\u{301}eE") == [0..<1, 1..<2, 2..<3])
    #expect(matches("  a  b ", in: "a b") == [0..<2])
    #expect(matches("ab", in: "a b").isEmpty)
    #expect(matches("靴下", in: "東京の靴下") == [3..<5])
    #expect(matches("ａ", in: "a") == [0..<1])
  }

  @Test func `words with nothing to look for are no pattern`() {
    #expect(TextPattern("") == nil)
    #expect(TextPattern(" \t\u{1B}") == nil)
  }

  @Test func `no two matches overlap, and what begins within a false start is found`() {
    #expect(matches("aa", in: "aaaaa") == [0..<2, 2..<4])
    #expect(matches("aab", in: "aaab") == [1..<4])
    #expect(matches("abab c", in: "ababab c") == [2..<7])
    #expect(matches("s", in: "Straße") == [0..<1, 4..<5])
  }

  @Test func `additions to a text are counted and not looked at`() {
    var text = StyledText("read the hand")
    text.append("book", tag: 3)
    text.append("[3]", tag: 3, isAddition: true)
    text.append(" now [3]")
    #expect(TextPattern("handbook now")?.matches(in: text) == [7..<21])
    #expect(TextPattern("[3]")?.matches(in: text) == [21..<24])
  }

  @Test(arguments: 0..<20)
  func `a pattern is found wherever a naive search finds it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      func letters(_ count: ClosedRange<Int>) -> String {
        String(
          (0..<Int.random(in: count, using: &generator)).map { _ in
            "aaabb é".randomElement(using: &generator) ?? "a"
          })
      }
      let (text, words) = (letters(0...40), letters(1...5))
      let folded = { (text: String) in
        text.replacing("é", with: "e").split(separator: " ").joined(separator: " ")
      }
      let (haystack, needle) = (Array(folded(text)), Array(folded(words)))
      var wanted: [Range<Int>] = []
      var start = 0
      while !needle.isEmpty, start + needle.count <= haystack.count {
        if Array(haystack[start..<start + needle.count]) == needle {
          let before = haystack[..<start].count { $0 != " " }
          wanted.append(before..<before + needle.count { $0 != " " })
          start += needle.count
        } else {
          start += 1
        }
      }
      #expect(matches(words, in: text) == wanted, "“\(words)” in “\(text)”")
    }
  }

  @Test func `a match is marked across the blanks within it, and nowhere else`() throws {
    let line = try #require(StyledText("to a b, c").wrapped(width: 20).first)
    let marked = line.restyled([1..<3, 4..<5]) { style, number in
      style.attributes = number == 0 ? .bold : .reverse
    }
    #expect(marked.runs.map { $0.glyphs.map(\.text).joined() } == ["t", "o a", " b", ",", " c"])
  }
}
