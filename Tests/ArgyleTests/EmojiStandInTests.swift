import Testing

@testable import Argyle

@Suite struct EmojiStandInTests {
  @Test func `what cells would cut is one character meanwhile, and comes back`() {
    let emoji = EmojiStandIns()
    let text = "a 👨‍👩‍👧‍👦👍🏽 🇩🇪 e\u{301} \u{2A000} 👨‍👩‍👧‍👦 b"
    let replaced = emoji.replace(in: text)
    #expect(replaced == "a \u{2A000}\u{2A001} \u{2A002} e\u{301} \u{2A003} \u{2A000} b")
    #expect(emoji.restore(in: replaced) == text)
    #expect(emoji.replace(in: "👍 ok") == "👍 ok")
  }

  @Test(arguments: ["👍\u{202E}\u{200D}x", "\u{1B}[31m", "👍\u{200D}\u{9B}", "❤\u{FE0F}\u{202E}"])
  func `nothing that cells keep away gets by as a part of emoji`(text: String) {
    let emoji = EmojiStandIns()
    let back = printable(emoji.replace(in: text))
    #expect(
      !emoji.restore(in: back).unicodeScalars.contains {
        "\u{202E}\u{1B}\u{9B}".unicodeScalars.contains($0)
      })
  }
}
