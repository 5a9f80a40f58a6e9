import Foundation

/// A colour of a cell: the terminal's default, one of its 256 palette entries, or RGB.
///
/// Screens reduce RGB to what the terminal can show.
public struct Color: Hashable, Sendable {
  // The value in the lower three bytes, and the kind of colour above it.
  private let raw: UInt32

  private init(raw: UInt32) { self.raw = raw }

  /// Creates the colour stored in the lowest 26 of these bits.
  init(bits: UInt64) { raw = UInt32(truncatingIfNeeded: bits & 0x3FF_FFFF) }

  /// The colour in 26 bits.
  var bits: UInt64 { UInt64(raw) }

  /// The terminal's default colour.
  public static let `default` = Color(raw: 0)

  /// Entry `index` of the terminal's palette; entries 0–15 depend on the user's theme.
  public static func palette(_ index: UInt8) -> Color { Color(raw: 1 << 24 | UInt32(index)) }

  /// Creates a colour from its red, green and blue components, 0–255 each.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    raw = 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  /// Palette entry 0.
  public static let black = palette(0)
  /// Palette entry 1.
  public static let red = palette(1)
  /// Palette entry 2.
  public static let green = palette(2)
  /// Palette entry 3.
  public static let yellow = palette(3)
  /// Palette entry 4.
  public static let blue = palette(4)
  /// Palette entry 5.
  public static let magenta = palette(5)
  /// Palette entry 6.
  public static let cyan = palette(6)
  /// Palette entry 7.
  public static let white = palette(7)
  /// Palette entry 8, “bright black”.
  public static let gray = palette(8)

  /// The kinds of colour, for exporters and painters that convert them.
  public enum Kind: Hashable, Sendable {
    /// The terminal's default.
    case `default`
    /// A palette entry.
    case palette(UInt8)
    /// Red, green and blue, 0–255 each.
    case rgb(UInt8, UInt8, UInt8)
  }

  /// The kind of this colour, with its components.
  public var kind: Kind {
    switch raw >> 24 {
    case 0: .default
    case 1: .palette(UInt8(raw & 0xFF))
    default: .rgb(UInt8(raw >> 16 & 0xFF), UInt8(raw >> 8 & 0xFF), UInt8(raw & 0xFF))
    }
  }
}

extension Color {
  /// Creates a colour from its components.
  init(_ rgb: RGB) { self.init(red: rgb.red, green: rgb.green, blue: rgb.blue) }

  /// Returns this colour blended over `ground`.
  ///
  /// - Parameters:
  ///   - ground: the colour below.
  ///   - opacity: from 0 for only `ground` to 1 for only this colour.
  /// - Returns: nil if either colour depends on the settings of the terminal.
  public func blended(over ground: Color, opacity: Double) -> Color? {
    guard let above = rgb, let below = ground.rgb else { return nil }
    return Color(above.blended(over: below, opacity: opacity))
  }

  /// Whether light text is more readable on this colour than dark text; nil if that depends on the
  /// settings of the terminal.
  public var isDark: Bool? {
    rgb.map { 299 * Int($0.red) + 587 * Int($0.green) + 114 * Int($0.blue) < 128_000 }
  }

  /// The components, if they are the same in every terminal.
  var rgb: RGB? {
    switch kind {
    case .default: nil
    case .palette(let index): XtermPalette.rgb(of: index)
    case .rgb(let red, let green, let blue): RGB(red, green, blue)
    }
  }
}

/// Red, green and blue, 0–255 each.
struct RGB: Equatable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Creates a colour from the lowest 24 bits of a number.
  init(_ number: UInt32) {
    self.init(UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
  }

  func blended(over ground: RGB, opacity: Double) -> RGB {
    let share = min(1, max(0, opacity))
    func part(_ above: UInt8, _ below: UInt8) -> UInt8 {
      UInt8((Double(above) * share + Double(below) * (1 - share)).rounded())
    }
    return RGB(part(red, ground.red), part(green, ground.green), part(blue, ground.blue))
  }

  /// The square of the distance between two colours.
  func distance(to other: RGB) -> Int {
    let (red, green, blue) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return red * red + green * green + blue * blue
  }
}

/// The fixed part of the 256-colour palette.
///
/// Entries 16–231 are a cube of six levels per component, and entries 232–255 a ramp of greys.
/// Entries 0–15 depend on the user's theme.
enum XtermPalette {
  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// Returns the colour of an entry from 16 on; nil for a lower entry.
  static func rgb(of index: UInt8) -> RGB? {
    guard index >= 16 else { return nil }
    guard index < 232 else {
      let gray = 8 + 10 * (index - 232)
      return RGB(gray, gray, gray)
    }
    let cube = Int(index - 16)
    return RGB(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
  }

  /// Returns the entry from 16 on that is nearest to a colour.
  static func nearest(to color: RGB) -> UInt8 {
    func level(_ value: UInt8) -> UInt8 { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let cube = 16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue)
    let average = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let gray = UInt8(232 + min(23, max(0, (average - 3) / 10)))
    func distance(_ index: UInt8) -> Int { rgb(of: index)?.distance(to: color) ?? .max }
    return distance(gray) < distance(cube) ? gray : cube
  }
}

extension Color {
  /// The contrast ratio of two colours according to WCAG 2.2.
  ///
  /// It ranges from 1 for equal colours to 21 for black on white, and is nil if either colour
  /// depends on the settings of the terminal. Text is easy to read from 4.5 on, and ornaments are
  /// visible from 3 on.
  public func contrast(with other: Color) -> Double? {
    guard let one = luminance, let two = other.luminance else { return nil }
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private var luminance: Double? {
    rgb.map { parts in
      func linear(_ part: UInt8) -> Double {
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(parts.red) + 0.7152 * linear(parts.green)
        + 0.0722 * linear(parts.blue)
    }
  }
}
