import PseudoTerminal
import Testing

@testable import Articles

@Suite struct ReadingTimeTests {
  @Test func `words outside of tags count, and ideographs`() {
    #expect(ReadingTime.minutes(html: "<p class='a b c'> <br>") == nil)
    #expect(ReadingTime.minutes(html: "<b>one</b>") == 1)
    let words = String(repeating: "<i>word</i> ", count: 1_150)
    #expect(ReadingTime.minutes(html: words) == 5)
    #expect(ReadingTime.minutes(html: String(repeating: "語", count: 4_500)) == 10)
    #expect(ReadingTime.minutes(html: String(repeating: "żółw ", count: 460)) == 2)
  }

  /// The same, byte by byte.
  private func minutesCountedSlowly(_ html: String) -> Int? {
    var (words, ideographs) = (0, 0)
    var (isInTag, isInWord) = (false, false)
    for byte in html.utf8 {
      if isInTag {
        isInTag = byte != UInt8(ascii: ">")
      } else if byte == UInt8(ascii: "<") {
        (isInTag, isInWord) = (true, false)
      } else if byte <= 0x20 {
        isInWord = false
      } else if 0xE3...0xE9 ~= byte {
        ideographs += 1
        isInWord = false
      } else if isInWord || !(0x80...0xBF ~= byte) {
        if !isInWord { words += 1 }
        isInWord = true
      }
    }
    guard words + ideographs > 0 else { return nil }
    return max(1, Int((Double(words) / 230 + Double(ideographs) / 450).rounded()))
  }

  @Test(arguments: 0..<200)
  func `many bytes at once count as much as one after the other`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let pieces = ["<", ">", " ", "a", "word", "語", "ż", "\n", "<p>", "é ", "<a href='x y'>", "😀"]
    let piece = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
      pieces.randomElement(using: &generator)
    }.joined()
    for html in [piece, String(repeating: piece, count: 200)] {
      #expect(
        ReadingTime.minutes(html: html) == minutesCountedSlowly(html), "\(piece.debugDescription)")
    }
  }
}
