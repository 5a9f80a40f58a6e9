/// A grid of cells, one of which is selected; only the cells on the screen are made.
///
/// Selection and scroll position are ids, as in a ``List``. A grid takes all the room it is
/// offered.
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

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - data: the elements, one for each cell.
  ///   - columns: how many cells stand side by side, at least 1.
  ///   - rowHeight: the height of every cell in rows of the screen, at least 1. All cells have the
  ///     same height, so that the position of a cell is known without making the others.
  ///   - columnSpacing: columns of the screen between cells.
  ///   - rowSpacing: rows of the screen between cells.
  ///   - selection: the id of the selected cell; without a binding, the grid keeps it itself.
  ///   - cell: makes a cell, given whether it is the selected one.
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
    [GridNode(context, grid: self, box: context.box { PlaceBox(ListPlace()) })]
  }
}

private final class GridNode: RowScrollNode {
  private let rowHeight: Int
  private let spacing: (columns: Int, rows: Int)
  // Reads an element; its cell is made later, selected or not.
  private let content: (Int) -> (ViewContext, Bool) -> Element
  // The cell that was made as the selected one, and whether it was made with the focus.
  private var marked: (index: Int, hasFocus: Bool)?

  init<Data, Cell>(
    _ context: ViewContext, grid: LazyVGrid<Data, Cell>, box: PlaceBox<ListPlace>
  ) {
    (rowHeight, spacing) = (grid.rowHeight, grid.spacing)
    content = { index in
      let element = grid.data.element(index)
      return { context, isSelected in context.hosted { grid.cell(element, isSelected) } }
    }
    super.init(
      context, rows: ListRows(grid.data, selection: grid.selection),
      elements: ElementRows(context), box: box, columns: grid.columns)
  }

  /// The distance from the top of one row to the top of the next.
  private var pitch: Int { rowHeight + spacing.rows }

  override func measure(_ proposal: ProposedSize) -> Size {
    let rowCount = (rows.count + columns - 1) / columns
    return Size(
      width: proposal.width ?? 40,
      height: proposal.height ?? max(0, rowCount * pitch - spacing.rows))
  }

  /// Empty: the cells are elements, which report their own changes.
  override func damage(in region: Region) -> [Rect] { [] }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    settle(in: region)
    guard let first = lines.first, let last = lines.last, let selected = place.selected else {
      return
    }
    context.declareScrollRegion(region, bar: bar, in: box, wheel: 1) { [self] in
      scroll($0)
    } press: { [self] in
      press(Point(x: region.rect.minX + $0.x, y: region.rect.minY + $0.y), in: region.rect)
    }
    mark(selected.index, hasFocus: context.hasFocus)
    // One row more than fits may be partly visible.
    let shown = first.row * columns..<min(count, (last.row + 2) * columns)
    for index in shown {
      let part = region.part(rect(of: index, in: region.rect))
      guard !part.isHidden else {
        elements.release(index)
        continue
      }
      let node = node(at: index)
      let size = node.size(ProposedSize(part.rect.size))
      node.draw(in: part.part(Rect(origin: part.rect.origin, size: size)))
      if index == selected.index, context.hasFocus, environment.isPlain {
        frame.declareCursor(part.rect.origin)
      }
    }
    finishDrawing(shown, in: region)
    for (action, step) in [(KeyAction.right, 1), (.left, -1)] {
      context.declare(action: action, counted: { [self] in select(self.selected + step * $0) }) {
        [self] in move(by: step)
      }
    }
    context.declareScrollKeys { [self] in select($0) }
  }

  /// Finds out which rows are shown: a row of cells is one line, because it is never scrolled partly.
  private func settle(in region: Region) {
    let found: (count: Int, selected: Anchor?) = context.readingToDraw {
      let count = rows.count
      return (count, count > 0 && region.rect.height > 0 ? rows.selected(in: box.value) : nil)
    }
    count = found.count
    (bar, lines) = (nil, [])
    guard let selected = found.selected else { return }
    let fitting = max(1, (region.rect.height + spacing.rows) / pitch)
    layOut(in: Size(width: region.rect.width, height: fitting), showing: selected)
  }

  /// Forgets the cells whose selection or focus has changed, so that they are made again.
  private func mark(_ index: Int, hasFocus: Bool) {
    if let marked, marked == (index, hasFocus) { return }
    for place in [marked?.index, index].compactMap(\.self) { elements.forget(place) }
    marked = (index, hasFocus)
  }

  private func node(at index: Int) -> Node {
    if let node = elements.row(at: index) { return node }
    let (id, make) = (rows.id(index), content(index))
    let isMarked = index == marked?.index
    return elements.insert(id, at: index) { ordinal in
      var inner = context.child(.id(id, ordinal: ordinal))
      inner.environment.isFocused = isMarked && marked?.hasFocus == true
      return make(inner, isMarked)
    }
  }

  /// The rectangle of a cell: the columns share the width, and the first ones get the remainder.
  private func rect(of index: Int, in rect: Rect) -> Rect {
    let room = max(0, width - spacing.columns * (columns - 1))
    let (share, over) = (room / columns, room % columns)
    let column = index % columns
    return Rect(
      x: rect.minX + column * (share + spacing.columns) + min(column, over),
      y: rect.minY + (index / columns - (lines.first?.row ?? 0)) * pitch,
      width: share + (column < over ? 1 : 0), height: rowHeight)
  }

  // MARK: Input

  override var page: Int { height * columns }

  private func move(by cells: Int) {
    let (index, last) = (selected + cells, rows.count - 1)
    // From above a short last row, moving down past its end selects the last cell.
    if cells > 0, index > last, selected / columns < last / columns {
      select(last)
    } else if 0...last ~= index {
      select(index)
    }
  }

  override func select(down rows: Int) {
    // Moving up stops at the first row.
    move(by: max(rows, -(selected / columns)) * columns)
  }

  private func press(_ point: Point, in rect: Rect) -> Bool {
    let index = elements.indices.first { self.rect(of: $0, in: rect).contains(point) }
    guard let index else { return false }
    select(index)
    return true
  }
}
