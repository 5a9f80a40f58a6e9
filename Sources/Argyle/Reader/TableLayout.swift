import TerminalUI

/// A table in columns that share the width there is, or are wider together where that is too little.
///
/// Its rows are made in parts: a table may be as long as a book.
final class TableLayout {
  private let rowCount: Int
  private let columnCount: Int
  private let hasHeader: Bool
  private let keepsAddresses: Bool
  private let row: (Int) -> [StyledText]
  private var widths: (room: Int, columns: [Int])?
  /// How many columns of lines have been made and bytes looked at: in proportion to the text.
  private(set) var steps = 0

  private static let gap = 2
  /// A column that needs more is not made narrower than this.
  private static let narrowest = 8
  /// So many rows say how wide the columns are, or fewer of long ones; what is wider further on is
  /// wrapped.
  private static let measuredRows = 200
  private static let measuredBytes = 64 << 10
  // A row may take so many columns of lines. One long cell in a wide table would take gigabytes.
  private static let leastSize = 4_096
  private static let sizePerByte = 16

  /// - Parameters:
  ///   - keepsAddresses: whether a column is as wide as the longest address in it.
  ///   - row: the cells of a row, from 0.
  init(
    rowCount: Int, columnCount: Int, hasHeader: Bool, keepsAddresses: Bool = false,
    row: @escaping (Int) -> [StyledText]
  ) {
    (self.rowCount, self.columnCount) = (rowCount, columnCount)
    (self.hasHeader, self.keepsAddresses, self.row) = (hasHeader, keepsAddresses, row)
  }

  /// Some rows as lines, wrapped cell by cell: of at most `width` columns, unless columns would get
  /// too narrow to be read.
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

  /// One row: its cells beside each other, or one below the other where that would be mostly blanks.
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
    return (0..<height).map { y in
      var line = StyledLine()
      var blanks = 0
      for (column, cell) in cells.enumerated() {
        if y < cell.count {
          line.append(blanks: blanks)
          line.append(cell[y])
          // An address far down may be wider than its column.
          blanks = max(0, widths[column] - cell[y].width) + Self.gap
        } else {
          blanks += widths[column] + Self.gap
        }
      }
      return line
    }
  }

  /// Each column as wide as its widest cell, or narrower so that all fit: the narrow ones keep
  /// their width, the wide ones share the rest.
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
      // What only comes further on has some room as well.
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

  /// How wide the lines of a cell get where they are wrapped at a width.
  private func widest(of cell: StyledText, _ width: Int) -> Int {
    let lines = cell.wrapped(width: width, keepsAddresses: keepsAddresses)
    steps += 1 + lines.reduce(0) { $0 + $1.width }
    return lines.map(\.width).max() ?? 0
  }
}

extension StyledText {
  /// In bytes.
  fileprivate var length: Int { runs.reduce(0) { $0 + $1.text.utf8.count } }
}
