import Testing

@testable import Terminal

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct WidthTableTests {
  @Test func `ranges begin and end where they should`() {
    func kind(_ scalar: UInt32) -> ScalarKind { WidthTable.kind(of: scalar) }
    #expect(kind(0) == .dropped)
    #expect(kind(0x09) == .space)
    #expect(kind(0x1F) == .dropped)
    #expect(kind(0x20) == .narrow)
    #expect(kind(0x7E) == .narrow)
    #expect(kind(0x7F) == .dropped)
    #expect(kind(0x2FF) == .narrow)
    #expect(kind(0x300) == .mark)
    #expect(kind(0x36F) == .mark)
    #expect(kind(0x370) == .narrow)
    #expect(kind(0x3248) == .narrow)
    #expect(kind(0x4DBF) == .wide)
    #expect(kind(0x4DC0) == .narrow)
    #expect(kind(0x4DFF) == .narrow)
    #expect(kind(0x4E00) == .wide)
    #expect(kind(0x9FFF) == .wide)
    #expect(kind(0xD7A3) == .wide)
    #expect(kind(0xD7A4) == .replaced)
    #expect(kind(0x3FFFD) == .replaced)
    #expect(kind(0x10FFFF) == .replaced)
    #expect(kind(0x110000) == .replaced)
    #expect(kind(.max) == .replaced)
  }

  @Test func `a cell has room for the number of every mark and for every other scalar`() {
    let wrong = (UInt32(0)..<0x110000).filter { value in
      let (kind, number) = (WidthTable.kind(of: value), WidthTable.number(ofMark: value))
      return switch kind {
      case .mark: number >= 1 << 11 || number == 0 || WidthTable.mark(numbered: number) != value
      case .narrow, .wide: number > 0 || value >= 1 << 20
      default: number > 0
      }
    }
    #expect(wrong.isEmpty)
  }

  #if canImport(Glibc)
    /// Where the C library's version may differ: scalars that stay themselves but are wider there.
    private static let disagreements: [ClosedRange<UInt32>] = [
      // Circled numbers on black squares: ambiguous, and wide by glibc's own choice.
      0x3248...0x324F,
      // Hexagrams: wide by glibc's own choice, and since Unicode 16 by everybody's.
      0x4DC0...0x4DFF,
      // Trigrams, digrams and counting rods: wide since Unicode 16.
      0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D356, 0x1D360...0x1D376,
    ]

    @Test func `every scalar that stays itself is as wide as the C library says`() throws {
      let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
      defer { freelocale(locale) }
      let previous = uselocale(locale)
      defer { uselocale(previous) }
      // Glibc declares it only where X/Open is asked for, which Swift's module map does not.
      let symbol = try #require(dlsym(nil, "wcwidth"))
      let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)

      var differences: [String] = []
      for value in UInt32(0x20)..<0x110000 {
        guard !Self.disagreements.contains(where: { $0.contains(value) }) else { continue }
        let ours: Int32
        switch WidthTable.kind(of: value) {
        case .mark: ours = 0
        // Halves of flags become letters.
        case .narrow where !(0x1F1E6...0x1F1FF ~= value): ours = 1
        case .wide: ours = 2
        default: continue
        }
        let theirs = wcwidth(wchar_t(value))
        if theirs != ours {
          differences.append("U+\(String(value, radix: 16)): \(ours), not \(theirs)")
        }
      }
      #expect(differences.isEmpty)
    }
  #endif
}
