/// How many colours a terminal shows, and how other colours are reduced to them.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
  /// No colours, only attributes.
  case monochrome
  /// The eight colours of ANSI.
  case eight
  /// The eight colours of ANSI and their bright variants.
  case sixteen
  /// The palette of 256 colours: 16 of the user's theme, a cube of 6×6×6 and 24 greys.
  case palette
  /// Red, green and blue, 8 bits each.
  case direct

  /// The depth of a terminal with `count` colours; `isRGB` says whether its colour numbers are RGB.
  init(count: Int, isRGB: Bool) {
    self =
      switch count {
      case (1 << 24)... where isRGB: .direct
      case 256...: .palette
      case 16...: .sixteen
      case 8...: .eight
      default: .monochrome
      }
  }

  /// The depth to use on a terminal of this depth: `wanted`, or less if the terminal supports less.
  ///
  /// A terminal with direct colour keeps it even if 16 or 256 colours are wanted.
  func reduced(to wanted: ColorDepth) -> ColorDepth {
    switch (self, wanted) {
    case (_, .monochrome), (.monochrome, _): .monochrome
    case (_, .eight), (.eight, _): .eight
    // With direct colour, numbers from 8 on are already RGB.
    case (.direct, _): .direct
    case (_, .sixteen), (.sixteen, _): .sixteen
    case (.palette, _): .palette
    }
  }

  /// Returns the ncurses number of the nearest colour; -1 is the terminal's default.
  func number(of color: Color) -> Int32 {
    switch color.kind {
    case .default: -1
    case .palette(let index): number(ofPaletteEntry: index)
    case .rgb(let red, let green, let blue): number(of: RGB(red, green, blue))
    }
  }

  private func number(ofPaletteEntry index: UInt8) -> Int32 {
    switch self {
    case .monochrome: -1
    case .palette: Int32(index)
    case .sixteen where index < 16, .eight where index < 8, .direct where index < 8: Int32(index)
    // Black instead of grey would be invisible on a black background; the default is always
    // legible.
    case .eight where index == 8: -1
    case .eight where index < 16: Int32(index) - 8
    default: number(of: RGB(paletteEntry: index))
    }
  }

  private func number(of rgb: RGB) -> Int32 {
    switch self {
    case .monochrome: -1
    case .eight: RGB.nearest(to: rgb, in: 0..<8)
    case .sixteen: RGB.nearest(to: rgb, in: 0..<16)
    // The first 16 entries depend on the user's theme.
    case .palette: Int32(XtermPalette.nearest(to: rgb))
    // Terminal descriptions with direct colour reserve the numbers below 8 for the ANSI colours.
    case .direct: max(8, Int32(rgb.red) << 16 | Int32(rgb.green) << 8 | Int32(rgb.blue))
    }
  }
}

extension RGB {
  /// Creates entry `index` as xterm shows it without a theme.
  fileprivate init(paletteEntry index: UInt8) {
    self = XtermPalette.rgb(of: index) ?? RGB(Self.standardColors[Int(index)])
  }

  private static let standardColors: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  fileprivate static func nearest(to rgb: RGB, in entries: Range<UInt8>) -> Int32 {
    let nearest = entries.min {
      RGB(paletteEntry: $0).distance(to: rgb) < RGB(paletteEntry: $1).distance(to: rgb)
    }
    return Int32(nearest ?? 0)
  }
}
