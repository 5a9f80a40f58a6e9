/// The existing elements of the rows of a list or the cells of a grid.
@MainActor
struct ElementRows {
  private struct Row {
    let index: Int
    let name: Name
    let element: Element
  }

  /// The id of a row, and its ordinal among the rows with that id.
  private struct Name: Hashable {
    let id: ItemID
    var ordinal = 0
  }

  /// Ordered by index: usually the rows of the window, and those that it showed before.
  private var rows: [Row] = []
  private var names: Set<Name> = []
  /// A range around the rows that the last layout measured.
  private var measured: Range<Int>?
  /// Whether the size of the whole was measured, so that it depends on every row.
  private var areAllMeasured = false
  /// Releases them once they leave the screen.
  fileprivate var lifecycle: LifecycleEntry?

  /// The indices of the existing rows.
  var indices: [Int] { rows.map(\.index) }

  func row(at index: Int) -> Element? {
    let place = place(of: index)
    return place < rows.count && rows[place].index == index ? rows[place].element : nil
  }

  /// The position in `rows` of the first row with this index or a higher one.
  private func place(of index: Int) -> Int {
    rows.partitioningIndex { $0.index >= index }
  }

  /// Inserts the row that `make` creates.
  ///
  /// `ordinal` is the lowest number that no other row with this id has.
  mutating func insert(
    _ id: ItemID, at index: Int, _ make: (_ ordinal: Int) -> Element
  ) -> Element {
    var name = Name(id: id)
    while !names.insert(name).inserted { name.ordinal += 1 }
    let row = make(name.ordinal)
    row.keepsPicture = true
    rows.insert(Row(index: index, name: name, element: row), at: place(of: index))
    return row
  }

  /// Forgets a row, so that it is made again when it is needed.
  mutating func forget(_ index: Int) {
    let place = place(of: index)
    guard place < rows.count, rows[place].index == index else { return }
    names.remove(rows.remove(at: place).name)
  }

  /// Releases a row; its state ends.
  mutating func release(_ index: Int, of context: ViewContext) {
    guard let element = row(at: index) else { return }
    forget(index)
    context.owner.element?.release(element)
  }

  /// Whether a layout has measured rows, which have not been released since.
  var areMeasured: Bool { measured != nil }

  /// Begins a layout, which measures rows.
  mutating func beginMeasuring() { measured = nil }

  /// Notes that the layout depends on the height of a row.
  mutating func noteMeasured(_ index: Int) {
    let known = measured ?? index..<index
    measured = min(known.lowerBound, index)..<max(known.upperBound, index + 1)
  }

  /// Notes that the layout depends on every row.
  mutating func noteAllMeasured() { areAllMeasured = true }

  /// Releases the rows that are neither in `shown` nor measured; their state ends.
  ///
  /// A measured row stays, because the layout is another one if its height changes.
  mutating func keep(_ shown: Range<Int>, of context: ViewContext) {
    let measured = measured ?? shown
    let shown =
      min(shown.lowerBound, measured.lowerBound)..<max(shown.upperBound, measured.upperBound)
    guard !areAllMeasured, let first = rows.first, let last = rows.last,
      first.index < shown.lowerBound || last.index >= shown.upperBound
    else { return }
    let kept = place(of: shown.lowerBound)..<place(of: shown.upperBound)
    let gone = rows[..<kept.lowerBound] + rows[kept.upperBound...]
    rows = Array(rows[kept])
    for row in gone {
      names.remove(row.name)
      context.owner.element?.release(row.element)
    }
  }

  /// Releases all rows, because a frame without them was presented.
  ///
  /// If the size of the whole depends on them, its next making decides which are still needed.
  mutating func releaseAll(of context: ViewContext) {
    if areAllMeasured {
      context.owner.element?.setNeedsMaking()
      return
    }
    for row in rows { context.owner.element?.release(row.element) }
    self = ElementRows()
  }
}

/// The node of an element with rows, which it makes when it is drawn.
@MainActor
protocol RowNode: Node {
  var elements: ElementRows { get set }
}

extension RowNode {
  /// Declares that its rows are on the screen; calls `disappeared` when they no longer are.
  ///
  /// A list that gets no room is not drawn, so it cannot release its rows itself.
  func declareRows(_ disappeared: @escaping @MainActor () -> Void = {}) {
    context.owner.element?.rowNode = self
    let entry =
      elements.lifecycle
      ?? LifecycleEntry(
        path: context.path,
        kind: .appearance(
          appear: {},
          disappear: { [context] in
            context.owner.element?.rowNode?.elements.releaseAll(of: context)
            disappeared()
          }))
    elements.lifecycle = entry
    frame.declare(.lifecycle(entry))
  }
}
