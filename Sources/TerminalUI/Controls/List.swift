/// Rows from top to bottom, one of which is selected, of which only those on the screen exist.
///
/// Selection and scroll position are ids: rows that come or go above move nothing. A list takes
/// all the room it is offered.
///
/// ```swift
/// List(articles, selection: $selected, onSubmit: { open($0) }) { article in
///   Text(article.title).lineLimit(1)
/// }
/// ```
public struct List<Data: RandomAccessCollection, Row: View>: PrimitiveView
where Data.Element: Identifiable {
  let data: Data
  let selection: Binding<Data.Element.ID?>?
  let submitLabel: String
  let onSubmit: (@MainActor (Data.Element) -> Void)?
  let row: (Data.Element) -> Row

  /// A list whose selection is its own, or the binding's; Enter and a click on the selected row
  /// give the row to `onSubmit`, which the footer calls `submitLabel`.
  public init(
    _ data: Data, selection: Binding<Data.Element.ID?>? = nil, submitLabel: String = "open",
    onSubmit: (@MainActor (Data.Element) -> Void)? = nil,
    @ViewBuilder row: @escaping (Data.Element) -> Row
  ) {
    self.data = data
    self.selection = selection
    self.submitLabel = submitLabel
    self.onSubmit = onSubmit
    self.row = row
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let place = context.frame.store.box(at: context.path) { PlaceBox(ListPlace<Data.Element.ID>()) }
    return [ListNode(context, list: self, place: place)]
  }
}

