/// Block characters as the areas of the cell that they cover.
///
/// A font draws them smaller than a cell, with gaps between lines, which would cut pictures made of
/// them into stripes.
enum BlockElements {
  /// A part of a cell, in eighths of its width and height, and the opacity of the colour.
  struct Area: Equatable {
    var x = 0
    var y = 0
    var width = 8
    var height = 8
    var opacity = 1.0
  }

  /// Returns the areas that a scalar in U+2580–259F covers; `nil` for any other scalar.
  static func areas(of scalar: UInt32) -> [Area]? {
    let eighths = Int(scalar & 0xF)
    switch scalar {
    case 0x2580: return [Area(height: 4)]
    case 0x2581...0x2588: return [Area(y: 8 - eighths, height: eighths)]
    case 0x2589...0x258F: return [Area(width: 16 - eighths)]
    case 0x2590: return [Area(x: 4, width: 4)]
    case 0x2591...0x2593: return [Area(opacity: Double(eighths) / 4)]
    case 0x2594: return [Area(height: 1)]
    case 0x2595: return [Area(x: 7, width: 1)]
    case 0x2596...0x259F:
      return zip(quadrants[Int(scalar - 0x2596)], corners).filter(\.0).map(\.1)
    default: return nil
    }
  }

  private static let corners = [(0, 0), (4, 0), (0, 4), (4, 4)].map { x, y in
    Area(x: x, y: y, width: 4, height: 4)
  }

  /// The corners that each of U+2596–259F covers: top left, top right, bottom left, bottom right.
  private static let quadrants: [[Bool]] = [
    0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111,
  ].map { bits in (0..<4).map { bits >> (3 - $0) & 1 == 1 } }
}
