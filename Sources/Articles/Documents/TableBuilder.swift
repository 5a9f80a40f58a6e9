import CGumbo
import Limits

/// Collects the rows of a table whose cells contain only runs of text.
///
/// A row of more than ``columnLimit`` cells continues in the next row: no screen shows as many
/// columns, and the layout of a table looks at every column in each row.
struct TableBuilder {
  static let columnLimit = 256
  /// The most rows that a cell takes, as in browsers.
  static let rowLimit = 65_534

  private var rows: [[[Inline]]] = []
  private var row: [[Inline]] = []
  /// The number of the row, and by column the first one in which no earlier cell takes the column.
  private var number = 0
  private var freeFrom: [Int: Int] = [:]
  private var isHeaderRow = true
  private var hasHeader = false
  private var alignments: [Int: Table.Alignment] = [:]
  private var headerAlignments: [Int: Table.Alignment] = [:]

  /// Begins a cell.
  ///
  /// The columns that cells before it or above span get empty cells, so that this one is in its
  /// column.
  ///
  /// - Parameters:
  ///   - isHeader: whether it is the heading of a column or a row.
  ///   - columns: how many columns it takes.
  ///   - rows: how many rows it takes.
  ///   - alignment: its alignment, which is that of its column unless an earlier cell has another
  ///     one; a heading has the alignment of the cells below it.
  ///   - budget: for each empty cell, a step is spent.
  mutating func beginCell(
    isHeader: Bool, columns: Int, rows: Int, alignment: Table.Alignment?, budget: Budget
  ) {
    while row.count < Self.columnLimit, freeFrom[row.count] ?? 0 > number, budget.spend(1) {
      row.append([])
    }
    if row.count == Self.columnLimit { endRow() }
    if columns > 1 || rows > 1 {
      let end = min(row.count + columns, Self.columnLimit)
      for column in row.count..<end where budget.spend(1) { freeFrom[column] = number + rows }
    }
    if !isHeader { isHeaderRow = false }
    guard let alignment else { return }
    if isHeader {
      headerAlignments[row.count] = headerAlignments[row.count] ?? alignment
    } else {
      alignments[row.count] = alignments[row.count] ?? alignment
    }
  }

  mutating func endCell(_ inlines: [Inline]) { row.append(inlines) }

  mutating func endRow() {
    if rows.isEmpty { hasHeader = !row.isEmpty && isHeaderRow }
    isHeaderRow = true
    number += 1
    if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
    row = []
  }

  var block: Block? {
    guard !rows.isEmpty else { return nil }
    let all = headerAlignments.merging(alignments) { $1 }
    let columns = (all.keys.max() ?? -1) + 1
    return .table(
      Table(
        rows: rows, hasHeader: hasHeader, alignments: (0..<columns).map { all[$0] ?? .left }))
  }

  /// Returns how many columns or rows a cell takes, by the name of the attribute.
  static func span(of cell: HTMLNode, _ attribute: String, limit: Int) -> Int {
    min(max(1, cell[attribute].flatMap { Int($0) } ?? 1), limit)
  }

  /// Returns the alignment that a cell declares; nil if it declares none.
  static func alignment(of cell: HTMLNode) -> Table.Alignment? {
    let name = "text-align:"
    let declared = cell.words(of: "style")?.split(separator: ";").last { $0.hasPrefix(name) }
    return (declared.map { String($0.dropFirst(name.count)) } ?? cell.words(of: "align"))
      .flatMap(Table.Alignment.init(rawValue:))
  }

  /// Whether a table shows data.
  ///
  /// Many tables only arrange a page: they contain blocks, other tables or a single column, and are
  /// rendered as their contents. Nested tables are not searched, so that each node is looked at
  /// only once for all tables together.
  static func isData(_ table: HTMLNode) -> Bool {
    var nodes = [table]
    var columns = 0
    while let node = nodes.popLast() {
      for index in 0..<node.childCount {
        guard let child = node.child(index), case .element(let tag) = child.kind else { continue }
        switch tag {
        case GUMBO_TAG_TABLE, GUMBO_TAG_UL, GUMBO_TAG_OL, GUMBO_TAG_PRE, GUMBO_TAG_BLOCKQUOTE,
          GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6,
          GUMBO_TAG_HR, GUMBO_TAG_FIGURE:
          return false
        case GUMBO_TAG_TR:
          // White space between cells is a child, too.
          let cells = (0..<child.childCount).count {
            if case .element? = child.child($0)?.kind { true } else { false }
          }
          columns = max(columns, cells)
        default: break
        }
        nodes.append(child)
      }
    }
    return columns > 1
  }
}
