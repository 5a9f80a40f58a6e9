import TerminalUI

/// A picture of the handbook: shapes that are painted on a canvas of any size.
///
/// It needs no decoder and no file, and is the same on every machine.
struct Painting: Sendable {
  /// The canvas in units, in a ratio of eight to five.
  static let width = 160.0
  static let height = 100.0

  /// The shapes, from back to front.
  let shapes: [Shape]

  /// Finds the painting at an address of the handbook; nil for any other address.
  init?(at address: String) {
    let prefix = "argyle://handbook/pictures/"
    guard address.hasPrefix(prefix), address.hasSuffix(".png") else { return nil }
    guard let shapes = Self.all[String(address.dropFirst(prefix.count).dropLast(4))] else {
      return nil
    }
    self.shapes = shapes
  }

  /// Returns the largest size within `room`, given that a cell is twice as high as wide.
  func size(in room: Size) -> Size {
    let width = max(1, min(room.width, room.height * 16 / 5))
    return Size(width: width, height: max(1, min(room.height, (width * 5 + 8) / 16)))
  }

  /// Paints the picture as large as fits into `room`.
  func cells(in room: Size) -> CellBuffer {
    let size = size(in: room)
    var cells = CellBuffer(size: size)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (upper, lower) = (color(x, 2 * y, size), color(x, 2 * y + 1, size))
        let style = Style(foreground: upper, background: lower)
        cells.write("▀", at: Point(x: x, y: y), style: style)
      }
    }
    return cells
  }

  /// Returns the mean colour of half a cell.
  private func color(_ x: Int, _ y: Int, _ size: Size) -> Color {
    let offsets = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
    var sum = (red: 0, green: 0, blue: 0)
    for (right, down) in offsets {
      let place = (
        x: (Double(x) + right) / Double(size.width) * Self.width,
        y: (Double(y) + down) / Double(2 * size.height) * Self.height
      )
      let hex = shapes.last { $0.contains(place.x, place.y) }?.color(atY: place.y) ?? 0
      sum.red += hex >> 16 & 0xFF
      sum.green += hex >> 8 & 0xFF
      sum.blue += hex & 0xFF
    }
    return Color(
      red: UInt8(sum.red / offsets.count), green: UInt8(sum.green / offsets.count),
      blue: UInt8(sum.blue / offsets.count))
  }
}

/// A shape in one colour, or in a gradient from its top to its bottom.
struct Shape: Sendable {
  private enum Outline: Sendable {
    case rectangle, ellipse
    /// The corners, in order.
    case polygon([(x: Double, y: Double)])
  }

  private let outline: Outline
  private let (minX, minY, maxX, maxY): (Double, Double, Double, Double)
  private let (top, bottom): (Int, Int)

  private init(
    _ outline: Outline, _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ top: Int,
    _ bottom: Int?
  ) {
    self.outline = outline
    (minX, minY, maxX, maxY) = (x, y, x + width, y + height)
    (self.top, self.bottom) = (top, bottom ?? top)
  }

  /// Makes a rectangle from its top left corner; colours are 0xRRGGBB.
  static func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Int, to bottom: Int? = nil
  ) -> Shape {
    Shape(.rectangle, x, y, width, height, color, bottom)
  }

  /// Makes the ellipse that touches the sides of such a rectangle.
  static func oval(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Int, to bottom: Int? = nil
  ) -> Shape {
    Shape(.ellipse, x, y, width, height, color, bottom)
  }

  /// Makes a polygon with these corners.
  static func form(_ corners: [(x: Double, y: Double)], _ color: Int) -> Shape {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, upper) = (xs.min() ?? 0, ys.min() ?? 0)
    return Shape(
      .polygon(corners), left, upper, (xs.max() ?? 0) - left, (ys.max() ?? 0) - upper, color, nil)
  }

  func contains(_ x: Double, _ y: Double) -> Bool {
    guard x >= minX, x < maxX, y >= minY, y < maxY else { return false }
    switch outline {
    case .rectangle: return true
    case .ellipse:
      let (across, down) = (
        (2 * x - minX - maxX) / (maxX - minX), (2 * y - minY - maxY) / (maxY - minY)
      )
      return across * across + down * down <= 1
    case .polygon(let corners):
      // A point is inside if a line to its left crosses an odd number of edges.
      var isInside = false
      for (one, other) in zip(corners, corners.dropFirst() + corners.prefix(1))
      where (one.y > y) != (other.y > y) {
        if x < (other.x - one.x) * (y - one.y) / (other.y - one.y) + one.x { isInside.toggle() }
      }
      return isInside
    }
  }

  func color(atY y: Double) -> Int {
    guard top != bottom else { return top }
    let part = min(max((y - minY) / (maxY - minY), 0), 1)
    return [16, 8, 0].reduce(0) { hex, shift in
      let (from, to) = (Double(top >> shift & 0xFF), Double(bottom >> shift & 0xFF))
      return hex | Int(from + (to - from) * part) << shift
    }
  }
}
