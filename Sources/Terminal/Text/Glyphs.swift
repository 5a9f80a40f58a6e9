/// Text as the glyphs that a terminal can show without harm, in order.
///
/// This is the one way from a string to cells, and hostile text can get nothing else through it:
///
/// - Tabs and the ends of lines are a space. All other controls (C0, DEL, C1, so also ESC) are
///   left out, and so are bidi controls and everything else that shows nothing: zero-width spaces
///   and joiners, soft hyphens, variation selectors, tags.
/// - A glyph keeps the first four of its combining marks; a mark with nothing before it to sit on
///   gets a dotted circle.
/// - Of an emoji sequence the first emoji is kept, without its skin tone; a keycap is its digit,
///   and a flag the two letters of its country.
/// - What is unassigned in Unicode 14, or private, is U+FFFD.
///
/// ```swift
/// Glyphs("a\u{1B}[31mb").map(\.text)  // ["a", "[", "3", "1", "m", "b"]
/// ```
///
/// Bytes that are no UTF-8 are repaired where they become a `String`, which cannot hold them.
public struct Glyphs: Sequence, IteratorProtocol {
  private var bytes: String.UTF8View.Iterator
  /// A scalar that was read to see that it is no mark.
  private var pending: UInt32?
  private let keepsBreaks: Bool

  /// The glyphs of `text`.
  public init(_ text: some StringProtocol) {
    self.init(text, keepingBreaks: false)
  }

  /// With `keepingBreaks`, tabs and the ends of lines come as ``Glyph/tab`` and ``Glyph/lineBreak``
  /// for a caller who lays them out.
  init(_ text: some StringProtocol, keepingBreaks: Bool) {
    // Iterating a substring's bytes is several times slower than copying them first.
    bytes = String(text).utf8.makeIterator()
    keepsBreaks = keepingBreaks
  }

  public mutating func next() -> Glyph? {
    while let scalar = pending ?? readScalar() {
      pending = nil
      if scalar &- 0x20 < 0x5F { return glyph(scalar, width: 1) }
      switch WidthTable.kind(of: scalar) {
      case .dropped: continue
      case .mark: return glyph(0x25CC, width: 1, mark: scalar)
      case .narrow: return glyph(Self.letter(ofFlag: scalar) ?? scalar, width: 1)
      case .wide: return glyph(scalar, width: 2)
      case .replaced: return glyph(0xFFFD, width: 1)
      case .space:
        guard keepsBreaks else { return .space }
        return scalar == 0x09 ? .tab : .lineBreak
      }
    }
    return nil
  }

  /// The glyph of a base that was read, with what follows and belongs to it.
  private mutating func glyph(_ base: UInt32, width: UInt8, mark: UInt32 = 0) -> Glyph {
    var glyph = Glyph(scalar: base, width: width)
    if mark != 0 { glyph.add(mark: mark) }
    var isJoined = false
    while let scalar = readScalar() {
      if scalar &- 0x20 < 0x5F {
        pending = scalar
        break
      }
      let kind = WidthTable.kind(of: scalar)
      if kind == .mark {
        glyph.add(mark: scalar)
      } else if kind != .dropped {
        let isPartOfEmoji =
          Self.isSkinTone(scalar) || isJoined && Self.isPictographic(scalar)
        guard isPartOfEmoji, Self.isPictographic(base) else {
          pending = scalar
          break
        }
      }
      isJoined = scalar == 0x200D
    }
    return glyph
  }

  private mutating func readScalar() -> UInt32? {
    guard let first = bytes.next() else { return nil }
    if first < 0x80 { return UInt32(first) }
    if first < 0xE0 { return UInt32(first & 0x1F) << 6 | continuation() }
    if first < 0xF0 { return UInt32(first & 0x0F) << 12 | continuation() << 6 | continuation() }
    return UInt32(first & 0x07) << 18 | continuation() << 12 | continuation() << 6 | continuation()
  }

  private mutating func continuation() -> UInt32 { UInt32((bytes.next() ?? 0) & 0x3F) }

  /// Half a flag is a letter: terminals do not agree on the width of a whole one.
  private static func letter(ofFlag scalar: UInt32) -> UInt32? {
    0x1F1E6...0x1F1FF ~= scalar ? scalar - 0x1F1E6 + 0x41 : nil
  }

  private static func isSkinTone(_ scalar: UInt32) -> Bool { 0x1F3FB...0x1F3FF ~= scalar }

  /// The blocks that hold all that is joined to emoji; joined text is never written with them.
  private static func isPictographic(_ scalar: UInt32) -> Bool {
    0x2190...0x2BFF ~= scalar || 0x1F000...0x1FAFF ~= scalar
  }
}

/// How many columns `text` takes on one line: what ``CellBuffer/write(_:at:style:clip:)`` would use.
public func columns(of text: some StringProtocol) -> Int {
  var columns = 0
  for glyph in Glyphs(text) { columns += Int(glyph.width) }
  return columns
}

extension String {
  /// The most scalars that a character of text from outside has: more than any that is written, such
  /// as an emoji of a family or a letter with all its marks.
  public static let scalarsPerCharacter = 32

  /// The text, with what its characters have beyond ``scalarsPerCharacter`` scalars cut off.
  ///
  /// For text from outside, where it comes in: a character may have a million marks, and each
  /// comparison or edit would go through, and sort, all of them.
  public func limitingCharacters() -> String {
    // A scalar has at least one byte, and hardly any text has a character of so many.
    guard contains(where: { $0.utf8.count > Self.scalarsPerCharacter }) else { return self }
    var limited = String.UnicodeScalarView()
    for character in self {
      limited.append(contentsOf: character.unicodeScalars.prefix(Self.scalarsPerCharacter))
    }
    return String(limited)
  }

  /// Whether both have the same scalars: comparing with `==` would normalise both first.
  public func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
