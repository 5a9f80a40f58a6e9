/// The rows of a list, or the cells of a grid, that exist.
@MainActor
struct ElementRows {
  private struct Row {
    let index: Int
    let id: AnyHashable
    let element: Element
  }

  /// In order: mostly a window, and what it showed before.
  private var rows: [Row] = []
  /// Where each id was found last.
  private var places: [AnyHashable: Int] = [:]
  /// Whether all ids differ.
  ///
  /// Otherwise a row's identity would depend on the rows around it.
  private(set) var areUnique = true

  /// The numbers of those that exist.
  var indices: [Int] { rows.map(\.index) }

  func row(at index: Int) -> Element? {
    let place = place(of: index)
    return place < rows.count && rows[place].index == index ? rows[place].element : nil
  }

  /// The place of the first that has this number or a higher one.
  private func place(of index: Int) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds the row that `make` makes, given which of several rows of its id it is.
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

  /// Has a row be asked for again.
  mutating func forget(_ index: Int) {
    let place = place(of: index)
    if place < rows.count, rows[place].index == index { forget(rows.remove(at: place)) }
  }

  private mutating func forget(_ row: Row) {
    guard places[row.id] == row.index else { return }
    // Of several rows of one id another one may be left.
    places[row.id] = areUnique ? nil : rows.last { $0.id == row.id }?.index
  }

  /// Lets go of the rows that are not among `shown`: what they keep ends.
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
