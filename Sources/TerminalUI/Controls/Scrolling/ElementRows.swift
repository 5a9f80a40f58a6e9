/// The existing elements of the rows of a list or the cells of a grid.
@MainActor
struct ElementRows {
  private struct Row {
    let index: Int
    let id: AnyHashable
    let element: Element
  }

  /// Ordered by index: usually the rows of the window, and those that it showed before.
  private var rows: [Row] = []
  /// The index at which each id was last found.
  private var places: [AnyHashable: Int] = [:]
  /// Whether all ids differ.
  ///
  /// If they do not, a row's identity depends on the rows around it.
  private(set) var areUnique = true

  /// The indices of the existing rows.
  var indices: [Int] { rows.map(\.index) }

  func row(at index: Int) -> Element? {
    let place = place(of: index)
    return place < rows.count && rows[place].index == index ? rows[place].element : nil
  }

  /// The position in `rows` of the first row with this index or a higher one.
  private func place(of index: Int) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Inserts the row that `make` creates; `ordinal` counts the earlier rows with the same id.
  mutating func insert(
    _ id: AnyHashable, at index: Int, _ make: (_ ordinal: Int) -> Element
  ) -> Element {
    var ordinal = 0
    if let other = places.updateValue(index, forKey: id), other != index {
      areUnique = false
      ordinal = rows.count { $0.index < index && $0.id == id }
    }
    let row = make(ordinal)
    rows.insert(Row(index: index, id: id, element: row), at: place(of: index))
    return row
  }

  /// Forgets a row, so that it is made again when it is needed.
  mutating func forget(_ index: Int) {
    let place = place(of: index)
    if place < rows.count, rows[place].index == index { forget(rows.remove(at: place)) }
  }

  private mutating func forget(_ row: Row) {
    guard places[row.id] == row.index else { return }
    // If ids are not unique, another row with this id may remain.
    places[row.id] = areUnique ? nil : rows.last { $0.id == row.id }?.index
  }

  /// Releases the rows that are not in `shown`; their state ends.
  mutating func keep(_ shown: Range<Int>, of context: ViewContext) {
    guard let first = rows.first, let last = rows.last,
      first.index < shown.lowerBound || last.index >= shown.upperBound
    else { return }
    let kept = place(of: shown.lowerBound)..<place(of: shown.upperBound)
    let gone = rows[..<kept.lowerBound] + rows[kept.upperBound...]
    rows = Array(rows[kept])
    for row in gone {
      forget(row)
      context.owner.element?.release(row.element)
    }
  }

  mutating func releaseAll(of context: ViewContext) {
    keep(0..<0, of: context)
    self = ElementRows()
  }
}
