import CGumbo

/// Collects the rows of a table whose cells contain only runs of text.
///
/// A row of more than ``columnLimit`` cells continues in the next row: no screen shows as many
/// columns, and the layout of a table looks at every column in each row.
struct TableBuilder {
  static let columnLimit = 256

  private var rows: [[[Inline]]] = []
  private var row: [[Inline]] = []
  private var headerCells = 0
  private var hasHeader = false

  mutating func beginCell(isHeader: Bool) {
    if isHeader { headerCells += 1 }
  }

  mutating func endCell(_ inlines: [Inline]) {
    if row.count == Self.columnLimit { endRow() }
    row.append(inlines)
  }

  mutating func endRow() {
    if rows.isEmpty { hasHeader = !row.isEmpty && headerCells == row.count }
    headerCells = 0
    if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
    row = []
  }

  var block: Block? {
    rows.isEmpty ? nil : .table(Table(rows: rows, hasHeader: hasHeader))
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
        case GUMBO_TAG_TR: columns = max(columns, child.childCount)
        default: break
        }
        nodes.append(child)
      }
    }
    return columns > 1
  }
}
