/// The colours of the user interface.
///
/// Colour is never the only carrier of a meaning: everything can be read without it.
public struct Theme: Hashable, Sendable {
  /// The focus, and links.
  public var accent: Color
  /// Less important text, such as dates and sources.
  public var secondary: Color
  /// Lines and borders.
  public var separator: Color
  /// Errors.
  public var failure: Color
  /// Warnings.
  public var warning: Color
  /// Successes.
  public var success: Color
  /// The background of the selected row in the focused list.
  public var selection: Color
  /// Text on ``selection``.
  public var selectedText: Color
  /// Blocks in place of text that is still being loaded.
  public var placeholder: Color
  /// Source code.
  public var code: Color
  /// The background of bars, messages and plates; if it is the default, lines and attributes mark
  /// them.
  public var plate = Color.default
  /// The assumed text colour of the terminal, for blending; `Color.default` if it is unknown.
  public var text = Color.default
  /// The assumed background colour of the terminal, for blending; `Color.default` if it is
  /// unknown.
  public var ground = Color.default

  /// Whether the theme has colours; if not, attributes replace them.
  var hasColors: Bool { accent != .default }

  /// Returns the theme to show on a terminal with so many colours.
  ///
  /// With at most sixteen, the soft colours of a theme would become one, such as black for the
  /// selection and for what is around it; the terminal's own palette takes their place.
  public func reduced(to depth: ColorDepth) -> Theme {
    switch depth {
    case .monochrome: return .mono
    case .eight, .sixteen:
      if case .rgb = selection.kind { return .standard }
      return self
    case .palette, .direct: return self
    }
  }

  /// The terminal's own palette, for dark and for light backgrounds.
  public static let standard = Theme(
    accent: .cyan, secondary: .gray, separator: .gray, failure: .red, warning: .yellow,
    success: .green, selection: .cyan, selectedText: .black, placeholder: .gray, code: .green)

  /// Soft colours for a dark background.
  public static let dark = Theme(
    accent: .hex(0x7CC7E0), secondary: .hex(0x8C94A3),
    separator: .hex(0x6E7789), failure: .hex(0xF08088),
    warning: .hex(0xE8C070), success: .hex(0x94CC88),
    selection: .hex(0x2C4A5E), selectedText: .hex(0xF2F5F8),
    placeholder: .hex(0x6E7789), code: .hex(0x94CC88),
    plate: .hex(0x232A36), text: .hex(0xD8DBE2), ground: .hex(0x171A20))

  /// Deep colours for a light background.
  public static let light = Theme(
    accent: .hex(0x005F87), secondary: .hex(0x5F6670),
    separator: .hex(0x7C8590), failure: .hex(0xAF1F2F),
    warning: .hex(0x875F00), success: .hex(0x1F6F2F),
    selection: .hex(0xC6E2F0), selectedText: .hex(0x101820),
    placeholder: .hex(0x7C8590), code: .hex(0x1F6F2F),
    plate: .hex(0xE9EDF2), text: .hex(0x20252D), ground: .hex(0xFBFBF9))

  /// No faint text: the terminal's own text colour and the brightest colours of its palette.
  public static let highContrast = Theme(
    accent: .palette(14), secondary: .default, separator: .default, failure: .palette(9),
    warning: .palette(11), success: .palette(10), selection: .palette(11), selectedText: .black,
    placeholder: .default, code: .palette(10))

  /// No colours: attributes replace them all.
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
