/// The rows of a list, or the cells of a grid, that exist, and what they looked like when they were
/// drawn last.
@MainActor
struct ListRows<ID: Hashable> {
  private var rows: [Int: ListRow] = [:]
  private var ids: [Int: ID] = [:]
  /// Where each id was found.
  private var places: [ID: [Int]] = [:]
  /// Whether all ids differ.
  ///
  /// Otherwise a row's identity would depend on the rows around it.
  private(set) var areUnique = true

  func node(at index: Int) -> Node? { rows[index]?.node }

  mutating func insert(_ node: Node, at index: Int, path: ViewPath, hasState: Bool) {
    rows[index] = ListRow(node: node, path: path, hasState: hasState)
  }

  /// Which of several rows of one id a new one is.
  mutating func ordinal(of id: ID, at index: Int) -> Int {
    let others = places[id, default: []]
    places[id] = others + [index]
    ids[index] = id
    if !others.isEmpty { areUnique = false }
    return others.count { $0 < index }
  }

  /// Ends a row, and says where state of it was.
  mutating func remove(_ index: Int) -> [ViewPath] {
    guard let row = rows.removeValue(forKey: index) else { return [] }
    if let id = ids.removeValue(forKey: index) {
      let others = places[id, default: []].filter { $0 != index }
      places[id] = others.isEmpty ? nil : others
    }
    return row.hasState ? [row.path] : []
  }

  /// Ends the rows that are not among `shown`, and says where state of them was.
  mutating func keep(_ shown: Range<Int>) -> [ViewPath] {
    rows.keys.filter { !shown.contains($0) }.flatMap { remove($0) }
  }

  /// Draws a row that exists.
  mutating func draw(_ index: Int, in region: Region) {
    guard let row = rows[index] else { return }
    let stateCount = region.frame.store.declarationCount
    defer {
      if region.frame.store.declarationCount > stateCount { rows[index]?.hasState = true }
    }
    // What is cut off, or beyond the edge, is not all there to be kept.
    guard row.isPictureEnough, region.clip == region.rect, !region.isHidden else {
      return row.node.draw(in: region)
    }
    let frame = region.frame
    if let picture = row.picture, picture.draw(in: region) { return }
    let ground = frame.cells.cells(in: region.rect)
    let count = frame.declarationCount
    row.node.draw(in: region)
    guard frame.declarationCount == count else {
      rows[index]?.isPictureEnough = false
      return
    }
    rows[index]?.picture = RowPicture(
      ground: ground, cells: frame.cells.cells(in: region.rect), width: region.rect.width)
  }
}

// Nested in the generic type, its metadata would be looked up at each use, several times per row and
// key.
@MainActor
private struct ListRow {
  let node: Node
  let path: ViewPath
  var hasState: Bool
  var isPictureEnough = true
  var picture: RowPicture?
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
