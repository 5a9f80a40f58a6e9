import CNcurses

/// Some of the cells of a screen, of each row one run of columns: those that a frame draws again, and
/// those that a screen has to compare.
public struct Damage: Hashable, Sendable {
  /// The size of the screen.
  public let size: Size
  private var rows: [Range<Int>]

  /// None of the cells, or all of them.
  public init(size: Size = .zero, isFull: Bool = false) {
    self.size = size
    rows = Array(repeating: isFull ? 0..<size.width : 0..<0, count: size.height)
  }

  /// Whether it has every cell.
  public var isFull: Bool { rows.allSatisfy { $0.count == size.width } }

  /// The columns of row `y`; none where there is no such row.
  public func columns(ofRow y: Int) -> Range<Int> { rows.indices.contains(y) ? rows[y] : 0..<0 }

  /// Adds a rectangle, as far as it is on the screen, with what is between it and what was there in its
  /// rows.
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

  /// Adds the cells of `other`; all cells of its screen, where that is of another size.
  public mutating func formUnion(_ other: Damage) {
    guard other.size == size else {
      self = rows.allSatisfy(\.isEmpty) ? other : Damage(size: other.size, isFull: true)
      return
    }
    for (y, columns) in other.rows.enumerated() where !columns.isEmpty {
      insert(Rect(x: columns.lowerBound, y: y, width: columns.count, height: 1))
    }
  }

  /// Whether it has a cell of a rectangle.
  public func meets(_ rect: Rect) -> Bool {
    let columns = columns(rect)
    return !columns.isEmpty && rows[range(rect)].contains { $0.overlaps(columns) }
  }

  /// Adds the halves of wide glyphs of which it has the other half.
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
  /// The columns in which row `y` differs from the same row of `other`, which is as wide: in runs,
  /// because what stands between two spinners need not be looked at again.
  func changes(from other: CellBuffer, row y: Int) -> [Range<Int>] {
    withRow(y) { row in
      other.withRow(y) { old in
        // Most rows are the same, byte by byte.
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
    // A jump of the cursor takes some bytes and some time, too.
    let widestGap = 8
    var runs: [Range<Int>] = []
    var run: Range<Int>?
    for x in row.indices where row[x] != old[x] {
      if let current = run, x - current.upperBound <= widestGap {
        run = current.lowerBound..<(x + 1)
      } else {
        if let run { runs.append(run) }
        // The half of a wide glyph is drawn by the other half.
        run = (x > 0 && row[x].glyph.width == 0 ? x - 1 : x)..<(x + 1)
      }
    }
    if let run { runs.append(run) }
    return runs
  }
}
