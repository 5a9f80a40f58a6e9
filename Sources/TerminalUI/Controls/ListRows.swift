/// The rows of a list that exist, and what they looked like when they were drawn last.
@MainActor
struct ListRows<ID: Hashable> {
  private struct Row {
    let node: Node
    let path: ViewPath
    var picture: RowPicture?
  }

  private var rows: [Int: Row] = [:]
  /// Where each id was found.
  private var places: [ID: [Int]] = [:]
  /// Whether no two of them have the same id: else who is which depends on what else exists.
  private(set) var areUnique = true

  func node(at index: Int) -> Node? { rows[index]?.node }

  mutating func insert(_ node: Node, at index: Int, path: ViewPath) {
    rows[index] = Row(node: node, path: path)
  }

  /// Which of several rows of one id a new one is.
  mutating func ordinal(of id: ID, at index: Int) -> Int {
    let others = places[id, default: []]
    places[id] = others + [index]
    if !others.isEmpty { areUnique = false }
    return others.count { $0 < index }
  }

  /// Ends the rows that are not among `shown`, and says which.
  mutating func keep(_ shown: Range<Int>) -> [ViewPath] {
    guard rows.count > shown.count else { return [] }
    var left: [ViewPath] = []
    for (index, row) in rows where !shown.contains(index) {
      left.append(row.path)
      rows[index] = nil
    }
    places = places.filter { rows[$0.value[0]] != nil }
    return left
  }

  /// Draws a row that exists.
  mutating func draw(_ index: Int, in region: Region) {
    guard let row = rows[index] else { return }
    // What is cut off, or beyond the edge, is not all there to be kept.
    guard region.clip == region.rect, !region.isHidden else { return row.node.draw(in: region) }
    let frame = region.frame
    if let picture = row.picture, picture.draw(in: region) { return }
    let ground = frame.cells.cells(in: region.rect)
    let count = frame.declarationCount
    row.node.draw(in: region)
    guard frame.declarationCount == count else { return }
    rows[index]?.picture = RowPicture(
      ground: ground, cells: frame.cells.cells(in: region.rect), width: region.rect.width)
  }
}

/// A row that did nothing but draw cells: on the same ground it draws the same ones again.
@MainActor
private struct RowPicture {
  private let ground: [Cell]
  private let cells: [Cell]

  /// Nothing where a wide glyph of the ground reaches in or out: drawing changes its other half.
  init?(ground: [Cell], cells: [Cell], width: Int) {
    for edge in stride(from: 0, to: ground.count, by: width)
    where ground[edge].glyph.width == 0 || ground[edge + width - 1].glyph.width == 2 {
      return nil
    }
    self.ground = ground
    self.cells = cells
  }

  /// Draws it; `false` where it would not look the same.
  func draw(in region: Region) -> Bool {
    guard region.frame.cells.holds(ground, in: region.rect) else { return false }
    region.frame.cells.replace(region.rect, with: cells)
    return true
  }
}
