import TerminalUI

/// A table in columns that share the width there is.
struct TableLayout {
  let rows: [[StyledText]]
  let hasHeader: Bool

  private static let gap = 2

  /// The rows as lines of at most `width` columns, wrapped cell by cell.
  func lines(width: Int, theme: Theme) -> [StyledLine] {
    let widths = columnWidths(width)
    guard !widths.isEmpty else { return [] }
    var lines: [StyledLine] = []
    for (index, row) in rows.enumerated() {
      lines += self.lines(of: row, widths)
      if index == 0, hasHeader {
        let length = min(width, widths.reduce(Self.gap * (widths.count - 1), +))
        lines.append(
          StyledText(
            String(repeating: "─", count: length), style: Style(foreground: theme.separator)
          )
          .truncated(width: width))
      }
    }
    return lines
  }

  private func lines(of row: [StyledText], _ widths: [Int]) -> [StyledLine] {
    let cells = widths.indices.map { column in
      column < row.count ? row[column].wrapped(width: widths[column]) : []
    }
    let height = cells.map(\.count).max() ?? 0
    return (0..<height).map { y in
      widths.indices.reduce(StyledLine()) { line, column in
        let cell = y < cells[column].count ? cells[column][y] : StyledLine()
        let isLast = column == widths.count - 1
        let blanks = isLast ? 0 : widths[column] - cell.width + Self.gap
        return line + cell
          + StyledText(String(repeating: " ", count: blanks)).truncated(width: blanks)
      }
    }
  }

  /// Each column as wide as its widest cell, or narrower so that all fit: the narrow ones keep
  /// their width, the wide ones share the rest.
  private func columnWidths(_ width: Int) -> [Int] {
    let count = rows.map(\.count).max() ?? 0
    var widths = (0..<count).map { column in
      rows.map { row in
        column < row.count ? row[column].wrapped(width: width).map(\.width).max() ?? 0 : 0
      }.max() ?? 0
    }
    var left = width - Self.gap * (count - 1)
    for (index, column) in widths.indices.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
      widths[column] = max(1, min(widths[column], left / (count - index)))
      left -= widths[column]
    }
    return widths
  }
}
