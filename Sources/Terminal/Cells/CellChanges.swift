import CNcurses

/// Some of the rows of a screen: those that a frame draws again, and those that a screen has to compare.
public struct RowSet: Hashable, Sendable {
  private var rows: [Bool]

  /// None of `count` rows, or all of them.
  public init(count: Int = 0, isFull: Bool = false) {
    rows = Array(repeating: isFull, count: count)
  }

  /// Whether it has every row.
  public var isFull: Bool { !rows.contains(false) }

  /// Whether it has row `y`.
  public func contains(_ y: Int) -> Bool { rows.indices.contains(y) && rows[y] }

  /// Adds the rows of a rectangle, as far as there are such rows.
  public mutating func insert(_ rect: Rect) {
    guard !rect.isEmpty else { return }
    for y in range(rect) { rows[y] = true }
  }

  /// Adds the rows of `other`, which may be of a taller screen.
  public mutating func formUnion(_ other: RowSet) {
    rows += Array(repeating: false, count: max(0, other.rows.count - rows.count))
    for (y, isIn) in other.rows.enumerated() where isIn { rows[y] = true }
  }

  /// Whether it has a row of a rectangle.
  public func meets(_ rect: Rect) -> Bool { !rect.isEmpty && rows[range(rect)].contains(true) }

  private func range(_ rect: Rect) -> Range<Int> {
    (rect.minY..<max(rect.minY, rect.maxY)).clamped(to: rows.indices)
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
