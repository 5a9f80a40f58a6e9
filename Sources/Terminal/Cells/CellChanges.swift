import CNcurses

/// A set of screen cells, with one run of columns per row: the cells that a frame draws again and a
/// screen compares.
public struct Damage: Hashable, Sendable {
  /// The size of the screen.
  public let size: Size
  private var rows: [Range<Int>]

  /// Creates damage of no cells, or of all cells.
  public init(size: Size = .zero, isFull: Bool = false) {
    self.size = size
    rows = Array(repeating: isFull ? 0..<size.width : 0..<0, count: size.height)
  }

  /// Whether it contains every cell.
  public var isFull: Bool { rows.allSatisfy { $0.count == size.width } }

  /// Whether it has no cell.
  package var isEmpty: Bool { !rows.contains { !$0.isEmpty } }

  /// The damaged columns of row `y`; empty if there is no such row.
  public func columns(ofRow y: Int) -> Range<Int> { rows.indices.contains(y) ? rows[y] : 0..<0 }

  /// Adds the part of a rectangle that is on the screen, and in its rows everything between it and
  /// the columns that were damaged before.
  public mutating func insert(_ rect: Rect) {
    let columns = columns(rect)
    guard !columns.isEmpty else { return }
    for y in range(rect) {
      rows[y] =
        rows[y].isEmpty
        ? columns
        : min(rows[y].lowerBound, columns.lowerBound)..<max(rows[y].upperBound, columns.upperBound)
    }
  }

  /// Adds the cells of `other`; if its screen has another size, all cells of that screen.
  public mutating func formUnion(_ other: Damage) {
    guard other.size == size else {
      self = isEmpty ? other : Damage(size: other.size, isFull: true)
      return
    }
    for (y, columns) in other.rows.enumerated() where !columns.isEmpty {
      insert(Rect(x: columns.lowerBound, y: y, width: columns.count, height: 1))
    }
  }

  /// Whether it contains a cell of a rectangle.
  public func meets(_ rect: Rect) -> Bool {
    let columns = columns(rect)
    return !columns.isEmpty && rows[range(rect)].contains { $0.overlaps(columns) }
  }

  /// Adds the other half of each wide glyph of which it contains one half.
  package mutating func complete(in cells: CellBuffer) {
    for (y, columns) in rows.enumerated() where !columns.isEmpty {
      let (first, last) = (columns.lowerBound, columns.upperBound - 1)
      if first > 0, cells[first, y].glyph.width == 0 { rows[y] = first - 1..<rows[y].upperBound }
      if last + 1 < size.width, cells[last, y].glyph.width == 2 {
        rows[y] = rows[y].lowerBound..<last + 2
      }
    }
  }

  private func range(_ rect: Rect) -> Range<Int> {
    (rect.minY..<max(rect.minY, rect.maxY)).clamped(to: rows.indices)
  }

  private func columns(_ rect: Rect) -> Range<Int> {
    (rect.minX..<max(rect.minX, rect.maxX)).clamped(to: 0..<size.width)
  }
}

extension CellBuffer {
  /// Returns the columns in which row `y` differs from that of `other`, which must have the same
  /// width.
  ///
  /// The result has several runs, so that the cells between two spinners need not be examined
  /// again.
  func changes(from other: CellBuffer, row y: Int) -> [Range<Int>] {
    withRow(y) { row in
      other.withRow(y) { old in
        // Most rows are equal byte by byte.
        guard let new = row.baseAddress, let known = old.baseAddress,
          memcmp(new, known, row.count * MemoryLayout<Cell>.stride) != 0
        else { return [] }
        return Self.changes(in: row, from: old)
      }
    }
  }

  private static func changes(
    in row: UnsafeBufferPointer<Cell>, from old: UnsafeBufferPointer<Cell>
  ) -> [Range<Int>] {
    // Moving the cursor takes some bytes and time, too.
    let widestGap = 8
    var runs: [Range<Int>] = []
    var run: Range<Int>?
    for x in row.indices where row[x] != old[x] {
      if let current = run, x - current.upperBound <= widestGap {
        run = current.lowerBound..<(x + 1)
      } else {
        if let run { runs.append(run) }
        // The second half of a wide glyph is drawn together with the first.
        run = (x > 0 && row[x].glyph.width == 0 ? x - 1 : x)..<(x + 1)
      }
    }
    if let run { runs.append(run) }
    return runs
  }
}
