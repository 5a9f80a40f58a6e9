/// One cell of a screen: a glyph and its style.
public struct Cell: Hashable, Sendable {
  // Packed into 16 bytes, because a screen has thousands of cells, which are cleared, compared and
  // copied for each frame.
  private var content: UInt64
  // From the lowest bit: the width of the glyph (2 bits), the two colours (26 bits each), the
  // attributes.
  private var look: UInt64

  /// Creates a cell; by default a blank in the plain style.
  public init(_ glyph: Glyph = .space, style: Style = .plain) {
    content = glyph.content
    look = UInt64(glyph.width) | Self.look(of: style)
  }

  /// The glyph in the cell.
  public var glyph: Glyph {
    get { Glyph(content: content, width: UInt8(look & 3)) }
    set {
      content = newValue.content
      look = look & ~3 | UInt64(newValue.width)
    }
  }

  /// The style of the cell.
  public var style: Style {
    get {
      Style(
        foreground: Color(bits: look >> 2), background: Color(bits: look >> 28),
        attributes: Attributes(rawValue: UInt16(look >> 54)))
    }
    set { look = look & 3 | Self.look(of: newValue) }
  }

  private static func look(of style: Style) -> UInt64 {
    style.foreground.bits << 2 | style.background.bits << 28
      | UInt64(style.attributes.rawValue) << 54
  }

  /// A blank cell in the plain style.
  public static let blank = Cell()

  /// The cell itself, or a blank in its style if copies of it side by side would be halves of wide
  /// glyphs.
  var narrowed: Cell { glyph.width == 1 ? self : Cell(style: style) }
}
