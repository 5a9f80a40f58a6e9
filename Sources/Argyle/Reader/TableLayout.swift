import Articles
import TerminalUI

/// A table whose columns share the available width, or together exceed it if that is too little.
///
/// Its rows are laid out in parts, since a table may be as long as a book.
final class TableLayout {
  private let rowCount: Int
  private let columnCount: Int
  private let hasHeader: Bool
  private let keepsAddresses: Bool
  private let alignment: (Int) -> Table.Alignment
  private let row: (Int) -> [StyledText]
  private var widths: (room: Int, columns: [Int])?
  /// A measure of the work done: columns of lines made, and bytes read.
  ///
  /// It grows in proportion to the text.
  private(set) var steps = 0

  private static let gap = 2
  /// The width below which a column is not narrowed.
  private static let narrowest = 8
  /// The maximum number of rows that are measured for the widths of the columns; fewer if they are
  /// long.
  ///
  /// Wider cells further down are wrapped.
  private static let measuredRows = 200
  private static let measuredBytes = 64 << 10
  // The maximum size of a row in cells of the screen. One long cell in a wide table could take
  // gigabytes otherwise.
  private static let leastSize = 4_096
  private static let sizePerByte = 16

  /// - Parameters:
  ///   - keepsAddresses: whether a column is at least as wide as the longest address in it.
  ///   - alignment: returns the alignment of a column, from 0.
  ///   - row: returns the cells of a row, from 0.
  init(
    rowCount: Int, columnCount: Int, hasHeader: Bool, keepsAddresses: Bool = false,
    alignment: @escaping (Int) -> Table.Alignment = { _ in .left },
    row: @escaping (Int) -> [StyledText]
  ) {
    (self.rowCount, self.columnCount) = (rowCount, columnCount)
    (self.hasHeader, self.keepsAddresses) = (hasHeader, keepsAddresses)
    (self.alignment, self.row) = (alignment, row)
  }

  /// Returns some rows as lines, wrapped cell by cell: at most `width` columns wide, unless columns
  /// would get too narrow to be read.
  func lines(of rows: Range<Int>, width: Int, theme: Theme) -> [StyledLine] {
    let widths = columnWidths(width)
    guard !widths.isEmpty else { return [] }
    var lines: [StyledLine] = []
    for index in rows {
      lines += self.lines(of: row(index), widths, room: width)
      if index == 0, hasHeader {
        let length = widths.reduce(Self.gap * (widths.count - 1), +)
        lines.append(
          StyledText(
            String(repeating: "─", count: length), style: Style(foreground: theme.separator)
          )
          .truncated(width: length))
      }
    }
    return lines
  }

  /// Returns the lines of a row: its cells side by side, or one below the other if most of the
  /// space would be blank otherwise.
  private func lines(of row: [StyledText], _ widths: [Int], room: Int) -> [StyledLine] {
    let cells = widths.indices.map { column in
      column < row.count
        ? row[column].wrapped(width: widths[column], keepsAddresses: keepsAddresses) : []
    }
    let height = cells.map(\.count).max() ?? 0
    let length = row.reduce(0) { $0 + $1.length }
    let size = height * (widths.reduce(0, +) + Self.gap * widths.count)
    guard size <= Self.leastSize + Self.sizePerByte * length else {
      steps += length
      return row.flatMap { $0.wrapped(width: room, keepsAddresses: keepsAddresses) }
    }
    steps += size
    let alignments = widths.indices.map(alignment)
    return (0..<height).map { y in
      var line = StyledLine()
      var blanks = 0
      for (column, cell) in cells.enumerated() {
        if y < cell.count {
          // An address further down may be wider than its column.
          let room = max(0, widths[column] - cell[y].width)
          let before = alignments[column].blanksBefore(in: room)
          line.append(blanks: blanks + before)
          line.append(cell[y])
          blanks = room - before + Self.gap
        } else {
          blanks += widths[column] + Self.gap
        }
      }
      return line
    }
  }

  /// Returns the widths of the columns: each as wide as its widest cell, or less so that all fit.
  ///
  /// Narrow columns keep their width, and wide ones share the rest.
  private func columnWidths(_ width: Int) -> [Int] {
    if let widths, widths.room == width { return widths.columns }
    let count = columnCount
    var widths = Array(repeating: 0, count: count)
    var leastWidths = Array(repeating: Self.narrowest, count: count)
    var (measured, bytes) = (0, 0)
    while measured < min(rowCount, Self.measuredRows), bytes < Self.measuredBytes {
      let cells = row(measured)
      measured += 1
      bytes += cells.reduce(0) { $0 + $1.length }
      for (column, cell) in cells.enumerated() {
        widths[column] = max(widths[column], widest(of: cell, width))
        if keepsAddresses {
          leastWidths[column] = max(leastWidths[column], widest(of: cell, Self.narrowest))
        }
      }
    }
    if rowCount > measured {
      // Columns with text only further down need some width, too.
      for column in widths.indices where widths[column] == 0 { widths[column] = Self.narrowest }
    }
    var left = width - Self.gap * (count - 1)
    for (index, column) in widths.indices.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
      let share = max(leastWidths[column], left / (count - index))
      widths[column] = max(1, min(widths[column], share))
      left -= widths[column]
    }
    self.widths = (width, widths)
    return widths
  }

  /// Returns the width of a cell that is wrapped at `width`.
  private func widest(of cell: StyledText, _ width: Int) -> Int {
    let lines = cell.wrapped(width: width, keepsAddresses: keepsAddresses)
    steps += 1 + lines.reduce(0) { $0 + $1.width }
    return lines.map(\.width).max() ?? 0
  }
}

extension Table.Alignment {
  /// Returns how many of the blanks that a line leaves in its column stand before it.
  fileprivate func blanksBefore(in room: Int) -> Int {
    switch self {
    case .left: 0
    case .center: room / 2
    case .right: room
    }
  }
}

extension StyledText {
  /// The length in bytes.
  fileprivate var length: Int { runs.reduce(0) { $0 + $1.text.utf8.count } }
}
