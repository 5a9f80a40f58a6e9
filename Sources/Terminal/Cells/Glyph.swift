/// The content of one cell, or of two for a wide glyph: a spacing scalar and up to four combining marks.
///
/// That is all a cell of ncurses holds. Text becomes glyphs in ``Glyphs`` alone, which is where
/// everything hostile or too complex for a cell is replaced.
public struct Glyph: Hashable, Sendable {
  // Four marks of 16 bits, the first in the lowest bits: inline, so a cell owns no memory.
  let marks: UInt64
  let scalar: UInt32
  /// Columns it takes: 1 or 2, and 0 for the second half of a wide glyph.
  public let width: UInt8

  init(scalar: UInt32, width: UInt8, marks: UInt64 = 0) {
    self.scalar = scalar
    self.width = width
    self.marks = marks
  }

  /// A blank cell.
  public static let space = Glyph(scalar: 0x20, width: 1)

  /// The right half of a wide glyph: it draws nothing by itself.
  static let continuation = Glyph(scalar: 0, width: 0)

  /// Stands for what there is no room for.
  static let ellipsis = Glyph(scalar: 0x2026, width: 1)

  /// Stands for a column of text that is still to come, with a gap between lines.
  public static let block = Glyph(scalar: 0x2587, width: 1)

  /// A small dot in the middle.
  public static let dot = Glyph(scalar: 0xB7, width: 1)

  /// A tab and the end of a line, for those who lay text out: never in a cell.
  static let tab = Glyph(scalar: 0x09, width: 0)
  static let lineBreak = Glyph(scalar: 0x0A, width: 0)

  /// How many marks a cell can hold.
  static let markLimit = 4

  /// The scalars, base first; empty for the second half of a wide glyph.
  public var scalars: [Unicode.Scalar] {
    guard scalar != 0 else { return [] }
    var result = [Unicode.Scalar(scalar)].compactMap(\.self)
    var rest = marks
    while rest != 0 {
      if let mark = Unicode.Scalar(UInt32(rest & 0xFFFF)) { result.append(mark) }
      rest >>= 16
    }
    return result
  }

  /// The glyph as text; empty for the second half of a wide one.
  public var text: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
