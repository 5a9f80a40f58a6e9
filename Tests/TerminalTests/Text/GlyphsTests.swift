import PseudoTerminal
import Testing

@testable import Terminal

/// The glyphs of a text, each as text, a bar between them.
private func glyphs(_ text: some StringProtocol) -> String {
  Glyphs(text).map(\.text).joined(separator: "|")
}

private func scalars(_ text: String) -> [[UInt32]] {
  Glyphs(text).map { $0.scalars.map(\.value) }
}

@Suite struct GlyphsTests {
  @Test func `plain text is itself`() {
    #expect(glyphs("Hi, you~") == "H|i|,| |y|o|u|~")
    #expect(glyphs("") == "")
    #expect(glyphs("größe – “да” €") == "g|r|ö|ß|e| |–| |“|д|а|”| |€")
  }

  @Test func `a substring gives its own glyphs only`() {
    #expect(glyphs("naïve text".dropFirst(2).prefix(3)) == "ï|v|e")
  }

  @Test func `ends of lines and tabs are one space`() {
    #expect(glyphs("a\nb\tc") == "a| |b| |c")
    #expect(glyphs("a\r\nb") == "a| |b")
    #expect(glyphs("a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f") == "a| |b| |c| |d| |e| |f")
  }

  @Test func `controls are left out`() {
    let c0 = (0..<0x20).filter { ![9, 10, 11, 12].contains($0) }
    let c1 = (0x7F..<0xA0).filter { $0 != 0x85 }
    for value in c0 + c1 {
      let control = Unicode.Scalar(UInt8(value))
      #expect(glyphs("a\(control)b") == "a|b", "U+\(String(value, radix: 16))")
    }
  }

  @Test func `an escape sequence becomes its harmless rest`() {
    #expect(glyphs("\u{1B}[31mred\u{9B}0m") == "[|3|1|m|r|e|d|0|m")
    #expect(glyphs("\u{1B}]0;title\u{7}") == "]|0|;|t|i|t|l|e")
  }

