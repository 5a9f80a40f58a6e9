/// How many colours a terminal shows, and the nearest of them to any colour.
public enum ColorDepth: Hashable, Sendable, CaseIterable {
  /// None: attributes only.
  case monochrome
  /// The eight colours of ANSI.
  case eight
  /// Those, and the bright ones.
  case sixteen
  /// The palette of 256: 16 of the user's theme, a cube of 6×6×6 and 24 greys.
  case palette
  /// Red, green and blue, 8 bits each.
  case direct

  /// What a terminal of `count` colours shows; `isRGB` where its colour numbers are RGB.
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

  /// What to use on this terminal when `wanted` is asked for: never more than it has.
  func reduced(to wanted: ColorDepth) -> ColorDepth {
    switch (self, wanted) {
    case (_, .monochrome), (.monochrome, _): .monochrome
    case (_, .eight), (.eight, _): .eight
    // There, the numbers from 8 on are RGB already.
    case (.direct, _): .direct
    case (_, .sixteen), (.sixteen, _): .sixteen
    case (.palette, _): .palette
    }
  }

  /// The number by which ncurses knows the nearest colour; -1 is the terminal's default.
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
    // Grey text as black would be gone on a black background: the default is always legible.
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
    case .palette: rgb.nearestInPalette
    // Descriptions of direct colour keep the numbers below 8 for the eight colours of ANSI.
    case .direct: max(8, Int32(rgb.red) << 16 | Int32(rgb.green) << 8 | Int32(rgb.blue))
    }
  }
}

/// A colour by its parts, with distances as an eye sees them, roughly.
private struct RGB {
  var red: Int
  var green: Int
  var blue: Int

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (Int(red), Int(green), Int(blue))
  }

  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// Entry `index` as xterm shows it where no theme says otherwise.
  init(paletteEntry index: UInt8) {
    let levels = RGB.levels
    switch Int(index) {
    case 7: self.init(229, 229, 229)
    case 8: self.init(127, 127, 127)
    case 12: self.init(92, 92, 255)
    case 0..<16:
      let full: UInt8 = index > 8 ? 255 : 205
      self.init(
        index & 1 == 0 ? 0 : full, index & 2 == 0 ? 0 : full,
        index & 4 == 0 ? 0 : index == 4 ? 238 : full)
    case let index where index < 232:
      let cube = index - 16
      self.init(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
    default:
      let level = UInt8(8 + 10 * (index - 232))
      self.init(level, level, level)
    }
  }

  func distance(to other: RGB) -> Int {
    let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
    return 3 * red * red + 4 * green * green + 2 * blue * blue
  }

  static func nearest(to rgb: RGB, in entries: Range<UInt8>) -> Int32 {
    let nearest = entries.min {
      RGB(paletteEntry: $0).distance(to: rgb) < RGB(paletteEntry: $1).distance(to: rgb)
    }
    return Int32(nearest ?? 0)
  }

  /// In the cube and the greys only: the first 16 are whatever the user's theme makes them.
  var nearestInPalette: Int32 {
    func step(_ level: Int) -> Int { level < 48 ? 0 : level < 115 ? 1 : (level - 35) / 40 }
    let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
    let gray = UInt8(232 + min(23, max(0, ((red + green + blue) / 3 - 3) / 10)))
    let isCube =
      RGB(paletteEntry: cube).distance(to: self) <= RGB(paletteEntry: gray).distance(to: self)
    return Int32(isCube ? cube : gray)
  }
}
