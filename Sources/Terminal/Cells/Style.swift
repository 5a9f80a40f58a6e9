/// How a cell is drawn: its two colours and its attributes.
public struct Style: Hashable, Sendable {
  /// The colour of the glyph.
  public var foreground: Color
  /// The colour behind the glyph.
  public var background: Color
  /// The attributes, such as bold and dim.
  public var attributes: Attributes

  /// Creates a style; by default the terminal's colours and no attributes.
  public init(
    foreground: Color = .default, background: Color = .default, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's default colours and no attributes.
  public static let plain = Style()
}

/// Attributes of a glyph besides its colours, such as bold and underlined.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit for each attribute.
  public let rawValue: UInt16

  /// Creates the set of attributes whose bits are set.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Bold; some terminals show it as brighter.
  public static let bold = Attributes(rawValue: 1)
  /// Faint.
  public static let dim = Attributes(rawValue: 2)
  /// Italic.
  public static let italic = Attributes(rawValue: 4)
  /// Underlined.
  public static let underline = Attributes(rawValue: 8)
  /// Foreground and background exchanged.
  public static let reverse = Attributes(rawValue: 16)
  /// Struck through.
  ///
  /// ncurses has no such attribute, so on a terminal each character is combined with a stroke
  /// (U+0336).
  public static let strikethrough = Attributes(rawValue: 32)
}
