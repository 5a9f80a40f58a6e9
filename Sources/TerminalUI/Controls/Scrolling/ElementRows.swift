/// The existing elements of the rows of a list, the cells of a grid or the views in a text, which
/// their node makes when it is drawn.
@MainActor
final class ElementRows {
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

  /// The context of the node.
  private let context: ViewContext
  /// Ordered by index: usually the rows of the window, and those that it showed before.
  private var rows: [Row] = []
  private var names: Set<Name> = []
  /// A range around the rows that the last layout measured.
  private var measured: Range<Int>?
  /// Whether the size of the whole was measured, so that it depends on every row.
  private var areAllMeasured = false
  /// Releases them once they leave the screen.
  private var lifecycle: LifecycleEntry?

  init(_ context: ViewContext) { self.context = context }

  /// The indices of the existing rows.
  var indices: [Int] { rows.map(\.index) }

  func row(at index: Int) -> Element? {
    let place = place(of: index)
    return place < rows.count && rows[place].index == index ? rows[place].element : nil
  }

  /// The position in `rows` of the first row with this index or a higher one.
  private func place(of index: Int) -> Int { Self.place(of: index, in: rows) }

  // Not isolated: otherwise each comparison would check where it runs, which takes longer.
  private nonisolated static func place(of index: Int, in rows: [Row]) -> Int {
    rows.partitioningIndex { $0.index >= index }
  }

  /// Inserts the row that `make` creates.
  ///
  /// `ordinal` is the lowest number that no other row with this id has.
  func insert(
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
  func forget(_ index: Int) {
    let place = place(of: index)
    guard place < rows.count, rows[place].index == index else { return }
    names.remove(rows.remove(at: place).name)
  }

  /// Releases a row; its state ends.
  func release(_ index: Int) {
    guard let element = row(at: index) else { return }
    forget(index)
    context.owner.element?.release(element)
  }

  /// Whether a layout has measured rows, which have not been released since.
  var areMeasured: Bool { measured != nil }

  /// Begins a layout, which measures rows.
  func beginMeasuring() { measured = nil }

  /// Notes that the layout depends on the height of a row.
  func noteMeasured(_ index: Int) {
    let known = measured ?? index..<index
    measured = min(known.lowerBound, index)..<max(known.upperBound, index + 1)
  }

  /// Notes that the layout depends on every row.
  func noteAllMeasured() { areAllMeasured = true }

  /// Releases the rows that are neither in `shown` nor measured; their state ends.
  ///
  /// A measured row stays, because the layout is another one if its height changes.
  func keep(_ shown: Range<Int>) {
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
  private func releaseAll() {
    if areAllMeasured {
      context.owner.element?.setNeedsMaking()
      return
    }
    for row in rows { context.owner.element?.release(row.element) }
    (rows, names, measured, lifecycle) = ([], [], nil, nil)
  }

  /// Declares that the rows are on the screen; calls `disappeared` when they no longer are.
  ///
  /// A list that gets no room is not drawn, so it cannot release its rows itself.
  func declare(_ disappeared: @escaping @MainActor () -> Void = {}) {
    context.owner.element?.rows = self
    let entry =
      lifecycle
      ?? LifecycleEntry(
        path: context.path,
        kind: .appearance(
          appear: {},
          disappear: { [owner = context.owner] in
            owner.element?.rows?.releaseAll()
            disappeared()
          }))
    lifecycle = entry
    context.frame.declare(.lifecycle(entry))
  }
}
