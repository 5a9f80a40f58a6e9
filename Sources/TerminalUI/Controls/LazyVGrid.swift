/// Cells in columns, row after row, one of which is selected, of which only those on the screen
/// exist.
///
/// Selection and scroll position are ids, as in a ``List``. A grid takes all the room it is offered.
///
/// ```swift
/// LazyVGrid(colors, columns: 3, rowHeight: 3) { color, isSelected in
///   Text(color.name).bold(isSelected)
/// }
/// ```
public struct LazyVGrid<Data: RandomAccessCollection, Cell: View>: PlacedView
where Data.Element: Identifiable {
  let data: Data
  let columns: Int
  let rowHeight: Int
  let spacing: (columns: Int, rows: Int)
  let selection: Binding<Data.Element.ID?>?
  let cell: (Data.Element, Bool) -> Cell

  /// A grid whose selection is its own, or the binding's.
  ///
  /// - Parameters:
  ///   - data: the elements, one a cell.
  ///   - columns: how many cells stand side by side, at least 1.
  ///   - rowHeight: how many rows of the screen a cell takes, at least 1: all the same, so that no
  ///     cell has to exist to know where another one is.
  ///   - columnSpacing: columns of the screen between cells.
  ///   - rowSpacing: rows of the screen between cells.
  ///   - selection: which cell is selected; without one the grid keeps it by itself.
  ///   - cell: makes a cell, and is told whether it is the selected one.
  public init(
    _ data: Data, columns: Int, rowHeight: Int = 1, columnSpacing: Int = 1, rowSpacing: Int = 0,
    selection: Binding<Data.Element.ID?>? = nil,
    @ViewBuilder cell: @escaping (_ element: Data.Element, _ isSelected: Bool) -> Cell
  ) {
    self.data = data
    self.columns = max(1, columns)
    self.rowHeight = max(1, rowHeight)
    spacing = (max(0, columnSpacing), max(0, rowSpacing))
    self.selection = selection
    self.cell = cell
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [GridNode(context, grid: self, place: context.box { PlaceBox(ListPlace()) })]
  }
}

