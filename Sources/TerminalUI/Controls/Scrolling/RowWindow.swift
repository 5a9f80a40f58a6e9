/// A window on rows of different heights: which of them show, and where.
///
/// Arithmetic alone. A row is asked for its height only where it may show, since it is made for that.
@MainActor
struct RowWindow {
  /// The first row that shows, and how many of its lines are scrolled away above.
  struct Position: Equatable {
    var row = 0
    var offset = 0
  }

  /// A row that shows: where it begins, and how high it is.
  struct Line: Equatable {
    let row: Int
    let y: Int
    let height: Int
  }

  let count: Int
  let height: Int
  let rowHeight: (Int) -> Int

  /// What shows from a position on.
  func lines(from position: Position) -> [Line] {
    var lines: [Line] = []
    var (row, y) = (position.row, -position.offset)
    while y < height, row < count {
      lines.append(Line(row: row, y: y, height: rowHeight(row)))
      y += lines[lines.count - 1].height
      row += 1
    }
    return lines
  }

  /// The nearest position that begins within its row and leaves no room below the last one, with what
  /// shows from there.
  ///
  /// - Parameter revealed: a row that is to show as a whole, or from its beginning where it is higher
  ///   than the window.
  func settled(
    _ position: Position, revealing revealed: Int? = nil
  ) -> (position: Position, lines: [Line]) {
    var position = within(position)
    // Rows are made to know their heights: not those that are far from what is to show.
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

  /// A position that is some lines further down, or up.
  func moved(_ position: Position, by lines: Int) -> Position {
    settled(Position(row: position.row, offset: position.offset + lines)).position
  }

  /// The position that keys, the wheel or the scroll bar want, where these lines show now.
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

  /// The scroll bar beside these lines.
  ///
  /// It counts rows, since those that do not show have no height yet; where every row shows, if only in
  /// part, it counts lines.
  func bar(beside lines: [Line]) -> ScrollBar? {
    guard let first = lines.first, let last = lines.last else { return nil }
    return lines.count == count
      ? ScrollBar(first: -first.y, shown: height, total: last.y + last.height - first.y)
      : ScrollBar(first: first.row, shown: lines.count, total: count)
  }

  func isWhole(_ row: Int, in lines: [Line]) -> Bool {
    lines.contains { $0.row == row && $0.y >= 0 && $0.y + $0.height <= height }
  }

  /// Whether all rows are among these, none of them cut.
  func isEverything(_ lines: [Line]) -> Bool {
    lines.count == count && lines.allSatisfy { $0.y >= 0 && $0.y + $0.height <= height }
  }

  /// The same position with its offset within the row.
  private func within(_ position: Position) -> Position {
    var position = position
    if position.offset < 0 { position = back(from: position, by: 0) }
    while position.row < count - 1, position.offset > 0, position.offset >= rowHeight(position.row)
    {
      position.offset -= rowHeight(position.row)
      position.row += 1
    }
    return position
  }

  private func back(from position: Position, by lines: Int) -> Position {
    var position = position
    position.offset -= lines
    while position.offset < 0, position.row > 0 {
      position.row -= 1
      position.offset += rowHeight(position.row)
    }
    position.offset = max(0, position.offset)
    return position
  }

  /// The nearest position from which a row shows that does not.
  private func position(showing row: Int, from position: Position) -> Position {
    if row <= position.row { return Position(row: row) }
    let over = rowHeight(row) - height
    return over >= 0 ? Position(row: row) : back(from: Position(row: row), by: -over)
  }
}
