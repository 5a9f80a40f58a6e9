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
public struct LazyVGrid<Data: RandomAccessCollection, Cell: View>: PrimitiveView
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
    let place = context.frame.store.box(at: context.path) { PlaceBox(ListPlace<Data.Element.ID>()) }
    return [GridNode(context, grid: self, place: place)]
  }
}

private final class GridNode<Data: RandomAccessCollection, Cell: View>: Node
where Data.Element: Identifiable {
  typealias Place = ListPlace<Data.Element.ID>

  private let grid: LazyVGrid<Data, Cell>
  private let place: PlaceBox<Place>

  init(_ context: ViewContext, grid: LazyVGrid<Data, Cell>, place: PlaceBox<Place>) {
    self.grid = grid
    self.place = place
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

  override func draw(in region: Region) {
    context.declareFocusable(region)
    // Cells are made as they are drawn: what was kept of those drawn before ends with them.
    frame.store.leave([context.path], keepingThem: true)
    guard count > 0, region.rect.height > 0 else { return }
    let fitting = max(1, (region.rect.height + grid.spacing.rows) / pitch)
    let state = settled(fitting: fitting)
    guard let top = state.top, let selected = state.selected else { return }
    let firstRow = top.index / grid.columns
    let shownRows = (region.rect.height + pitch - 1) / pitch
    var seen: [Data.Element.ID: Int] = [:]
    for index in firstRow * grid.columns..<min(count, (firstRow + shownRows) * grid.columns) {
      let element = grid.data.element(index)
      let ordinal = seen[element.id, default: 0]
      seen[element.id] = ordinal + 1
      var inner = context.child(.id(AnyHashable(element.id), ordinal: ordinal))
      inner.environment.isFocused = context.hasFocus && index == selected.index
      let part = region.part(rect(of: index, firstRow: firstRow, in: region.rect))
      guard !part.isHidden else { continue }
      let node = inner.node(grid.cell(element, index == selected.index))
      let size = node.size(ProposedSize(part.rect.size))
      node.draw(in: part.part(Rect(origin: part.rect.origin, size: size)))
      if inner.environment.isFocused, environment.isPlain { frame.cursor = part.rect.origin }
    }
    frame.afterPresenting.append { [place] in place.settle(state) }
    declareKeys(state, page: fitting)
    context.declarePointerRegion(region) { [self] event in
      pointed(event, state: state, firstRow: firstRow, in: region.rect)
    }
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

  /// The place for this frame: a cell that is gone replaced by its neighbour, the selected one in
  /// view when it is a new one, and no empty room below the last.
  private func settled(fitting: Int) -> Place {
    var state = place.value
    let selected = grid.data.selection(state.selected, decidedBy: grid.selection)
    state.selected = selected
    var row = (grid.data.offset(of: state.top) ?? state.top?.index ?? 0) / grid.columns
    if state.revealed != selected.id {
      state.revealed = selected.id
      let wanted = selected.index / grid.columns
      row = max(min(row, wanted), wanted - fitting + 1)
    }
    return at(row, fitting: fitting, state)
  }

  private func at(_ row: Int, fitting: Int, _ state: Place) -> Place {
    var state = state
    let index = max(0, min(row, rowCount - fitting)) * grid.columns
    state.top = .init(id: grid.data.element(index).id, index: index)
    return state
  }

  // MARK: Input

  private func select(_ index: Int, _ state: Place) {
    var state = state
    let id = grid.data.element(index).id
    state.selected = .init(id: id, index: index)
    place.move(to: state, in: frame)
    if let binding = grid.selection, binding.wrappedValue != id { binding.wrappedValue = id }
  }

  private func declareKeys(_ state: Place, page: Int) {
    guard let selected = state.selected?.index else { return }
    let last = count - 1
    func move(by cells: Int) {
      let index = selected + cells
      // Beyond the end of a short last row, down goes to the last cell.
      if cells > 0, index > last, selected / grid.columns < last / grid.columns {
        select(last, state)
      } else if 0...last ~= index {
        select(index, state)
      }
    }
    context.declare("l", .right, label: "right") { move(by: 1) }
    context.declare("h", .left, label: "left") { move(by: -1) }
    context.declare("j", .down, label: "down") { [grid] in move(by: grid.columns) }
    context.declare("k", .up, label: "up") { [grid] in move(by: -grid.columns) }
    context.declare(.pageDown, .control("d"), label: "page down") { [self] in
      select(min(last, selected + page * grid.columns), state)
    }
    context.declare(.pageUp, .control("u"), label: "page up") { [self] in
      select(max(0, selected - page * grid.columns), state)
    }
    context.declare("g", .home, label: "first") { [self] in select(0, state) }
    context.declare("G", .end, label: "last") { [self] in select(last, state) }
  }

  private func pointed(_ event: MouseEvent, state: Place, firstRow: Int, in rect: Rect) -> Bool {
    let fitting = max(1, (rect.height + grid.spacing.rows) / pitch)
    switch event.kind {
    case .press:
      let point = Point(x: rect.minX + event.location.x, y: rect.minY + event.location.y)
      let row = firstRow + event.location.y / pitch
      let cells = row * grid.columns..<min(count, (row + 1) * grid.columns)
      guard row < rowCount,
        let index = cells.first(where: {
          self.rect(of: $0, firstRow: firstRow, in: rect).contains(point)
        })
      else { return false }
      select(index, state)
    case .wheelDown: place.move(to: at(firstRow + 1, fitting: fitting, state), in: frame)
    case .wheelUp: place.move(to: at(firstRow - 1, fitting: fitting, state), in: frame)
    case .release: return false
    }
    return true
  }
}