private final class GridNode<Data: RandomAccessCollection, Cell: View>: Node
where Data.Element: Identifiable {
  typealias Place = ListPlace<Data.Element.ID>

  private let grid: LazyVGrid<Data, Cell>
  private let box: PlaceBox<Place>
  // Where it stands, and how many rows have room: what its keys go by.
  private var place = Place()
  private var fitting = 1
  private var cells = ElementRows<Data.Element.ID>()
  // The cell that was made as the selected one, with or without the focus.
  private var marked: (index: Int, hasFocus: Bool)?

  init(_ context: ViewContext, grid: LazyVGrid<Data, Cell>, place: PlaceBox<Place>) {
    self.grid = grid
    box = place
    super.init(context)
  }

  private var count: Int { grid.data.count }
  private var rowCount: Int { (count + grid.columns - 1) / grid.columns }
  /// From the top of a row to that of the next.
  private var pitch: Int { grid.rowHeight + grid.spacing.rows }

  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(
      width: proposal.width ?? 40,
      height: proposal.height ?? max(0, rowCount * pitch - grid.spacing.rows))
  }

  /// Nothing: its cells are elements, which say themselves that they have changed.
  override func damage(in region: Region) -> [Rect] { [] }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    if !cells.areUnique { cells = ElementRows() }
    let count = context.readingToDraw { self.count }
    guard count > 0, region.rect.height > 0 else { return cells.releaseAll(of: context) }
    fitting = max(1, (region.rect.height + grid.spacing.rows) / pitch)
    place = context.readingToDraw { settled(box.value) }
    guard let top = place.top, let selected = place.selected else { return }
    let firstRow = top.index / grid.columns
    let shownRows = (region.rect.height + pitch - 1) / pitch
    let shown = firstRow * grid.columns..<min(count, (firstRow + shownRows) * grid.columns)
    mark(selected.index, hasFocus: context.hasFocus)
    for index in shown {
      let part = region.part(rect(of: index, firstRow: firstRow, in: region.rect))
      guard !part.isHidden else { continue }
      let size = node(at: index).size(ProposedSize(part.rect.size))
      node(at: index).draw(in: part.part(Rect(origin: part.rect.origin, size: size)))
      if index == selected.index, context.hasFocus, environment.isPlain {
        frame.declare(.cursor(part.rect.origin))
      }
    }
    cells.keep(shown, of: context)
    frame.declare(.afterPresenting { [self] in box.settle(place) })
    declareKeys()
    context.declarePointerRegion(region) { [self] event in
      pointed(event, firstRow: firstRow, in: region.rect)
    }
  }

  /// Has the cells made again that are told something else about the selection.
  private func mark(_ index: Int, hasFocus: Bool) {
    if let marked, marked == (index, hasFocus) { return }
    for place in [marked?.index, index].compactMap(\.self) { cells.forget(place) }
    marked = (index, hasFocus)
  }

  private func node(at index: Int) -> Node {
    if let node = cells.row(at: index) { return node }
    let element = grid.data.element(index)
    let ordinal = cells.ordinal(of: element.id, at: index)
    var inner = context.child(.id(AnyHashable(element.id), ordinal: ordinal))
    let isMarked = index == marked?.index
    inner.environment.isFocused = isMarked && marked?.hasFocus == true
    let node = inner.hosted { [grid] in grid.cell(element, isMarked) }
    cells.insert(node, at: index)
    return node
  }

  /// Where a cell stands: the columns share the width, the first ones get what is over.
  private func rect(of index: Int, firstRow: Int, in rect: Rect) -> Rect {
    let room = max(0, rect.width - grid.spacing.columns * (grid.columns - 1))
    let (width, over) = (room / grid.columns, room % grid.columns)
    let column = index % grid.columns
    return Rect(
      x: rect.minX + column * (width + grid.spacing.columns) + min(column, over),
      y: rect.minY + (index / grid.columns - firstRow) * pitch,
      width: width + (column < over ? 1 : 0), height: grid.rowHeight)
  }

  /// The place as it can be: a cell that is gone replaced by its neighbour, the selected one in view
  /// when it is a new one, and no empty room below the last.
  private func settled(_ place: Place) -> Place {
    var state = place
    let selected = grid.data.selection(state.selected, decidedBy: grid.selection)
    state.selected = selected
    var row = (grid.data.offset(of: state.top) ?? state.top?.index ?? 0) / grid.columns
    if state.revealed != selected.id {
      state.revealed = selected.id
      let wanted = selected.index / grid.columns
      row = max(min(row, wanted), wanted - fitting + 1)
    }
    return at(row, state)
  }

  private func at(_ row: Int, _ place: Place) -> Place {
    var state = place
    let index = max(0, min(row, rowCount - fitting)) * grid.columns
    state.top = .init(id: grid.data.element(index).id, index: index)
    return state
  }

  // MARK: Input

  private var selected: Int { place.selected?.index ?? 0 }
  private var last: Int { count - 1 }

  private func select(_ index: Int) {
    var state = place
    let id = grid.data.element(index).id
    state.selected = .init(id: id, index: index)
    if let binding = grid.selection, binding.wrappedValue != id { binding.wrappedValue = id }
    move(to: settled(state))
  }

  private func move(to place: Place) {
    self.place = place
    box.move(to: place, of: self)
  }

  private func move(by cells: Int) {
    let index = selected + cells
    // Beyond the end of a short last row, down goes to the last cell.
    if cells > 0, index > last, selected / grid.columns < last / grid.columns {
      select(last)
    } else if 0...last ~= index {
      select(index)
    }
  }

  private func declareKeys() {
    let columns = grid.columns
    context.declare(action: .right) { [self] in move(by: 1) }
    context.declare(action: .left) { [self] in move(by: -1) }
    context.declare(action: .down) { [self] in move(by: columns) }
    context.declare(action: .up) { [self] in move(by: -columns) }
    context.declare(action: .pageDown, also: .readOn) { [self] in
      select(min(last, selected + fitting * columns))
    }
    context.declare(action: .pageUp) { [self] in
      select(max(0, selected - fitting * columns))
    }
    context.declare(action: .first) { [self] in select(0) }
    context.declare(action: .last) { [self] in select(last) }
  }

  private func pointed(_ event: MouseEvent, firstRow: Int, in rect: Rect) -> Bool {
    switch event.kind {
    case .press:
      let point = Point(x: rect.minX + event.location.x, y: rect.minY + event.location.y)
      let row = firstRow + event.location.y / pitch
      guard row < rowCount else { return false }
      let cells = row * grid.columns..<min(count, (row + 1) * grid.columns)
      let index = cells.first { self.rect(of: $0, firstRow: firstRow, in: rect).contains(point) }
      guard let index else { return false }
      select(index)
    case .wheelDown: move(to: at(firstRow + 1, place))
    case .wheelUp: move(to: at(firstRow - 1, place))
    case .release, .drag: return false
    }
    return true
  }
}
