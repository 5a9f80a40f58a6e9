/// The fixed part of the 256-colour palette.
///
/// Entries 16–231 are a cube of six levels a channel, and 232–255 a ramp of greys; entries 0–15 are
/// the user's own.
enum XtermPalette {
  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// The colour of an entry from 16 on.
  static func components(of index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8)? {
    guard index >= 16 else { return nil }
    guard index < 232 else {
      let gray = 8 + 10 * (index - 232)
      return (gray, gray, gray)
    }
    let cube = Int(index - 16)
    return (levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
  }

  /// The entry from 16 on that is nearest to a colour.
  static func nearest(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    func level(_ value: UInt8) -> UInt8 { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let cube = 16 + 36 * level(red) + 6 * level(green) + level(blue)
    let average = (Int(red) + Int(green) + Int(blue)) / 3
    let gray = UInt8(232 + min(23, max(0, (average - 3) / 10)))
    func distance(_ index: UInt8) -> Int {
      guard let (r, g, b) = components(of: index) else { return .max }
      let (dr, dg, db) = (Int(r) - Int(red), Int(g) - Int(green), Int(b) - Int(blue))
      return dr * dr + dg * dg + db * db
    }
    return distance(gray) < distance(cube) ? gray : cube
  }
}
