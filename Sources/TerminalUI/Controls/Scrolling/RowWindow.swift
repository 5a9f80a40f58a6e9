/// A window on rows of different heights: computes which of them are visible, and where.
///
/// It measures a row only if the row may be visible, because measuring makes the row.
@MainActor
struct RowWindow {
  /// The first visible row, and how many of its lines are scrolled away above the window.
  struct Position: Equatable {
    var row = 0
    var offset = 0
  }

  /// A visible row: where it begins, and its height.
  struct Line: Equatable {
    let row: Int
    let y: Int
    let height: Int
  }

  let count: Int
  let height: Int
  let rowHeight: (Int) -> Int

  /// The rows that are visible from a position on; at the end also a last row without a height,
  /// such as one that only loads more.
  func lines(from position: Position) -> [Line] {
    var lines: [Line] = []
    var (row, y) = (position.row, -position.offset)
    while row < count, y < height || y == height && row == count - 1 {
      let line = Line(row: row, y: y, height: rowHeight(row))
      guard y < height || line.height == 0 else { break }
      lines.append(line)
      y += line.height
      row += 1
    }
    return lines
  }

  /// Returns the nearest valid position, which begins within its row and leaves no room below the
  /// last one, and the rows visible from there.
  ///
  /// - Parameter revealed: a row that must be wholly visible, or from its beginning if it is taller
  ///   than the window.
  func settled(
    _ position: Position, revealing revealed: Int? = nil
  ) -> (position: Position, lines: [Line]) {
    var position = within(position)
    // Measuring makes rows, so rows far from the revealed one must not be measured.
    if let revealed, revealed < position.row || revealed >= position.row + height {
      position = self.position(showing: revealed, from: position)
    }
    var lines = lines(from: position)
    if let revealed, !isWhole(revealed, in: lines) {
      position = self.position(showing: revealed, from: position)
      lines = self.lines(from: position)
    }
    let room = height - (lines.last.map { $0.y + $0.height } ?? 0)
    if room > 0, position != Position() {
      position = back(from: position, by: room)
      lines = self.lines(from: position)
    }
    return (position, lines)
  }

  /// The position `lines` further down, or further up if negative.
  func moved(_ position: Position, by lines: Int) -> Position {
    settled(Position(row: position.row, offset: position.offset + lines)).position
  }

  /// The position that a scroll step leads to, given the rows that are visible now.
  func position(
    after step: ScrollStep, from position: Position, showing shown: [Line]
  ) -> Position {
    switch step {
    case .lines(let lines): moved(position, by: lines)
    case .pages(let pages): moved(position, by: pages * max(1, height - 1))
    case .start: Position()
    case .end: moved(Position(row: count - 1), by: 0)
    case .item(let line) where shown.count == count: moved(Position(), by: line)
    case .item(let row): moved(Position(row: min(row, count - 1)), by: 0)
    }
  }

  /// The scroll bar beside these rows.
  ///
  /// It counts rows, because rows outside the window have not been measured; if every row is at
  /// least partly visible, it counts lines.
  func bar(beside lines: [Line]) -> ScrollBar? {
    guard let first = lines.first, let last = lines.last else { return nil }
    return lines.count == count
      ? ScrollBar(first: -first.y, shown: height, total: last.y + last.height - first.y)
      : ScrollBar(first: first.row, shown: lines.count, total: count)
  }

  func isWhole(_ row: Int, in lines: [Line]) -> Bool {
    lines.contains { $0.row == row && $0.y >= 0 && $0.y + $0.height <= height }
  }

  /// Whether `lines` contains all rows, none of them cut off.
  func isEverything(_ lines: [Line]) -> Bool {
    lines.count == count && lines.allSatisfy { $0.y >= 0 && $0.y + $0.height <= height }
  }

  /// How many rows are passed one by one on a way with more lines than this left.
  ///
  /// The rest of it is estimated from them, because all rows that are measured have to be made.
  private static let longestWalk = 1_000

  /// The same position, with an offset within its row.
  private func within(_ position: Position) -> Position {
    var position = position
    if position.offset < 0 { position = back(from: position, by: 0) }
    let start = position
    while position.row < count - 1, position.offset > 0, position.offset >= rowHeight(position.row)
    {
      let passed = position.row - start.row
      if passed >= Self.longestWalk, position.offset > Self.longestWalk {
        let rows = position.offset * passed / max(1, start.offset - position.offset)
        return Position(row: min(count - 1, position.row + rows))
      }
      position.offset -= rowHeight(position.row)
      position.row += 1
    }
    return position
  }

  private func back(from position: Position, by lines: Int) -> Position {
    var position = position
    position.offset -= lines
    let start = position
    while position.offset < 0, position.row > 0 {
      let passed = start.row - position.row
      if passed >= Self.longestWalk, -position.offset > Self.longestWalk {
        let rows = position.offset * passed / max(1, position.offset - start.offset)
        return Position(row: max(0, position.row + rows))
      }
      position.row -= 1
      position.offset += rowHeight(position.row)
    }
    position.offset = max(0, position.offset)
    return position
  }

  /// The nearest position that makes a row wholly visible.
  private func position(showing row: Int, from position: Position) -> Position {
    if row <= position.row { return Position(row: row) }
    let over = rowHeight(row) - height
    return over >= 0 ? Position(row: row) : back(from: Position(row: row), by: -over)
  }
}
