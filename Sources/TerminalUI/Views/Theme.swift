/// The colours of the parts of a screen.
///
/// Colour is never the only carrier of a meaning: everything can be read without it.
public struct Theme: Hashable, Sendable {
  /// What has the focus, and links.
  public var accent: Color
  /// Text of less weight: dates, sources.
  public var secondary: Color
  /// Lines and borders.
  public var separator: Color
  /// What went wrong.
  public var failure: Color
  /// What needs attention.
  public var warning: Color
  /// What went well.
  public var success: Color
  /// Behind the selected row of the focused list.
  public var selection: Color
  /// Text on ``selection``.
  public var selectedText: Color
  /// Blocks that stand for text to come.
  public var placeholder: Color
  /// Code.
  public var code: Color
  /// Behind bars, messages and plates; where it is the default, lines and attributes set them apart.
  public var plate = Color.default
  /// What the terminal's own colour of text is taken for where colours are blended, and
  /// ``Color/default`` where that is not known.
  public var text = Color.default
  /// What the terminal's own background is taken for, in the same way.
  public var ground = Color.default

  /// Whether it has colours at all: without them attributes say what colours say elsewhere.
  var hasColors: Bool { accent != .default }

  /// The terminal's own palette: right on dark and on light.
  public static let standard = Theme(
    accent: .cyan, secondary: .gray, separator: .gray, failure: .red, warning: .yellow,
    success: .green, selection: .cyan, selectedText: .black, placeholder: .gray, code: .green)

  /// Soft colours for a dark ground.
  public static let dark = Theme(
    accent: .hex(0x7CC7E0), secondary: .hex(0x8C94A3),
    separator: .hex(0x6E7789), failure: .hex(0xF08088),
    warning: .hex(0xE8C070), success: .hex(0x94CC88),
    selection: .hex(0x2C4A5E), selectedText: .hex(0xF2F5F8),
    placeholder: .hex(0x6E7789), code: .hex(0x94CC88),
    plate: .hex(0x232A36), text: .hex(0xD8DBE2), ground: .hex(0x171A20))

  /// Deep colours for a light ground.
  public static let light = Theme(
    accent: .hex(0x005F87), secondary: .hex(0x5F6670),
    separator: .hex(0x7C8590), failure: .hex(0xAF1F2F),
    warning: .hex(0x875F00), success: .hex(0x1F6F2F),
    selection: .hex(0xC6E2F0), selectedText: .hex(0x101820),
    placeholder: .hex(0x7C8590), code: .hex(0x1F6F2F),
    plate: .hex(0xE9EDF2), text: .hex(0x20252D), ground: .hex(0xFBFBF9))

  /// Nothing faint: text in the terminal's own colour, and the brightest of its palette.
  public static let highContrast = Theme(
    accent: .palette(14), secondary: .default, separator: .default, failure: .palette(9),
    warning: .palette(11), success: .palette(10), selection: .palette(11), selectedText: .black,
    placeholder: .default, code: .palette(10))

  /// No colour at all: attributes carry everything.
  public static let mono = Theme(
    accent: .default, secondary: .default, separator: .default, failure: .default,
    warning: .default, success: .default, selection: .default, selectedText: .default,
    placeholder: .default, code: .default)
}

extension Color {
  /// `0xRRGGBB`.
  fileprivate static func hex(_ parts: UInt32) -> Color {
    Color(
      red: UInt8(parts >> 16 & 0xFF), green: UInt8(parts >> 8 & 0xFF), blue: UInt8(parts & 0xFF))
  }
}
