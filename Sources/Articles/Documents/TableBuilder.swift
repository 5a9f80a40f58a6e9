import CGumbo

/// Collects the rows of a table whose cells contain only runs of text.
///
/// A row of more than ``columnLimit`` cells continues in the next row: no screen shows as many
/// columns, and the layout of a table looks at every column in each row.
struct TableBuilder {
  static let columnLimit = 256

  private var rows: [[[Inline]]] = []
  private var row: [[Inline]] = []
  /// How many columns the latest cell takes beside its own.
  private var spanned = 0
  private var isHeaderRow = true
  private var hasHeader = false
  private var alignments: [Int: Table.Alignment] = [:]
  private var headerAlignments: [Int: Table.Alignment] = [:]

  /// Begins a cell.
  ///
  /// The columns that the cell before it spans get empty cells, so that this one is in its column.
  ///
  /// - Parameters:
  ///   - isHeader: whether it is the heading of a column or a row.
  ///   - span: how many columns it takes.
  ///   - alignment: its alignment, which is that of its column unless an earlier cell has another
  ///     one; a heading has the alignment of the cells below it.
  mutating func beginCell(isHeader: Bool, span: Int, alignment: Table.Alignment?) {
    for _ in 0..<min(spanned, Self.columnLimit - row.count) { row.append([]) }
    if row.count == Self.columnLimit { endRow() }
    spanned = span - 1
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
    (isHeaderRow, spanned) = (true, 0)
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

  /// Returns how many columns a cell takes.
  static func span(of cell: HTMLNode) -> Int {
    min(max(1, cell["colspan"].flatMap { Int($0) } ?? 1), columnLimit)
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
        case GUMBO_TAG_TR: columns = max(columns, child.childCount)
        default: break
        }
        nodes.append(child)
      }
    }
    return columns > 1
  }
}
