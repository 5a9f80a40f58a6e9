/// Converts text to glyphs that a terminal can show safely, in order.
///
/// This is the only way from a string to cells, and it lets nothing else of a hostile text through:
///
/// - Tabs and line ends become a space. All other controls (C0 including ESC, DEL, C1) are removed,
///   and so are bidi controls and everything else that is invisible: zero-width spaces and joiners,
///   soft hyphens, variation selectors, tags.
/// - A glyph keeps its first four combining marks; a mark without a base gets a dotted circle.
/// - Of an emoji sequence, only the first emoji is kept, without its skin tone; a keycap becomes
///   its digit, and a flag the two letters of its country.
/// - Scalars that are private or not assigned in Unicode 14 become U+FFFD.
///
/// ```swift
/// Glyphs("a\u{1B}[31mb").map(\.text)  // ["a", "[", "3", "1", "m", "b"]
/// ```
///
/// Invalid UTF-8 is repaired before, when bytes become a `String`.
public struct Glyphs: Sequence, IteratorProtocol {
  private var bytes: String.UTF8View.Iterator
  /// A scalar that was read ahead and turned out not to be a mark.
  private var pending: UInt32?
  private let keepsBreaks: Bool

  /// Creates the glyphs of `text`.
  public init(_ text: some StringProtocol) {
    self.init(text, keepingBreaks: false)
  }

  /// Creates the glyphs of `text`.
  ///
  /// With `keepingBreaks`, tabs and line ends become ``Glyph/tab`` and ``Glyph/lineBreak``, for a
  /// caller that lays them out.
  init(_ text: some StringProtocol, keepingBreaks: Bool) {
    // Iterating over the bytes of a substring is several times slower than copying them first.
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

  /// Returns the glyph of a base scalar, and reads the following scalars that belong to it.
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

  /// Half a flag becomes a letter, because terminals disagree about the width of a whole flag.
  private static func letter(ofFlag scalar: UInt32) -> UInt32? {
    0x1F1E6...0x1F1FF ~= scalar ? scalar - 0x1F1E6 + 0x41 : nil
  }

  private static func isSkinTone(_ scalar: UInt32) -> Bool { 0x1F3FB...0x1F3FF ~= scalar }

  /// Whether a scalar is in the blocks of all emoji that are joined; joined letters are not in
  /// them.
  private static func isPictographic(_ scalar: UInt32) -> Bool {
    0x2190...0x2BFF ~= scalar || 0x1F000...0x1FAFF ~= scalar
  }
}

/// Returns the columns that `text` takes on one line, as ``CellBuffer/write(_:at:style:clip:)``
/// draws it.
public func columns(of text: some StringProtocol) -> Int {
  var columns = 0
  for glyph in Glyphs(text) { columns += Int(glyph.width) }
  return columns
}

extension String {
  /// The maximum number of scalars per character in text from outside.
  ///
  /// Real characters have fewer, even an emoji of a family or a letter with all its marks.
  package static let scalarsPerCharacter = 32

  /// Returns the text with each character limited to ``scalarsPerCharacter`` scalars.
  ///
  /// Use it where text from outside enters the program: a character may have a million marks, and
  /// every comparison or edit would process and sort all of them.
  package func limitingCharacters() -> String {
    // A scalar takes at least one byte, and few texts contain a character of so many bytes.
    guard contains(where: { $0.utf8.count > Self.scalarsPerCharacter }) else { return self }
    var limited = String.UnicodeScalarView()
    for character in self {
      limited.append(contentsOf: character.unicodeScalars.prefix(Self.scalarsPerCharacter))
    }
    return String(limited)
  }

  /// Whether both strings have the same scalars; `==` would normalise both first.
  package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
