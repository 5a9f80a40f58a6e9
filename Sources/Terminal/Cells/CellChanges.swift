import CNcurses

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
