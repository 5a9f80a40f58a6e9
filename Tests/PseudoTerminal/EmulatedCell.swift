/// A colour as a terminal was told it.
public enum EmulatedColor: Hashable, Sendable {
  /// The terminal's own.
  case `default`
  /// An entry of the palette.
  case palette(Int)
  /// Red, green and blue.
  case rgb(Int, Int, Int)
}

/// How a terminal was told to draw.
public struct EmulatedStyle: Hashable, Sendable {
  /// The colour of the glyph.
  public var foreground = EmulatedColor.default
  /// The colour behind it.
  public var background = EmulatedColor.default
  /// The attributes that are on.
  public var attributes: Set<Attribute> = []

  /// An attribute; the value is its number in the sequence that turns it on.
  public enum Attribute: Int, Sendable {
    case bold = 1
    case dim = 2
    case italic = 3
    case underline = 4
    case blink = 5
    case reverse = 7
    case invisible = 8
    case strikethrough = 9
  }

  /// Colours and attributes, none unless told otherwise.
  public init(
    foreground: EmulatedColor = .default, background: EmulatedColor = .default,
    attributes: Set<Attribute> = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// Applies the parameters of "select graphic rendition"; false if one is unknown.
  mutating func select(_ groups: [[Int]]) -> Bool {
    // Written with colons, RGB has a colour space before it.
    var rest = groups.flatMap { group in
      group.count > 5 && group[1] == 2 ? group[..<2] + group[3...] : group[...]
    }[...]
    if rest.isEmpty { rest = [0] }
    while let code = rest.popFirst() {
      switch code {
      case 0: self = EmulatedStyle()
      // The usual font.
      case 10: break
      case 22: attributes.subtract([.bold, .dim])
      case 23, 24, 25, 27, 28, 29:
        if let attribute = Attribute(rawValue: code - 20) { attributes.remove(attribute) }
      case 30...37: foreground = .palette(code - 30)
      case 90...97: foreground = .palette(code - 82)
      case 40...47: background = .palette(code - 40)
      case 100...107: background = .palette(code - 92)
      case 39: foreground = .default
      case 49: background = .default
      case 38, 48:
        guard let color = EmulatedStyle.color(&rest) else { return false }
        if code == 38 { foreground = color } else { background = color }
      default:
        guard let attribute = Attribute(rawValue: code) else { return false }
        attributes.insert(attribute)
      }
    }
    return true
  }

  private static func color(_ rest: inout ArraySlice<Int>) -> EmulatedColor? {
    switch rest.popFirst() {
    case 5: return rest.popFirst().map(EmulatedColor.palette)
    case 2:
      guard let red = rest.popFirst(), let green = rest.popFirst(), let blue = rest.popFirst()
      else { return nil }
      return .rgb(red, green, blue)
    default: return nil
    }
  }
}

extension EmulatedStyle: CustomStringConvertible {
  /// Both colours, and the attributes.
  public var description: String {
    "\(foreground) on \(background) \(attributes.map { "\($0)" }.sorted())"
  }
}

/// One place of an emulated screen.
public struct EmulatedCell: Hashable, Sendable {
  /// What it shows; empty in the right half of a wide character.
  public var text = " "
  /// How.
  public var style = EmulatedStyle()

  /// A cell; blank unless told otherwise.
  public init(text: String = " ", style: EmulatedStyle = EmulatedStyle()) {
    self.text = text
    self.style = style
  }
}
