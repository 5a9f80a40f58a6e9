/// The rows of a list, or the cells of a grid, that exist.
@MainActor
struct ElementRows<ID: Hashable> {
  private var rows: [Int: Element] = [:]
  private var ids: [Int: ID] = [:]
  /// Where each id was found.
  private var places: [ID: [Int]] = [:]
  /// Whether all ids differ.
  ///
  /// Otherwise a row's identity would depend on the rows around it.
  private(set) var areUnique = true

  /// The numbers of those that exist.
  var indices: Dictionary<Int, Element>.Keys { rows.keys }

  func row(at index: Int) -> Element? { rows[index] }

  mutating func insert(_ row: Element, at index: Int) { rows[index] = row }

  /// Which of several rows of one id a new one is.
  mutating func ordinal(of id: ID, at index: Int) -> Int {
    let others = places[id, default: []].filter { $0 != index }
    places[id] = others + [index]
    ids[index] = id
    if !others.isEmpty { areUnique = false }
    return others.count { $0 < index }
  }

  /// Has a row be asked for again.
  mutating func forget(_ index: Int) {
    rows[index] = nil
    guard let id = ids.removeValue(forKey: index) else { return }
    let others = places[id, default: []].filter { $0 != index }
    places[id] = others.isEmpty ? nil : others
  }

  /// Lets go of the rows that are not among `shown`: what they keep ends.
  mutating func keep(_ shown: Range<Int>, of context: ViewContext) {
    for (index, row) in rows where !shown.contains(index) {
      forget(index)
      context.owner.element?.release(row)
    }
  }

  mutating func releaseAll(of context: ViewContext) {
    keep(0..<0, of: context)
    self = ElementRows()
  }
}
