/// The size of a picture in cells, with its aspect ratio kept.
///
/// The Pictures module has the same rule, to reserve the space before the picture arrives.
struct Fit: Equatable {
  let columns: Int
  let rows: Int

  /// - Parameters:
  ///   - size: each length is at least 1, and small enough for products of three.
  ///   - request: has the available space.
  init(_ size: Dimensions, in request: Request) {
    let (width, height) = (size.width, size.height)
    let (cellWidth, cellHeight) = (Int(request.cellWidth), Int(request.cellHeight))
    var (columns, rows) = (Int(request.columns), Int(request.rows))
    if !request.enlarges {
      columns = min(columns, (width + cellWidth - 1) / cellWidth)
      rows = min(rows, (height + cellHeight - 1) / cellHeight)
    }
    // Compare both ratios without division: which edge is reached first?
    if width * rows * cellHeight >= height * columns * cellWidth {
      rows = Self.quotient(height * columns * cellWidth, width * cellHeight, upTo: rows)
    } else {
      columns = Self.quotient(width * rows * cellHeight, height * cellWidth, upTo: columns)
    }
    (self.columns, self.rows) = (columns, rows)
  }

  private static func quotient(_ dividend: Int, _ divisor: Int, upTo limit: Int) -> Int {
    min(max((dividend + divisor / 2) / divisor, 1), limit)
  }
}
