/// A font of glyphs in cells of 10 × 20 pixels, for pictures made of pixels.
///
/// The file consists of records of 82 bytes, ordered by scalar: the scalar, 20 rows of the regular
/// shape and 20 rows of the bold shape. Each number takes two bytes, the lower one first. The
/// leftmost pixel of a row is the highest of its ten bits.
public struct BitmapFont: Sendable {
  static let width = 10
  static let height = 20
  private static let recordLength = 2 + 2 * 2 * height

  private let bytes: [UInt8]
  private let places: [UInt32: Int]

  /// Creates a font from the bytes of a file; an incomplete record at the end is ignored.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let count = bytes.count / Self.recordLength
    places = Dictionary(
      (0..<count).map { index in
        let start = index * Self.recordLength
        return (UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8, start + 2)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Glyphs that are drawn as other glyphs that look similar.
  private static let likenesses: [UInt32: UInt32] = [
    0x25B8: 0x25BA, 0x2605: 0x002A, 0x21C4: 0x2194, 0x25B0: 0x25AC,
  ]
  /// Glyphs that are drawn as the outlines of other glyphs.
  private static let outlines: [UInt32: UInt32] = [0x25B1: 0x25AC]

  /// Returns the rows of a glyph; nil if the font does not have it.
  func rows(of scalar: UInt32, isBold: Bool) -> [UInt16]? {
    if places[scalar] == nil, let full = Self.outlines[scalar] {
      return rows(of: full, isBold: isBold).map(outline)
    }
    let known = places[scalar] ?? Self.likenesses[scalar].flatMap { places[$0] }
    guard let place = known else { return nil }
    let start = place + (isBold ? 2 * Self.height : 0)
    return (0..<Self.height).map { row in
      UInt16(bytes[start + 2 * row]) | UInt16(bytes[start + 2 * row + 1]) << 8
    }
  }

  /// Returns a shape without the pixels that have neighbours on all four sides.
  private func outline(_ rows: [UInt16]) -> [UInt16] {
    rows.indices.map { y in
      let (above, below) = (y > 0 ? rows[y - 1] : 0, y + 1 < rows.count ? rows[y + 1] : 0)
      return rows[y] & ~(above & below & rows[y] << 1 & rows[y] >> 1)
    }
  }
}
