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
  private let longest: [Int]
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
  /// The width of the longest word that is kept whole if the words of all columns have room;
  /// addresses are longer.
  private static let longestWord = 24
  /// The maximum number of rows that are measured for the widths of the columns; fewer if they are
  /// long.
  ///
  /// Of the others, only the longest cell of each column is measured.
  private static let measuredRows = 200
  private static let measuredBytes = 64 << 10
  // The maximum size of a row in cells of the screen. One long cell in a wide table could take
  // gigabytes otherwise.
  private static let leastSize = 4_096
  private static let sizePerByte = 16

  /// - Parameters:
  ///   - keepsAddresses: whether a column is at least as wide as the longest address in it.
  ///   - longest: the row with the longest cell of each column; those of a short table, whose rows
  ///     are all measured, may be left out.
  ///   - alignment: returns the alignment of a column, from 0.
  ///   - row: returns the cells of a row, from 0.
  init(
    rowCount: Int, columnCount: Int, hasHeader: Bool, keepsAddresses: Bool = false,
    longest: [Int] = [], alignment: @escaping (Int) -> Table.Alignment = { _ in .left },
    row: @escaping (Int) -> [StyledText]
  ) {
    (self.rowCount, self.columnCount) = (rowCount, columnCount)
    (self.hasHeader, self.keepsAddresses, self.longest) = (hasHeader, keepsAddresses, longest)
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
  /// Narrow columns keep their width, and wide ones share the rest, no word being broken if there is
  /// room for the words of all columns.
  private func columnWidths(_ room: Int) -> [Int] {
    if let widths, widths.room == room { return widths.columns }
    let columns = measured(room)
    let left = room - Self.gap * (columnCount - 1)
    let words = columns.map { max($0.least, min($0.width, $0.word)) }
    let haveRoom = words.reduce(0, +) <= left
    let least = haveRoom ? words : columns.map(\.least)
    let widths = shares(of: left, columns.map(\.width), atLeast: least)
    self.widths = (room, widths)
    return widths
  }

  /// What is measured of a column.
  private struct Column {
    var width = 0
    /// The width of its longest word.
    var word = 0
    /// The width below which it is not narrowed even if the table then exceeds the room.
    var least = TableLayout.narrowest
  }

  private func measured(_ room: Int) -> [Column] {
    var columns = Array(repeating: Column(), count: columnCount)
    func measure(_ cell: StyledText, _ column: Int) {
      columns[column].width = max(columns[column].width, widest(of: cell, room))
      columns[column].word = max(columns[column].word, word(of: cell))
      if keepsAddresses {
        columns[column].least = max(columns[column].least, widest(of: cell, Self.narrowest))
      }
    }
    var (measured, bytes) = (0, 0)
    while measured < min(rowCount, Self.measuredRows), bytes < Self.measuredBytes {
      let cells = row(measured)
      measured += 1
      bytes += cells.reduce(0) { $0 + $1.length }
      for (column, cell) in cells.enumerated() { measure(cell, column) }
    }
    let rest = Dictionary(grouping: longest.indices.filter { longest[$0] >= measured }) {
      longest[$0]
    }
    for (index, columnsOfRow) in rest {
      let cells = row(index)
      for column in columnsOfRow where cells.indices.contains(column) {
        measure(cells[column], column)
      }
    }
    for column in columns.indices {
      columns[column].width = max(1, columns[column].width)
      columns[column].least = min(columns[column].least, columns[column].width)
    }
    return columns
  }

  /// Divides the room among columns: narrow ones keep their widths, and wide ones get the same width
  /// each.
  ///
  /// The shares exceed the room if the least widths do.
  private func shares(of room: Int, _ widths: [Int], atLeast least: [Int]) -> [Int] {
    func shares(_ share: Int) -> [Int] { zip(widths, least).map { max($1, min($0, share)) } }
    var (share, limit) = (0, max(0, room))
    while share < limit {
      let middle = (share + limit + 1) / 2
      if shares(middle).reduce(0, +) <= room { share = middle } else { limit = middle - 1 }
    }
    var result = shares(share)
    var left = room - result.reduce(0, +)
    for column in widths.indices.sorted(by: { widths[$0] > widths[$1] })
    where left > 0 && result[column] == share && widths[column] > share {
      result[column] += 1
      left -= 1
    }
    return result
  }

  /// Returns the width of the longest word, except for words too long to be kept whole.
  private func word(of cell: StyledText) -> Int {
    let text = cell.runs.map(\.text).joined()
    steps += text.utf8.count
    return text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      .map { columns(of: String(Substring($0))) }
      .reduce(0) { $1 <= Self.longestWord ? max($0, $1) : $0 }
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
