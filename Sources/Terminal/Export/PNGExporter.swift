/// Exports cells as a PNG picture in a bitmap font, with the same bytes on every machine.
public struct PNGExporter: Sendable {
  /// The shapes of the glyphs.
  public var font: BitmapFont
  /// The colours.
  public var theme: SVGTheme

  /// Creates an exporter that draws with this font.
  public init(font: BitmapFont, theme: SVGTheme = .dark) {
    self.font = font
    self.theme = theme
  }

  private static let padding = 10

  /// Returns a picture of all of `buffer`.
  public func bytes(from buffer: CellBuffer) -> [UInt8] {
    var pixels = Pixels(
      width: buffer.size.width * BitmapFont.width + 2 * Self.padding,
      height: buffer.size.height * BitmapFont.height + 2 * Self.padding,
      filledWith: RGB(hex: theme.background))
    for y in 0..<buffer.size.height {
      for (x, cell) in buffer.row(y).enumerated() where cell.glyph.width > 0 {
        draw(cell, atColumn: x, row: y, in: &pixels)
      }
    }
    return PNGFile.bytes(of: pixels)
  }

  private func draw(_ cell: Cell, atColumn column: Int, row: Int, in pixels: inout Pixels) {
    let (left, top) = (
      Self.padding + column * BitmapFont.width, Self.padding + row * BitmapFont.height
    )
    let width = Int(cell.glyph.width) * BitmapFont.width
    let ground = RGB(hex: theme.background(of: cell.style))
    let ink = RGB(hex: theme.foreground(of: cell.style)).blended(
      over: ground, opacity: cell.style.attributes.contains(.dim) ? 0.6 : 1)
    pixels.fill(x: left, y: top, width: width, height: BitmapFont.height, with: ground)
    let scalar = cell.glyph.scalar
    if let areas = BlockElements.areas(of: scalar) {
      for area in areas {
        let (upper, lower) = (
          area.y * BitmapFont.height / 8, (area.y + area.height) * BitmapFont.height / 8
        )
        let (near, far) = (
          area.x * BitmapFont.width / 8, (area.x + area.width) * BitmapFont.width / 8
        )
        pixels.fill(
          x: left + near, y: top + upper, width: far - near, height: lower - upper,
          with: ink.blended(over: ground, opacity: area.opacity))
      }
    } else if cell.glyph != .space {
      // A glyph missing from the font is drawn as a box of its size.
      let isBold = cell.style.attributes.contains(.bold)
      if let rows = font.rows(of: scalar, isBold: isBold) {
        for (y, bits) in rows.enumerated() where bits != 0 {
          for x in 0..<BitmapFont.width where bits >> UInt16(BitmapFont.width - 1 - x) & 1 == 1 {
            pixels.fill(x: left + x, y: top + y, width: 1, height: 1, with: ink)
          }
        }
      } else {
        pixels.fill(x: left + 2, y: top + 3, width: width - 4, height: 13, with: ink)
        pixels.fill(x: left + 3, y: top + 4, width: width - 6, height: 11, with: ground)
      }
    }
    for (attribute, y) in [(Attributes.underline, 17), (.strikethrough, 10)]
    where cell.style.attributes.contains(attribute) {
      pixels.fill(x: left, y: top + y, width: width, height: 1, with: ink)
    }
  }
}

/// A picture in memory.
struct Pixels {
  let width: Int
  let height: Int
  /// Three bytes per pixel, row by row.
  private(set) var bytes: [UInt8]

  init(width: Int, height: Int, filledWith color: RGB) {
    self.width = width
    self.height = height
    bytes = []
    bytes.reserveCapacity(3 * width * height)
    for _ in 0..<(width * height) { bytes += [color.red, color.green, color.blue] }
  }

  /// Fills an area, which must be inside the picture.
  mutating func fill(x: Int, y: Int, width: Int, height: Int, with color: RGB) {
    for row in y..<(y + height) {
      var place = 3 * (row * self.width + x)
      for _ in 0..<width {
        bytes[place] = color.red
        bytes[place + 1] = color.green
        bytes[place + 2] = color.blue
        place += 3
      }
    }
  }
}

extension RGB {
  /// Creates a colour from `#rrggbb`.
  fileprivate init(hex: String) { self.init(UInt32(hex.dropFirst(), radix: 16) ?? 0) }
}
