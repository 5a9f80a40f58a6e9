import PseudoTerminal
import Testing

@testable import Limits

@Suite struct MarksTests {
  private func limited(_ text: String) -> String { String(outside: Array(text.utf8)) }

  @Test func `a run of marks is cut to the limit, and what is around it stays`() {
    let marks = String(repeating: "\u{301}\u{316}", count: 200_000)
    let kept = String(repeating: "\u{301}\u{316}", count: Marks.limit / 2)
    let text = limited("a" + marks + "b" + marks + "é" + marks)
    #expect(text.utf8.elementsEqual("a\(kept)b\(kept)é\(kept)".utf8))
  }

  @Test(arguments: [
    "", "plain", "żółw", "e\u{301}", "👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽 ❤️ 🇩🇪", "ภาษาไทย", "日本語", "हिन्दी", "\u{FFFD}\u{10FFFF}",
  ])
  func `what people write stays as it is`(text: String) {
    #expect(limited(text).utf8.elementsEqual(text.utf8))
  }

  @Test func `what is left of random text has no long run and is a part of it`() {
    var generator = SeededGenerator(seed: 3)
    let pieces: [Unicode.Scalar] = [
      "a", "\u{301}", "\u{316}", "\u{200D}", "\u{FE0F}", "é", "語", "\u{E0020}", "👍", "\n",
    ]
    for _ in 0..<300 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<8, using: &generator) {
        let scalar = pieces.randomElement(using: &generator) ?? "a"
        let count = Int.random(in: 1..<60, using: &generator)
        text.append(contentsOf: repeatElement(scalar, count: count))
      }
      let result = limited(String(text)).unicodeScalars
      var run = 0
      for scalar in result {
        run = isMark(scalar) ? run + 1 : 0
        #expect(run <= Marks.limit)
      }
      #expect(result.filter { !isMark($0) } == text.filter { !isMark($0) })
    }
  }

  private func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory)
  }

  @Test func `bytes that are no UTF-8 are replaced`() {
    #expect(String(outside: [0x61, 0xCC]) == "a\u{FFFD}")
    #expect(
      String(outside: [0xF4, 0xFF, 0xFF, 0xFF]).unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
  }
}
