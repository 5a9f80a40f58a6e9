/// A rectangle of cells, on which a frame is drawn and which a screen shows.
///
/// Wide glyphs are never split: overwriting one half blanks the other, even outside the clip, and a
/// wide glyph that does not fit is not drawn.
///
/// ```swift
/// var buffer = CellBuffer(size: Size(width: 10, height: 1))
/// buffer.write("Hello", at: Point(x: 2, y: 0))
/// buffer.text  // "  Hello"
/// ```
public struct CellBuffer: Hashable, Sendable {
  /// The number of columns and rows.
  public let size: Size
  private var cells: [Cell]
  /// The cells that may be written while part of a frame is drawn; nil for all.
  ///
  /// It contains wide glyphs whole, both those of the previous frame and those being drawn.
  package var writable: Damage?

  /// Creates a buffer filled with `cell`, or with blanks if its glyph is not one column wide.
  public init(size: Size, filledWith cell: Cell = .blank) {
    self.size = size
    cells = Array(repeating: cell.narrowed, count: size.width * size.height)
  }

  /// Creates a buffer of one row.
  init(row: ArraySlice<Cell>) {
    size = Size(width: row.count, height: 1)
    cells = Array(row)
  }

  /// The rectangle of the whole buffer.
  public var bounds: Rect { Rect(origin: Point(x: 0, y: 0), size: size) }

  /// The cell at column `x` and row `y`, which must be inside the buffer.
  public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

  /// The cells of row `y`, which must be inside the buffer.
  public func row(_ y: Int) -> ArraySlice<Cell> {
    cells[(y * size.width)..<((y + 1) * size.width)]
  }

  /// Calls `body` with the cells of row `y`, which must be inside the buffer.
  func withRow<Result>(_ y: Int, _ body: (UnsafeBufferPointer<Cell>) -> Result) -> Result {
    cells.withUnsafeBufferPointer { cells in
      body(UnsafeBufferPointer(rebasing: cells[(y * size.width)..<((y + 1) * size.width)]))
    }
  }

  /// Copies the damaged cells from `other`, which must have the same size.
  package mutating func copy(_ damage: Damage, from other: CellBuffer) {
    for y in 0..<size.height {
      copy(damage.columns(ofRow: y), ofRow: y, from: other)
    }
  }

  /// Copies some columns of row `y` from `other`, which must have the same width.
  mutating func copy(_ columns: Range<Int>, ofRow y: Int, from other: CellBuffer) {
    guard !columns.isEmpty else { return }
    let places = (y * size.width + columns.lowerBound)..<(y * size.width + columns.upperBound)
    cells.replaceSubrange(places, with: other.cells[places])
  }

  /// Draws a glyph and returns the columns it took; 0 if it does not fit in `clip`.
  @discardableResult
  public mutating func put(_ glyph: Glyph, at point: Point, style: Style, clip: Rect? = nil) -> Int
  {
    put(glyph, at: point, style: style, inside: clip?.intersection(bounds) ?? bounds)
  }

  /// Draws a glyph as above, with a clip that lies within the buffer.
  @discardableResult
  mutating func put(_ glyph: Glyph, at point: Point, style: Style, inside clip: Rect) -> Int {
    let width = Int(glyph.width)
    guard width > 0, point.y >= clip.minY, point.y < clip.maxY, point.x >= clip.minX,
      point.x + width <= clip.maxX
    else { return 0 }
    let columns = writable(point.x..<point.x + width, row: point.y)
    guard let first = columns.first else { return 0 }
    let index = point.y * size.width + first
    separate(index, at: first)
    if columns.count == 2 {
      separate(index + 1, at: first + 1)
      cells[index + 1] = Cell(.continuation, style: style)
    }
    // If half of a wide glyph is outside, only the blank half is left of it: other drawing covers
    // the rest.
    cells[index] = columns.count == width ? Cell(glyph, style: style) : Cell(style: style)
    return width
  }

