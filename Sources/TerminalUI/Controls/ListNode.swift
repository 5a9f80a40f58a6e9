/// The rows of a ``List`` that are on the screen.
///
/// What its keys do goes by where it stands at the moment, not by where it stood when the frame was
/// drawn, so that many of them need one drawing; and a move alone is drawn in the rows that it
/// changes.
final class ListNode<Data: RandomAccessCollection, Row: View>: Node, MovingPart
where Data.Element: Identifiable {
  typealias ID = Data.Element.ID
  private typealias Anchor = ListPlace<ID>.Anchor

  private let list: List<Data, Row>
  private let box: PlaceBox<ListPlace<ID>>
  private var rows = ListRows<ID>()
  private var width = 0
  private var height = 0
  private var wasDrawn = false
  // Where it stands, and how it was drawn last.
  private var place = ListPlace<ID>()
  private var drawn: Drawing?

  private struct Drawing {
    let region: Region
    /// What was there before, if all of it shows.
    let ground: [Cell]
    var place: ListPlace<ID>
    var starts: [(index: Int, y: Int)]
    /// Whether its rows were nothing but cells.
    let isPicture: Bool
  }

  init(_ context: ViewContext, list: List<Data, Row>, place: PlaceBox<ListPlace<ID>>) {
    self.list = list
    box = place
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
    (width, height) = (region.rect.width, region.rect.height)
    drawn = nil
    context.declareFocusable(region)
    guard !list.data.isEmpty, height > 0 else { return }
    place = settled(box.value)
    // Of a list that is cut off, or beyond the edge, no part is drawn by itself.
    let isWhole = region.clip == region.rect && !region.isHidden
    let ground = isWhole ? frame.cells.cells(in: region.clip) : []
    let starts = visibleRows()
    var isPicture = true
    for (index, y) in starts where !draw(index, at: y, in: region) { isPicture = false }
    drawn = Drawing(
      region: region, ground: ground, place: place, starts: starts, isPicture: isPicture)
    dropRows(besides: starts)
    wasDrawn = true
    frame.afterPresenting.append { [self] in
      box.settle(place)
      tellNeighbour()
    }
    declareKeys()
    context.declarePointerRegion(region) { [self] in pointed($0) }
    if isWhole { frame.movingParts.append(MovingParts.Entry(self, region.rect)) }
  }

  /// Draws a row; `false` where it is more than cells, which the frame as a whole has to know.
  @discardableResult
  private func draw(_ index: Int, at y: Int, in region: Region) -> Bool {
    let part = part(index, at: y, in: region)
    node(at: index)
    let count = frame.declarationCount
    rows.draw(index, in: part)
    let isPicture = frame.declarationCount == count
    if index == place.selected?.index { mark(part, hasFocus: context.hasFocus) }
    return isPicture
  }

  private func part(_ index: Int, at y: Int, in region: Region) -> Region {
    region.part(
      Rect(
        x: region.rect.minX, y: region.rect.minY + y, width: width, height: height(of: index)))
  }

  /// Shows which row is selected: by colour or reversed, and where the focus is elsewhere by weight
  /// and the colour of its text: among bold rows weight alone says little.
  private func mark(_ region: Region, hasFocus: Bool) {
    guard !environment.isInert else { return }
    if hasFocus {
      region.highlight(environment.theme)
      if environment.isPlain { frame.cursor = region.clip.origin }
    } else {
      frame.movingParts.cover(region.clip)
      let accent = environment.theme.accent
      frame.cells.restyle(region.clip) { @Sendable style in
        style.attributes.insert(.bold)
        if style.foreground == .default { style.foreground = accent }
      }
    }
  }

  // MARK: Moving

  var placeID: ObjectIdentifier { ObjectIdentifier(box) }

  func drawMove() -> Bool {
    guard var drawn, rows.areUnique else { return false }
    let (before, region) = (drawn.place, drawn.region)
    if context.hasFocus, environment.isPlain { frame.cursor = nil }
    if place.top == before.top, place.offset == before.offset {
      for (index, y) in drawn.starts
      where index == before.selected?.index || index == place.selected?.index {
        let rect = part(index, at: y, in: region).clip
        frame.cells.replace(rect, with: drawn.ground, of: region.clip)
        // What else it is stays in the frame. Only what moves by itself would be as it was then, and
        // what is drawn behind everything else would not be drawn.
        let count = frame.animations.count + frame.deferred.count
        draw(index, at: y, in: region)
        guard frame.animations.count + frame.deferred.count == count else { return false }
      }
    } else {
      // What rows that leave the screen were besides cells would stay in the frame.
      guard drawn.isPicture else { return false }
      frame.cells.replace(region.clip, with: drawn.ground)
      drawn.starts = visibleRows()
      for (index, y) in drawn.starts {
        guard draw(index, at: y, in: region) else { return false }
      }
    }
    drawn.place = place
    self.drawn = drawn
    return true
  }

  private func move(to place: ListPlace<ID>) {
    // A row that comes on the screen is made here: what it reads makes the next frame due.
    frame.host.tracking(placeID) {
      self.place = settled(place)
      dropRows(besides: visibleRows())
    }
    box.move(to: self.place, in: frame)
  }

  // MARK: Rows

  private func element(_ index: Int) -> Data.Element { list.data.element(index) }

  @discardableResult
  private func node(at index: Int) -> Node {
    if let node = rows.node(at: index) { return node }
    let element = element(index)
    let ordinal = rows.ordinal(of: element.id, at: index)
    let inner = context.child(.id(AnyHashable(element.id), ordinal: ordinal))
    let count = frame.store.declarationCount
    let node = inner.node(list.row(element))
    rows.insert(
      node, at: index, path: inner.path, hasState: frame.store.declarationCount > count)
    return node
  }

  private func height(of index: Int) -> Int {
    max(1, node(at: index).size(ProposedSize(width: width)).height)
  }

  /// The rows that show where it stands, with the rows of cells at which they begin.
  private func visibleRows() -> [(index: Int, y: Int)] {
    guard let top = place.top else { return [] }
    var starts: [(index: Int, y: Int)] = []
    var (index, y) = (top.index, -place.offset)
    while y < height, index < list.data.count {
      starts.append((index, y))
      y += height(of: index)
      index += 1
    }
    return starts
  }

  /// Ends the rows that are not on the screen, and their state.
  private func dropRows(besides starts: [(index: Int, y: Int)]) {
    guard let first = starts.first, let last = starts.last else { return }
    frame.store.leave(rows.keep(first.index..<(last.index + 1)))
  }

  // MARK: Place

  /// The place as it can be: rows that are gone replaced by their neighbours, the selected row in
  /// view when it is a new one, and no empty room below the last.
  private func settled(_ place: ListPlace<ID>) -> ListPlace<ID> {
    var state = place
    let anchor = list.data.selection(state.selected, decidedBy: list.selection)
    state.selected = anchor
    let selected = anchor.index
    var top = top(of: state)
    if state.revealed != state.selected?.id || state.showsSelected {
      state.revealed = state.selected?.id
      if selected <= top {
        (top, state.offset) = (selected, 0)
      } else if let first = firstRow(showing: selected, from: top, state.offset) {
        (top, state.offset) = first
      }
    }
    state.offset = min(state.offset, self.height(of: top) - 1)
    (top, state.offset) = filled(top, state.offset)
    let last = list.data.count - 1
    state.top = Anchor(id: element(top).id, index: top)
    state.next = top < last ? Anchor(id: element(top + 1).id, index: top + 1) : nil
    state.showsSelected =
      (selected > top || selected == top && state.offset == 0)
      && firstRow(showing: selected, from: top, state.offset) == nil
    return state
  }

  /// Writes which row has taken the place of a selected one that is gone: what is done with the
  /// selected row is to be done with the one that shows it.
  private func tellNeighbour() {
    guard !environment.isInert, let binding = list.selection, let gone = binding.wrappedValue,
      let selected = place.selected, selected.id != gone,
      list.data.offset(of: .init(id: gone, index: selected.index)) == nil
    else { return }
    binding.wrappedValue = selected.id
  }

  /// The row that is to be on top: the one that was, wherever it is now.
  ///
  /// Where that one alone went elsewhere, to be sorted in, the others stay where they are, and those
  /// that come above it are not scrolled away.
  private func top(of place: ListPlace<ID>) -> Int {
    let before = place.top?.index ?? 0
    let top = list.data.offset(of: place.top) ?? min(list.data.count - 1, before)
    guard top != before, let next = place.next, let below = list.data.offset(of: next) else {
      return top
    }
    let wentAlone = below < top || abs(below - next.index) < abs(top - before)
    return wentAlone ? max(0, below - 1) : top
  }

  /// The row to begin with so that `index`, which is below the screen, is its last.
  private func firstRow(showing index: Int, from top: Int, _ offset: Int) -> (Int, Int)? {
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
  private func filled(_ top: Int, _ offset: Int) -> (Int, Int) {
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

  private var selected: Int { place.selected?.index ?? 0 }
  private var page: Int { max(1, visibleRows().count - 1) }

  private func select(_ index: Int) {
    let index = max(0, min(list.data.count - 1, index))
    let id = element(index).id
    var state = place
    state.selected = Anchor(id: id, index: index)
    if let binding = list.selection, binding.wrappedValue != id { binding.wrappedValue = id }
    move(to: state)
  }

  private func declareKeys() {
    if let onSubmit = list.onSubmit {
      context.declare(.enter, label: list.submitLabel, inFooter: true) { [self] in
        onSubmit(element(selected))
      }
    }
    context.declare(action: .down, isLive: true) { [self] in select(selected + 1) }
    context.declare(action: .up, isLive: true) { [self] in select(selected - 1) }
    context.declare(action: .pageDown, also: .readOn, isLive: true) { [self] in
      select(selected + page)
    }
    context.declare(action: .pageUp, isLive: true) { [self] in
      select(selected - page)
    }
    context.declare(action: .first, isLive: true) { [self] in select(0) }
    context.declare(action: .last, isLive: true) { [self] in
      select(list.data.count - 1)
    }
  }

  private func pointed(_ event: MouseEvent) -> Bool {
    switch event.kind {
    case .press:
      let y = event.location.y
      // Below the last row of a short list there is none.
      guard let row = drawn?.starts.last(where: { $0.y <= y }), y < row.y + height(of: row.index)
      else { return false }
      if row.index == selected {
        list.onSubmit?(element(row.index))
      } else {
        select(row.index)
      }
    case .wheelDown: scroll(by: 3)
    case .wheelUp: scroll(by: -3)
    case .release, .drag: return false
    }
    return true
  }

  private func scroll(by rows: Int) {
    guard let top = place.top else { return }
    var state = place
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
    state.showsSelected = false
    move(to: state)
  }
}