  @Test func `bidi controls are left out and right-to-left words stay`() {
    for value in [0x202A...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x61C...0x61C].joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      #expect(glyphs("a\(scalar)b") == "a|b", "U+\(String(value, radix: 16))")
    }
    #expect(glyphs("שלום") == "ש|ל|ו|ם")
  }

  @Test func `what shows nothing is left out`() {
    let invisible: [UInt32] = [
      0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, 0x200B, 0x200C, 0x2060, 0x2064, 0x206F,
      0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0x1BCA0, 0x1D173, 0xE0001, 0xE0067,
      0xE0100, 0xE01EF,
    ]
    for scalar in invisible.compactMap(Unicode.Scalar.init) {
      #expect(glyphs("a\(scalar)b") == "a|b", "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func `broken bytes are repaired`() {
    func decoded(_ bytes: [UInt8]) -> String { glyphs(String(decoding: bytes, as: UTF8.self)) }
    #expect(decoded([0x61, 0xFF, 0x62]) == "a|\u{FFFD}|b")
    #expect(decoded([0x61, 0xE5, 0xAD]) == "a|\u{FFFD}")
    #expect(decoded([0xC0, 0x9B, 0x61]) == "\u{FFFD}|\u{FFFD}|a")  // an overlong ESC
    #expect(decoded([0xED, 0xA0, 0x80]) == "\u{FFFD}|\u{FFFD}|\u{FFFD}")  // half a surrogate pair
    #expect(decoded([0x9B, 0x33, 0x31, 0x6D]) == "\u{FFFD}|3|1|m")  // a C1 byte by itself
  }

  @Test func `marks stay with their base, four of them at most`() {
    #expect(scalars("e\u{301}x") == [[0x65, 0x301], [0x78]])
    let zalgo = "Z" + String(repeating: "\u{301}", count: 100) + "!"
    #expect(scalars(zalgo) == [[0x5A, 0x301, 0x301, 0x301, 0x301], [0x21]])
    #expect(scalars("字\u{302A}") == [[0x5B57, 0x302A]])
    #expect(scalars("\u{AC}\u{1D167}") == [[0xAC]])  // no room for a mark of more than 16 bits
  }

  @Test func `a mark is kept across what is left out before it`() {
    #expect(scalars("e\u{200B}\u{1B}\u{301}") == [[0x65, 0x301]])
  }

  @Test func `a mark without a base sits on a dotted circle`() {
    #expect(scalars("\u{301}a") == [[0x25CC, 0x301], [0x61]])
    #expect(scalars("a\n\u{301}\u{302}") == [[0x61], [0x20], [0x25CC, 0x301, 0x302]])
    #expect(scalars(" \u{301}") == [[0x20, 0x301]])
  }

  @Test func `Korean syllables in pieces are one glyph`() {
    #expect(scalars("\u{1112}\u{1161}\u{11AB}") == [[0x1112, 0x1161, 0x11AB]])
    #expect(columns(of: "\u{1112}\u{1161}\u{11AB}") == 2)
  }

  @Test func `of an emoji sequence the first emoji stays`() {
    #expect(glyphs("👩‍👩‍👧‍👦!") == "👩|!")
    #expect(scalars("👋🏽") == [[0x1F44B]])
    #expect(scalars("👩🏽‍🚀🚀") == [[0x1F469], [0x1F680]])
    #expect(scalars("🏳️‍🌈") == [[0x1F3F3]])
    #expect(scalars("❤️‍🔥") == [[0x2764]])
    #expect(scalars("🏴󠁧󠁢󠁳󠁣󠁴󠁿") == [[0x1F3F4]])
    #expect(glyphs("👩👩") == "👩|👩")
  }

  @Test func `a joiner between other things only goes away`() {
    #expect(scalars("a\u{200D}b") == [[0x61], [0x62]])
    #expect(scalars("a\u{200D}👩") == [[0x61], [0x1F469]])
    #expect(scalars("👩\u{200D}a") == [[0x1F469], [0x61]])
    #expect(scalars("क्\u{200D}ष") == [[0x915, 0x94D], [0x937]])
    #expect(scalars("ن\u{200C}ه") == [[0x646], [0x647]])
  }

  @Test func `a skin tone by itself stays`() {
    #expect(scalars("a🏽") == [[0x61], [0x1F3FD]])
  }

  @Test func `presentation selectors leave the base its width`() {
    #expect(scalars("❤️") == [[0x2764]])
    #expect(columns(of: "❤️") == 1)
    #expect(columns(of: "⌚︎") == 2)
  }

  @Test func `a flag is the letters of its country and a keycap its digit`() {
    #expect(glyphs("🇩🇪") == "D|E")
    #expect(glyphs("🇦") == "A")
    #expect(glyphs("3️⃣#️⃣") == "3|#")
  }

  @Test func `what nobody knows is a replacement character`() {
    for value: UInt32 in [0x378, 0xE000, 0xF8FF, 0xFFFE, 0x1FAFF, 0xF0000, 0x10FFFF, 0x600, 0x6DD] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(scalars("\(scalar)") == [[0xFFFD]], "U+\(String(value, radix: 16))")
    }
    #expect(columns(of: "\u{10FFFF}") == 1)
  }

  @Test func `wide, narrow and ambiguous widths`() {
    #expect(columns(of: "字") == 2)
    #expect(columns(of: "ｗ") == 2)
    #expect(columns(of: "ｶ") == 1)
    #expect(columns(of: "한") == 2)
    #expect(columns(of: "😀") == 2)
    #expect(columns(of: "…°α─█") == 5)  // ambiguous
    #expect(columns(of: "\u{A0}\u{3000}") == 3)
    #expect(columns(of: "नि") == 2)  // a spacing mark has a column of its own
    #expect(columns(of: "") == 0)
  }

  @Test func `no text gives a glyph that could do harm`() {
    let forbidden: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xD800...0xDFFF, 0xE000...0xF8FF, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
      0xFFF9...0xFFFB, 0x1F1E6...0x1F1FF, 0xE0000...0x10FFFF,
    ]
    forEachSeed { generator, seed in
      for glyph in Glyphs(generator.hostileText(length: 60)) {
        #expect(glyph.width == 1 || glyph.width == 2, "seed \(seed)")
        #expect((1...5).contains(glyph.scalars.count), "seed \(seed)")
        for scalar in glyph.scalars {
          #expect(
            !forbidden.contains { $0.contains(scalar.value) },
            "seed \(seed): U+\(String(scalar.value, radix: 16))")
        }
      }
    }
  }
}
