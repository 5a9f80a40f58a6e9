/// The content of one cell, or of two for a wide glyph: a spacing scalar and up to four combining
/// marks.
///
/// A cell of ncurses can store no more. Only ``Glyphs`` converts text to glyphs, and it replaces
/// everything that is hostile or too complex for a cell.
public struct Glyph: Hashable, Sendable {
  // The lowest 20 bits are the scalar; above them are the numbers of the marks, 11 bits each, the
  // first one lowest. So a cell owns no memory. Scalars beyond 20 bits are never shown.
  private(set) var content: UInt64
  /// The columns it takes: 1 or 2, or 0 for the second half of a wide glyph.
  public let width: UInt8

  init(scalar: UInt32, width: UInt8) { self.init(content: UInt64(scalar & 0xF_FFFF), width: width) }

  init(content: UInt64, width: UInt8) {
    self.content = content
    self.width = width
  }

  /// The base scalar, which the marks combine with.
  var scalar: UInt32 { UInt32(truncatingIfNeeded: content & 0xF_FFFF) }

  /// Whether it has combining marks.
  var hasMarks: Bool { content >> 20 != 0 }

  /// The combining marks, in order.
  var marks: [UInt32] {
    var marks: [UInt32] = []
    var rest = content >> 20
    while rest != 0 {
      marks.append(WidthTable.mark(numbered: Int(rest & 0x7FF)))
      rest >>= 11
    }
    return marks
  }

  /// Appends a mark, if there is room.
  mutating func add(mark: UInt32) {
    let free = (0..<Self.markLimit).first { content >> (20 + 11 * $0) == 0 }
    if let free { content |= UInt64(WidthTable.number(ofMark: mark)) << (20 + 11 * free) }
  }

  /// Returns the glyph with a mark before all others; if there are too many, the last one is
  /// dropped.
  func addingFirst(mark: UInt32) -> Glyph {
    var result = Glyph(scalar: scalar, width: width)
    for mark in [mark] + marks { result.add(mark: mark) }
    return result
  }

  /// A blank cell.
  public static let space = Glyph(scalar: 0x20, width: 1)

  /// The right half of a wide glyph, which draws nothing itself.
  static let continuation = Glyph(scalar: 0, width: 0)

  /// The glyph that replaces text that was cut off.
  static let ellipsis = Glyph(scalar: 0x2026, width: 1)

  /// The glyph that replaces a column of text that is still being loaded, with a gap between lines.
  public static let block = Glyph(scalar: 0x2587, width: 1)

  /// A small dot in the middle of the line.
  public static let dot = Glyph(scalar: 0xB7, width: 1)

  /// A tab and a line break, used only by text layout and never in a cell.
  static let tab = Glyph(scalar: 0x09, width: 0)
  static let lineBreak = Glyph(scalar: 0x0A, width: 0)

  /// The number of marks that a cell can store.
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
