/// SplitMix64: the same numbers for the same seed, on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins the numbers of `seed`.
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension SeededGenerator {
  private static let alphabets: [[String]] = [
    ["a", "b", "-", "x", "9", ".", ",", "(", ")", "/", "\"", "word", "well-known"],
    [" ", "  ", "\u{A0}", "\u{3000}", "\u{2003}"],
    ["\n", "\t", "\r\n", "\u{2028}", "\u{85}"],
    ["\u{1B}", "\u{1B}[31m", "\u{1B}]0;x\u{7}", "\0", "\u{8}", "\u{7F}", "\u{9B}2J", "\u{90}"],
    ["\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{61C}"],
    [
      "\u{200B}", "\u{200D}", "\u{FE0F}", "\u{FE0E}", "\u{FEFF}", "\u{AD}", "\u{E0067}", "\u{2060}",
    ],
    ["字", "漢", "か", "っ", "。", "「", "」", "한", "글", "ｗ", "！"],
    ["\u{301}", "\u{308}", "\u{20DD}", "\u{5B0}", "\u{1161}", "\u{11A8}", "\u{1100}", "\u{1D167}"],
    ["👩", "👩‍👩‍👧", "👋🏽", "🏳️‍🌈", "🇩🇪", "🇫", "3️⃣", "❤️", "🏽", "☺︎"],
    ["ب", "א", "नि", "क्‍ष", "\u{378}", "\u{E000}", "\u{FFFE}", "\u{600}", "\u{10FFFF}", "𝐀"],
  ]

  /// Text of up to `length` pieces of every kind that must not reach a terminal, or that is hard to
  /// measure.
  public mutating func hostileText(length: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      switch Int.random(in: 0..<12, using: &self) {
      case 0:
        let bytes = (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &self) }
        text += String(decoding: bytes, as: UTF8.self)
      case 1:
        if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x110000, using: &self)) {
          text.unicodeScalars.append(scalar)
        }
      case let kind:
        text += Self.alphabets[kind - 2].randomElement(using: &self) ?? ""
      }
    }
    return text
  }
}

/// Random trials, each from a seed of its own, which a failure names.
public func forEachSeed(
  _ count: UInt64 = 300, _ body: (inout SeededGenerator, UInt64) throws -> Void
)
  rethrows
{
  for seed in 0..<count {
    var generator = SeededGenerator(seed: seed)
    try body(&generator, seed)
  }
}
