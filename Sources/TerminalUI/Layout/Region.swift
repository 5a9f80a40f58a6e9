/// A rectangle of the frame that a view draws into.
///
/// Nothing outside its clip is ever changed.
@MainActor
struct Region {
  /// Where the view stands; it may reach beyond the clip, or off the screen.
  var rect: Rect
  /// What of it shows.
  var clip: Rect
  let frame: FrameBuilder
  /// Whether its place is on the screen: for what has no size, whether that spot is.
  let isOnScreen: Bool
  /// Whether what is in it should be made ready, because a moment later it may be on the screen.
  var isNear = false

  init(rect: Rect, clip: Rect, frame: FrameBuilder) {
    self.rect = rect
    self.clip = clip.intersection(rect)
    self.frame = frame
    isOnScreen = rect.isEmpty ? clip.contains(rect.origin) : !self.clip.isEmpty
  }

  /// A part of it.
  func part(_ rect: Rect) -> Region {
    var part = Region(rect: rect, clip: clip, frame: frame)
    part.isNear = isNear
    return part
  }

  /// A part of it, by distances from its own edges.
  func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Region {
    part(
      Rect(
        x: rect.minX + left, y: rect.minY + top, width: rect.width - left - right,
        height: rect.height - top - bottom))
  }

  /// Whether what is drawn in either is the same.
  func isSame(as other: Region) -> Bool {
    rect == other.rect && clip == other.clip && isOnScreen == other.isOnScreen
      && isNear == other.isNear
  }

  /// Whether what is in it has appeared.
  var hasAppeared: Bool { isOnScreen || isNear }

  /// Whether none of it shows.
  var isHidden: Bool { clip.isEmpty }

  /// Draws on the cells of the frame, none of them outside of what shows.
  @discardableResult
  func paint<Answer>(_ draw: (inout CellBuffer) -> Answer) -> Answer {
    frame.paint(in: clip, draw)
  }

  /// Writes a line of text, from `x` and `y` within the region.
  @discardableResult
  func write(_ text: String, x: Int = 0, y: Int = 0, style: Style) -> Int {
    let place = Point(x: rect.minX + x, y: rect.minY + y)
    return paint { $0.write(text, at: place, style: style, clip: clip) }
  }

  /// Writes a line of text in styles, from a place on the screen.
  func write(_ line: StyledLine, at place: Point) {
    paint { $0.write(line, at: place, clip: clip) }
  }

  /// Changes the style of what was drawn in it.
  func restyle(_ change: (inout Style) -> Void) { paint { $0.restyle(clip, change) } }

  /// Fills it with blanks of a style.
  func fill(_ style: Style) { fill(Cell(.space, style: style)) }

  /// Fills it with copies of a cell.
  func fill(_ cell: Cell) { paint { $0.fill(clip, with: cell) } }
}
