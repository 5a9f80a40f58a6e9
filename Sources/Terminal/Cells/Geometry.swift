/// A width and a height in cells, never negative.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size; negative lengths become 0.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// No cells at all.
  public static let zero = Size(width: 0, height: 0)
}

/// The position of a cell: column `x` and row `y`, counted from 0 at the top left.
public struct Point: Hashable, Sendable {
  /// The number of columns from the left edge.
  public var x: Int
  /// The number of rows from the top edge.
  public var y: Int

  /// Creates a point at column `x` and row `y`.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of cells: it contains its origin, and ends before `maxX` and `maxY`.
public struct Rect: Hashable, Sendable {
  /// The top left cell.
  public var origin: Point
  /// The number of columns and rows.
  public var size: Size

  /// Creates a rectangle of `size` whose top left cell is `origin`.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle of `width` by `height` cells at (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The leftmost column.
  public var minX: Int { origin.x }
  /// The topmost row.
  public var minY: Int { origin.y }
  /// The first column to the right of it.
  public var maxX: Int { origin.x + size.width }
  /// The first row below it.
  public var maxY: Int { origin.y + size.height }
  /// The number of columns.
  public var width: Int { size.width }
  /// The number of rows.
  public var height: Int { size.height }
  /// Whether it contains no cell.
  public var isEmpty: Bool { size.width == 0 || size.height == 0 }

  /// Whether `point` is one of its cells.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// A rectangle without cells.
  package static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Extends this rectangle to the smallest one that contains `other`, too; an empty `other` adds
  /// nothing.
  package mutating func formUnion(_ other: Rect) {
    guard !other.isEmpty else { return }
    guard !isEmpty else {
      self = other
      return
    }
    let (x, y) = (min(minX, other.minX), min(minY, other.minY))
    self = Rect(
      x: x, y: y, width: max(maxX, other.maxX) - x, height: max(maxY, other.maxY) - y)
  }

  /// Moves it right by `x` and down by `y` of `offset`.
  package mutating func move(by offset: Point) {
    origin = Point(x: origin.x + offset.x, y: origin.y + offset.y)
  }

  /// Returns the cells that both rectangles contain; empty if they do not overlap.
  public func intersection(_ other: Rect) -> Rect {
    let x = max(minX, other.minX)
    let y = max(minY, other.minY)
    return Rect(
      x: x, y: y, width: min(maxX, other.maxX) - x, height: min(maxY, other.maxY) - y)
  }
}
