import CNcurses

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
  /// It contains the wide glyphs of the previous frame whole. Of one at its edge that is being drawn
  /// only one half may be written; `Damage.complete` then finds the other.
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
    withPen(onRow: point.y, clip: clip) { $0.put(Cell(glyph, style: style), at: point.x) }
  }

  /// Calls `body` with a pen that draws on row `y`, inside `clip`.
  mutating func withPen<Result>(onRow y: Int, clip: Rect?, _ body: (Pen) -> Result) -> Result {
    let clip = clip?.intersection(bounds) ?? bounds
    guard clip.minY <= y, y < clip.maxY else {
      return body(
        Pen(row: UnsafeMutableBufferPointer(start: nil, count: 0), clip: 0..<0, open: 0..<0))
    }
    let columns = clip.minX..<clip.maxX
    let open = writable(columns, row: y)
    let row = (y * size.width)..<((y + 1) * size.width)
    return cells.withUnsafeMutableBufferPointer { cells in
      body(Pen(row: UnsafeMutableBufferPointer(rebasing: cells[row]), clip: columns, open: open))
    }
  }

  /// Draws glyphs on one row.
  struct Pen {
    fileprivate let row: UnsafeMutableBufferPointer<Cell>
    fileprivate let clip: Range<Int>
    /// The columns that may be written; not always all of the clip.
    fileprivate let open: Range<Int>

    /// Draws the glyph of a cell in its style, and returns the columns it took; 0 if it does not
    /// fit in the clip.
    @discardableResult
    func put(_ cell: Cell, at x: Int) -> Int {
      let width = Int(cell.glyph.width)
      guard width > 0, clip.lowerBound <= x, x + width <= clip.upperBound else { return 0 }
      if width == 1 {
        if open.contains(x) { replace(x, by: cell) }
        return 1
      }
      // Where only one half may be written, it stays alone unless other drawing covers it: the frame
      // is then drawn again, with the other half.
      if open.contains(x) { replace(x, by: cell) }
      if open.contains(x + 1) { replace(x + 1, by: Cell(.continuation, style: cell.style)) }
      return 2
    }

    /// Replaces every cell by one that is one column wide.
    func fill(with cell: Cell) {
      guard let first = open.first, let last = open.last else { return }
      replace(first, by: cell)
      replace(last, by: cell)
      for x in open { row[x] = cell }
    }

    /// Replaces a cell, and blanks the other half of a wide glyph that loses this one: half a glyph
    /// shifts the rest of the row.
    private func replace(_ x: Int, by cell: Cell) {
      switch row[x].glyph.width {
      case 0 where x > 0 && row[x - 1].glyph.width == 2: row[x - 1].glyph = .space
      case 2 where x + 1 < row.count && row[x + 1].glyph.width == 0: row[x + 1].glyph = .space
      default: break
      }
      row[x] = cell
    }
  }

  /// The columns of row `y` among these that may be written.
  private func writable(_ columns: Range<Int>, row y: Int) -> Range<Int> {
    writable.map { columns.clamped(to: $0.columns(ofRow: y)) } ?? columns
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
    return withPen(onRow: point.y, clip: clip) { pen in
      var cell = Cell(style: style)
      var x = point.x
      for glyph in Glyphs(text) {
        // Stops here, because a text may be a thousand times as long as the row.
        guard x + Int(glyph.width) <= edge else { break }
        cell.glyph = glyph
        pen.put(cell, at: x)
        x += Int(glyph.width)
      }
      return x - point.x
    }
  }

  /// Fills `rect` with copies of `cell`, or with blanks if its glyph is not one column wide.
  public mutating func fill(_ rect: Rect, with cell: Cell) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    let cell = cell.narrowed
    for y in rect.minY..<rect.maxY { withPen(onRow: y, clip: rect) { $0.fill(with: cell) } }
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

  /// Whether all cells of `rect`, which must be inside the buffer and not empty, are blanks that may
  /// be written.
  package func isBlank(_ rect: Rect) -> Bool {
    let columns = rect.minX..<rect.maxX
    return (rect.minY..<rect.maxY).allSatisfy { y in
      writable(columns, row: y) == columns
        && withRow(y) { row in
          guard let first = row.baseAddress.map({ $0 + rect.minX }) else { return false }
          // Each cell equals the next one.
          let length = (rect.width - 1) * MemoryLayout<Cell>.stride
          return first.pointee == .blank && memcmp(first, first + 1, length) == 0
        }
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
