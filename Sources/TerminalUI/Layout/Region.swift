/// A rectangle of the frame into which a view draws.
///
/// Nothing outside the clip is changed.
@MainActor
struct Region {
  /// The rectangle of the view; it may reach beyond the clip, or off the screen.
  var rect: Rect
  /// The visible part of the rectangle.
  var clip: Rect
  let frame: FrameBuilder
  /// Whether any of the rectangle is on the screen; for an empty one, whether its origin is, which
  /// may be at the far edge, as after a view that takes all the room.
  let isOnScreen: Bool
  /// Whether its views should load early, because the user may soon scroll to them.
  var isNear = false

  init(rect: Rect, clip: Rect, frame: FrameBuilder) {
    self.rect = rect
    self.clip = clip.intersection(rect)
    self.frame = frame
    isOnScreen = rect.isEmpty ? clip.touches(rect.origin) : !self.clip.isEmpty
  }

  /// Returns a part of the region.
  func part(_ rect: Rect) -> Region {
    var part = Region(rect: rect, clip: clip, frame: frame)
    part.isNear = isNear
    return part
  }

  /// Returns a part of the region, given by distances from its edges.
  func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Region {
    part(
      Rect(
        x: rect.minX + left, y: rect.minY + top, width: rect.width - left - right,
        height: rect.height - top - bottom))
  }

  /// Moves it on the screen, where as much of it must be visible as before.
  mutating func move(by offset: Point) {
    rect.move(by: offset)
    clip.move(by: offset)
  }

  /// Whether drawing in either region gives the same result.
  func isSame(as other: Region) -> Bool {
    rect == other.rect && clip == other.clip && isOnScreen == other.isOnScreen
      && isNear == other.isNear
  }

  /// Whether the views in it count as having appeared.
  var hasAppeared: Bool { isOnScreen || isNear }

  /// Whether all of it is visible.
  var isWhole: Bool { clip == rect }

  /// Whether none of it is visible.
  var isHidden: Bool { clip.isEmpty }

  /// Calls `draw`, which must not draw outside the clip, with the cells of the frame.
  @discardableResult
  func paint<Answer>(_ draw: (inout CellBuffer) -> Answer) -> Answer {
    frame.paint(in: clip, draw)
  }

  /// Writes a line of text at `x` and `y` within the region, and returns the columns it takes.
  @discardableResult
  func write(_ text: String, x: Int = 0, y: Int = 0, style: Style) -> Int {
    let place = Point(x: rect.minX + x, y: rect.minY + y)
    return paint { $0.write(text, at: place, style: style, clip: clip) }
  }

  /// Writes a line of styled text, beginning at a point on the screen.
  func write(_ line: StyledLine, at place: Point) {
    paint { $0.write(line, at: place, clip: clip) }
  }

  /// Changes the style of the cells in the region.
  func restyle(_ change: (inout Style) -> Void) { paint { $0.restyle(clip, change) } }

  /// Fills the region with blanks of a style.
  func fill(_ style: Style) { fill(Cell(.space, style: style)) }

  /// Fills the region with copies of a cell.
  func fill(_ cell: Cell) { paint { $0.fill(clip, with: cell) } }
}

extension Rect {
  /// Whether a point is in the rectangle or at one of its edges.
  fileprivate func touches(_ point: Point) -> Bool {
    !isEmpty && minX...maxX ~= point.x && minY...maxY ~= point.y
  }
}