  /// The columns of row `y` among these that may be written.
  private func writable(_ columns: Range<Int>, row y: Int) -> Range<Int> {
    writable.map { columns.clamped(to: $0.columns(ofRow: y)) } ?? columns
  }

  /// Blanks the other half of a wide glyph that is about to lose the half at column `x`, because
  /// half a glyph shifts the rest of the row.
  private mutating func separate(_ index: Int, at x: Int) {
    switch cells[index].glyph.width {
    case 0 where x > 0: cells[index - 1].glyph = .space
    case 2 where x + 1 < size.width: cells[index + 1].glyph = .space
    default: break
    }
  }

  /// Writes one line of text, sanitised, up to the right edge of `clip`.
  ///
  /// Returns the columns it took. Glyphs to the left of the clip count, although they are not
  /// drawn.
  @discardableResult
  public mutating func write(
    _ text: some StringProtocol, at point: Point, style: Style = .plain, clip: Rect? = nil
  ) -> Int {
    let edge = min(clip?.maxX ?? size.width, size.width)
    let clip = clip?.intersection(bounds) ?? bounds
    var x = point.x
    for glyph in Glyphs(text) {
      // Stops here, because a text may be a thousand times as long as the row.
      guard x + Int(glyph.width) <= edge else { break }
      put(glyph, at: Point(x: x, y: point.y), style: style, inside: clip)
      x += Int(glyph.width)
    }
    return x - point.x
  }

  /// Fills `rect` with copies of `cell`, or with blanks if its glyph is not one column wide.
  public mutating func fill(_ rect: Rect, with cell: Cell) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    let cell = cell.narrowed
    for y in rect.minY..<rect.maxY {
      let columns = writable(rect.minX..<rect.maxX, row: y)
      guard let first = columns.first, let last = columns.last else { continue }
      let start = y * size.width
      separate(start + first, at: first)
      separate(start + last, at: last)
      for index in (start + first)...(start + last) { cells[index] = cell }
    }
  }

  /// Changes the style of every cell in `rect`, but not its glyph.
  ///
  /// A wide glyph that crosses the edge is not changed, because a terminal draws both halves in one
  /// style.
  public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    for y in rect.minY..<rect.maxY {
      let start = y * size.width
      var columns = rect.minX..<rect.maxX
      if cells[start + columns.lowerBound].glyph.width == 0 { columns.removeFirst() }
      if let last = columns.last, cells[start + last].glyph.width == 2 { columns.removeLast() }
      for x in writable(columns, row: y) { change(&cells[start + x].style) }
    }
  }

  /// The cells of `rect`, which must be inside the buffer, row by row.
  package func cells(in rect: Rect) -> [Cell] {
    var result: [Cell] = []
    result.reserveCapacity(rect.width * rect.height)
    for y in rect.minY..<rect.maxY {
      result += cells[(y * size.width + rect.minX)..<(y * size.width + rect.maxX)]
    }
    return result
  }

  /// Replaces the cells of `rect`, which must be inside the buffer.
  ///
  /// `others` must fit the current cells (for example, they were read from `rect` before its style
  /// was changed), with no half of a wide glyph at an edge.
  package mutating func replace(_ rect: Rect, with others: [Cell]) {
    for y in rect.minY..<rect.maxY {
      let known = (y - rect.minY) * rect.width - rect.minX
      for x in writable(rect.minX..<rect.maxX, row: y) {
        cells[y * size.width + x] = others[known + x]
      }
    }
  }

  /// The text of all cells, with one line for each row and without trailing blanks.
  public var text: String {
    (0..<size.height).map(line).joined(separator: "\n")
  }

  /// The text of row `y`, without trailing blanks.
  public func line(_ y: Int) -> String {
    let row = row(y)
    let end = row.lastIndex { $0.glyph != .space }.map { $0 + 1 } ?? row.startIndex
    return row[..<end].map(\.glyph.text).joined()
  }
}