private final class ListNode<Data: RandomAccessCollection, Row: View>: Node
where Data.Element: Identifiable {
  typealias ID = Data.Element.ID
  private typealias Anchor = ListPlace<ID>.Anchor

  private let list: List<Data, Row>
  private let place: PlaceBox<ListPlace<ID>>
  private var rows = ListRows<ID>()
  private var width = 0
  private var wasDrawn = false

  init(_ context: ViewContext, list: List<Data, Row>, place: PlaceBox<ListPlace<ID>>) {
    self.list = list
    self.place = place
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    // Without a limit it shows everything: then the cost is the caller's wish.
    width = proposal.width ?? 40
    return Size(
      width: width,
      height: proposal.height ?? (0..<list.data.count).reduce(0) { $0 + height(of: $1) })
  }

  override func draw(in region: Region) {
    if region.rect.width != width || wasDrawn && !rows.areUnique { rows = ListRows() }
    width = region.rect.width
    let hasFocus = context.hasFocus
    context.declareFocusable(region)
    guard !list.data.isEmpty, region.rect.height > 0 else { return }
    let state = settled(height: region.rect.height)
    guard let top = state.top, let selected = state.selected else { return }
    var y = -state.offset
    var index = top.index
    var starts: [(index: Int, y: Int)] = []
    while y < region.rect.height, index < list.data.count {
      let height = height(of: index)
      let part = region.part(
        Rect(x: region.rect.minX, y: region.rect.minY + y, width: width, height: height))
      node(at: index)
      rows.draw(index, in: part)
      if index == selected.index { mark(part, hasFocus: hasFocus) }
      starts.append((index, y))
      y += height
      index += 1
    }
    let shown = top.index..<index
    frame.store.leave(rows.keep(shown))
    wasDrawn = true
    frame.afterPresenting.append { [place] in place.settle(state) }
    declareKeys(state, page: max(1, index - top.index - 1))
    context.declarePointerRegion(region) { [self] event in
      pointed(event, state: state, starts: starts)
    }
  }

  /// Shows which row is selected: by colour or reversed, and by weight where the focus is elsewhere.
  private func mark(_ region: Region, hasFocus: Bool) {
    guard !environment.isInert else { return }
    if hasFocus {
      region.highlight(environment.theme)
      if environment.isPlain { frame.cursor = region.clip.origin }
    } else {
      frame.cells.restyle(region.clip) { $0.attributes.insert(.bold) }
    }
  }

  // MARK: Rows

  private func element(_ index: Int) -> Data.Element { list.data.element(index) }

  @discardableResult
  private func node(at index: Int) -> Node {
    if let node = rows.node(at: index) { return node }
    let element = element(index)
    let ordinal = rows.ordinal(of: element.id, at: index)
    let inner = context.child(.id(AnyHashable(element.id), ordinal: ordinal))
    let node = inner.node(list.row(element))
    rows.insert(node, at: index, path: inner.path)
    return node
  }

  private func height(of index: Int) -> Int {
    max(1, node(at: index).size(ProposedSize(width: width)).height)
  }

  // MARK: Place

  /// The place for this frame: rows that are gone replaced by their neighbours, the selected row in
  /// view when it is a new one, and no empty room below the last.
  private func settled(height: Int) -> ListPlace<ID> {
    var state = place.value
    let last = list.data.count - 1
    let anchor = list.data.selection(state.selected, decidedBy: list.selection)
    state.selected = anchor
    let selected = anchor.index
    var top = list.data.offset(of: state.top) ?? min(last, state.top?.index ?? 0)
    if state.revealed != state.selected?.id {
      state.revealed = state.selected?.id
      if selected <= top {
        (top, state.offset) = (selected, 0)
      } else if let first = firstRow(showing: selected, from: top, height: height, state.offset) {
        (top, state.offset) = first
      }
    }
    state.offset = min(state.offset, self.height(of: top) - 1)
    (top, state.offset) = filled(top, state.offset, height: height)
    state.top = Anchor(id: element(top).id, index: top)
    return state
  }

  /// The row to begin with so that `index`, which is below the screen, is its last.
  private func firstRow(
    showing index: Int, from top: Int, height: Int, _ offset: Int
  ) -> (Int, Int)? {
    // Nothing to do when it is on the screen; rows far below are not measured to find out.
    var bottom = -offset
    for row in top...index {
      bottom += self.height(of: row)
      if bottom > height { break }
      if row == index { return nil }
    }
    var room = height - self.height(of: index)
    var first = index
    while first > 0, room > 0 {
      first -= 1
      room -= self.height(of: first)
    }
    if room < 0, first < index { return (first, -room) }
    return (first, 0)
  }

  /// The same place, moved up as far as it must so that no room is left empty below the last row.
  private func filled(_ top: Int, _ offset: Int, height: Int) -> (Int, Int) {
    var room = height + offset
    for row in top..<list.data.count {
      room -= self.height(of: row)
      if room <= 0 { return (top, offset) }
    }
    var (top, offset) = (top, offset)
    let back = min(offset, room)
    offset -= back
    room -= back
    while room > 0, top > 0 {
      top -= 1
      room -= self.height(of: top)
    }
    return (top, room < 0 ? -room : offset)
  }

  // MARK: Input

  private func select(_ index: Int, _ state: ListPlace<ID>) {
    let index = max(0, min(list.data.count - 1, index))
    var state = state
    let id = element(index).id
    state.selected = Anchor(id: id, index: index)
    place.move(to: state, in: frame)
    if let binding = list.selection, binding.wrappedValue != id { binding.wrappedValue = id }
  }

  private func declareKeys(_ state: ListPlace<ID>, page: Int) {
    guard let selected = state.selected?.index else { return }
    if let onSubmit = list.onSubmit {
      context.declare(.enter, label: list.submitLabel, inFooter: true) { [self] in
        onSubmit(element(selected))
      }
    }
    context.declare("j", .down, label: "down") { [self] in select(selected + 1, state) }
    context.declare("k", .up, label: "up") { [self] in select(selected - 1, state) }
    context.declare(.pageDown, .control("d"), label: "page down") { [self] in
      select(selected + page, state)
    }
    context.declare(.pageUp, .control("u"), label: "page up") { [self] in
      select(selected - page, state)
    }
    context.declare("g", .home, label: "first") { [self] in select(0, state) }
    context.declare("G", .end, label: "last") { [self] in select(list.data.count - 1, state) }
  }

  private func pointed(
    _ event: MouseEvent, state: ListPlace<ID>, starts: [(index: Int, y: Int)]
  ) -> Bool {
    switch event.kind {
    case .press:
      guard let row = starts.last(where: { $0.y <= event.location.y }) else { return false }
      if row.index == state.selected?.index {
        list.onSubmit?(element(row.index))
      } else {
        select(row.index, state)
      }
    case .wheelDown: scroll(by: 3, state)
    case .wheelUp: scroll(by: -3, state)
    case .release: return false
    }
    return true
  }

  private func scroll(by rows: Int, _ state: ListPlace<ID>) {
    guard let top = state.top else { return }
    var state = state
    var (index, offset) = (top.index, state.offset + rows)
    while offset < 0, index > 0 {
      index -= 1
      offset += height(of: index)
    }
    while index < list.data.count - 1, offset >= height(of: index) {
      offset -= height(of: index)
      index += 1
    }
    state.top = Anchor(id: element(index).id, index: index)
    state.offset = max(0, offset)
    place.move(to: state, in: frame)
  }
}
