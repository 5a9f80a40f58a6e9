import Terminal

extension PictureRequest {
  /// Returns the size in cells of a picture with this many pixels in the requested space.
  public func size(of picture: PixelSize) -> Size { PictureFit.size(of: picture, in: self) }
}

/// The size of a picture in cells, with its aspect ratio kept.
///
/// The converter has the same rule; this one is for callers that need the size before it has
/// answered.
enum PictureFit {
  /// The greatest width or height of the space, in cells.
  static let longest = 1000
  /// The size of a cell in pixels, for a picture at its original size: twice as high as wide, as in
  /// most terminals.
  private static let cell = PixelSize(width: 8, height: 16)

  static func size(of picture: PixelSize, in request: PictureRequest) -> Size {
    let room = room(of: request)
    // Clamped so that no product overflows.
    let (width, height) = (
      min(max(picture.width, 1), 1 << 20), min(max(picture.height, 1), 1 << 20)
    )
    var (columns, rows) = (room.width, room.height)
    if !request.enlarges {
      columns = min(columns, (width + cell.width - 1) / cell.width)
      rows = min(rows, (height + cell.height - 1) / cell.height)
    }
    // Compare both ratios without division: which edge is reached first?
    if width * rows * cell.height >= height * columns * cell.width {
      rows = quotient(height * columns * cell.width, width * cell.height, upTo: rows)
    } else {
      columns = quotient(width * rows * cell.height, height * cell.width, upTo: columns)
    }
    return Size(width: columns, height: rows)
  }

  /// The requested space, clamped.
  static func room(of request: PictureRequest) -> Size {
    Size(
      width: min(max(request.room.width, 1), longest),
      height: min(max(request.room.height, 1), longest))
  }

  private static func quotient(_ dividend: Int, _ divisor: Int, upTo limit: Int) -> Int {
    min(max((dividend + divisor / 2) / divisor, 1), limit)
  }
}
