/// One place of a screen: a glyph and how it is drawn.
public struct Cell: Hashable, Sendable {
  /// The glyph in the cell.
  public var glyph: Glyph
  /// How.
  public var style: Style

  /// A blank in the plain style, unless told otherwise.
  public init(_ glyph: Glyph = .space, style: Style = .plain) {
    self.glyph = glyph
    self.style = style
  }

  /// A blank cell in the plain style.
  public static let blank = Cell()

  /// Itself, or a blank in its style where copies of it side by side would be halves of glyphs.
  var narrowed: Cell { glyph.width == 1 ? self : Cell(style: style) }
}
