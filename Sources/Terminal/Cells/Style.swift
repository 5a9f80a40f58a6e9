/// How a cell is drawn: its two colours and its attributes.
public struct Style: Hashable, Sendable {
  /// The colour of the glyph.
  public var foreground: Color
  /// The colour behind the glyph.
  public var background: Color
  /// Bold, dim and so on.
  public var attributes: Attributes

  /// The terminal's default colours and no attributes, unless told otherwise.
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

/// Attributes of a glyph besides its colours: bold, underlined and so on.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit an attribute.
  public let rawValue: UInt16

  /// The attributes whose bits are set.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Heavier, or brighter.
  public static let bold = Attributes(rawValue: 1)
  /// Fainter.
  public static let dim = Attributes(rawValue: 2)
  /// Slanted.
  public static let italic = Attributes(rawValue: 4)
  /// Underlined.
  public static let underline = Attributes(rawValue: 8)
  /// The two colours exchanged.
  public static let reverse = Attributes(rawValue: 16)
  /// Struck through.
  ///
  /// ncurses has no such attribute: on a terminal each character carries a stroke of its own
  /// (U+0336), which needs no colour to be seen.
  public static let strikethrough = Attributes(rawValue: 32)
}
