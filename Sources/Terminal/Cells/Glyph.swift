/// The content of one cell, or of two for a wide glyph: a spacing scalar and up to four combining marks.
///
/// That is all a cell of ncurses holds. Text becomes glyphs in ``Glyphs`` alone, which is where
/// everything hostile or too complex for a cell is replaced.
public struct Glyph: Hashable, Sendable {
  // The scalar in the lowest 20 bits, and above it the numbers of the marks, 11 bits each, the first
  // of them lowest: so a cell owns no memory. No scalar beyond 20 bits is ever shown.
  private(set) var content: UInt64
  /// Columns it takes: 1 or 2, and 0 for the second half of a wide glyph.
  public let width: UInt8

  init(scalar: UInt32, width: UInt8) { self.init(content: UInt64(scalar & 0xF_FFFF), width: width) }

  init(content: UInt64, width: UInt8) {
    self.content = content
    self.width = width
  }

  /// What the marks sit on.
  var scalar: UInt32 { UInt32(truncatingIfNeeded: content & 0xF_FFFF) }

  /// Whether anything sits on it.
  var hasMarks: Bool { content >> 20 != 0 }

  /// The combining marks, in their order.
  var marks: [UInt32] {
    var marks: [UInt32] = []
    var rest = content >> 20
    while rest != 0 {
      marks.append(WidthTable.mark(numbered: Int(rest & 0x7FF)))
      rest >>= 11
    }
    return marks
  }

  /// Adds a mark after those that it has, if there is room.
  mutating func add(mark: UInt32) {
    let free = (0..<Self.markLimit).first { content >> (20 + 11 * $0) == 0 }
    if let free { content |= UInt64(WidthTable.number(ofMark: mark)) << (20 + 11 * free) }
  }

  /// The same glyph with a mark before all others, in place of the last one if there are too many.
  func addingFirst(mark: UInt32) -> Glyph {
    var result = Glyph(scalar: scalar, width: width)
    for mark in [mark] + marks { result.add(mark: mark) }
    return result
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
    scalar == 0 ? [] : ([scalar] + marks).compactMap(Unicode.Scalar.init)
  }

  /// The glyph as text; empty for the second half of a wide one.
  public var text: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
