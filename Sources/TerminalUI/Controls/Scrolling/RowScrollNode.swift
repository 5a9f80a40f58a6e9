/// A scrolling window on rows, of which only the visible ones are made: what lists, grids and lazy
/// stacks have in common.
///
/// A row of the window has one item, or as many as a grid has columns.
class RowScrollNode: Node {
  typealias Anchor = ListPlace.Anchor

  final let rows: ListRows
  final let elements: ElementRows
  final let box: PlaceBox<ListPlace>
  final let columns: Int
  private let isAnchored: Bool
  // The state that the keys work with: the scroll position and the visible lines.
  final private(set) var place = ListPlace()
  final var lines: [RowWindow.Line] = []
  final var bar: ScrollBar?
  /// The number of items.
  final var count = 0
  /// The columns for the rows beside the bar, and the number of lines.
  final private(set) var (width, height) = (0, 0)

  /// Creates a node; one that is not anchored shows items that are added above when it is at its
  /// beginning.
  init(
    _ context: ViewContext, rows: ListRows, elements: ElementRows, box: PlaceBox<ListPlace>,
    columns: Int = 1, isAnchored: Bool = false
  ) {
    (self.rows, self.elements, self.box) = (rows, elements, box)
    (self.columns, self.isAnchored) = (columns, isAnchored)
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  /// The lines that a row takes at a width.
  func height(of row: Int, width: Int) -> Int { 1 }

  final var window: RowWindow {
    RowWindow(count: (count + columns - 1) / columns, height: height) { [unowned self] in
      height(of: $0, width: width)
    }
  }

  /// Reads the data, which may come from a model, so that a change draws the rows again.
  ///
  /// `body` must make no row: a row tracks its own reads.
  final func read<Answer>(_ body: () -> Answer) -> Answer {
    rows.isArray ? body() : context.readingToDraw(body)
  }

  final func id(_ index: Int) -> ItemID { read { rows.id(index) } }

  // MARK: Position

  /// Finds out which rows are shown where: beside a scroll bar, unless all of them fit.
  final func layOut(in room: Size, showing selected: Anchor?) {
    (width, height) = (room.width, room.height)
    elements.beginMeasuring()
    // If there are more rows than lines, some do not fit at any width.
    if !environment.hasScrollBars || window.count <= height {
      stand(showing: selected)
      bar = window.isEverything(lines) ? nil : window.bar(beside: lines)
      if bar == nil || !environment.hasScrollBars { return }
    }
    width = max(1, room.width - ScrollBar.width)
    stand(showing: selected)
    bar = window.bar(beside: lines)
  }

  /// Computes the scroll position and the visible lines: replaces a removed item with its neighbour,
  /// scrolls a new selection into view, and leaves no empty room below the last row.
  private func stand(showing selected: Anchor?) {
    var place = box.value
    var revealed: Int?
    if let selected {
      if isChosen(selected, after: place) || place.showsSelected {
        revealed = selected.index / columns
      }
      read { place.select(selected.index, of: rows) }
      place.revealed = selected.id
    }
    let top = top(of: place) / columns
    // If the top row has become shorter, keeps at least one line of it visible.
    let offset =
      place.offset == 0 ? 0 : max(0, min(place.offset, height(of: top, width: width) - 1))
    let window = window
    let position: RowWindow.Position
    (position, lines) = window.settled(.init(row: top, offset: offset), revealing: revealed)
    stand(at: position, &place)
    if let selected {
      place.showsSelected = window.isWhole(selected.index / columns, in: lines)
    }
    self.place = place
  }

  private func stand(at position: RowWindow.Position, _ place: inout ListPlace) {
    func anchor(_ row: Int) -> Anchor? {
      let index = row * columns
      return index < count ? Anchor(id: id(index), index: index) : nil
    }
    (place.top, place.next) = (anchor(position.row), anchor(position.row + 1))
    place.offset = position.offset
  }

  /// Whether the user or the binding has selected another item than the one in `place`.
  ///
  /// An item that takes the place of a removed one was not. If the user has scrolled away from it,
  /// they go on looking at the rows that they see, as long as those are there.
  private func isChosen(_ selected: Anchor, after place: ListPlace) -> Bool {
    guard place.revealed != selected.id else { return false }
    guard let before = place.selected, before.id == place.revealed else { return true }
    return read {
      if let chosen = rows.selection?.wrappedValue, chosen != before.id { return true }
      return rows.index(of: place.top) == nil
    }
  }

  /// An item of the row to show on top: the item that was there, wherever it is now.
  ///
  /// If that one alone moved (because it was sorted elsewhere), the rows below it stay where they
  /// are instead, and new rows above them are not scrolled away.
  private func top(of place: ListPlace) -> Int {
    if place.isAtTop, !isAnchored { return 0 }
    let before = place.top?.index ?? 0
    let top = read { rows.index(of: place.top) } ?? min(count - 1, before)
    guard top != before, let next = place.next else { return top }
    // Ids may be repeated: the row below may be the nearest of several, but not the next one.
    let stillFollows = top + columns < count && id(top + columns) == next.id
    guard !stillFollows, let below = read({ rows.index(of: next) }) else { return top }
    let wentAlone = below < top || abs(below - next.index) < abs(top - before)
    return wentAlone ? max(0, below - columns) : top
  }

  // MARK: Drawing

  /// Does what is left once the rows with these items are drawn; `disappeared` is called when they
  /// no longer are on the screen.
  final func finishDrawing(
    _ shown: Range<Int>, in region: Region, _ disappeared: @escaping @MainActor () -> Void = {}
  ) {
    elements.keep(shown)
    elements.declare(disappeared)
    box.draw(bar, in: region, of: self)
    frame.declare(.action(.afterPresenting) { [self] in box.settle(place) })
    declareSelection()
  }

  /// Declares that the item that replaces a removed selection is written to the binding before the
  /// next key, so that an action on the selection applies to the item that is shown as selected.
  private func declareSelection() {
    guard !environment.isInert, let binding = rows.selection, let selected = place.selected else {
      return
    }
    frame.declare(
      .action(.correction) { [rows] in
        guard let gone = binding.wrappedValue, selected.id != gone,
          rows.index(of: .init(id: gone, index: selected.index)) == nil
        else { return }
        binding.wrappedValue = selected.id
      })
  }

  // MARK: Input

  func move(to place: ListPlace) {
    self.place = place
    box.move(to: place, of: self)
  }

  /// Scrolls; the selected item stays selected, even if it is no longer visible.
  final func scroll(_ step: ScrollStep) {
    count = rows.count
    guard let top = place.top, count > 0 else { return }
    let window = window
    let position = window.position(
      after: step,
      from: .init(row: min(top.index / columns, window.count - 1), offset: place.offset),
      showing: lines)
    var state = place
    stand(at: position, &state)
    state.showsSelected = false
    move(to: state)
  }

  final var selected: Int { place.selected?.index ?? 0 }

  /// The number of items in a page.
  var page: Int { max(1, lines.count - 1) }

  /// Selects the item some rows further down, or further up if negative.
  func select(down rows: Int) { select(selected + rows) }

  final func select(_ step: ScrollStep) {
    switch step {
    case .lines(let rows): select(down: rows)
    case .pages(let pages): select(selected + pages * page)
    case .start: select(0)
    case .end: select(rows.count - 1)
    case .item(let item): select(item)
    }
  }

  /// Selects the item at an index, or the first or last one if the index is out of range.
  final func select(_ index: Int) {
    var state = place
    state.select(max(0, min(rows.count - 1, index)), of: rows)
    let id = state.selected?.id
    if let binding = rows.selection, binding.wrappedValue != id { binding.wrappedValue = id }
    move(to: state)
  }
}
