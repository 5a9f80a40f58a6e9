/// The rows of a ``List`` that are on the screen.
///
/// Each row is an element of its own. The list itself draws nothing but the mark of the selected row: a
/// move of the selection damages two rows.
final class ListNode<Data: RandomAccessCollection, Row: View>: Node
where Data.Element: Identifiable {
  typealias ID = Data.Element.ID
  private typealias Anchor = ListPlace<ID>.Anchor

  private let list: List<Data, Row>
  private let boxes: ListBoxes<ID>
  private var box: PlaceBox<ListPlace<ID>> { boxes.place }
  private var rows = ElementRows<ID>()
  private var width = 0
  private var height = 0
  private var count = 0
  // Where it stands: what its keys go by.
  private var place = ListPlace<ID>()
  private var starts: [Start] = []

  /// Where a row that shows begins, and how high it is.
  private typealias Start = (index: Int, y: Int, height: Int)

  init(_ context: ViewContext, list: List<Data, Row>, boxes: ListBoxes<ID>) {
    self.list = list
    self.boxes = boxes
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    // Without a limit it shows everything: then the cost is the caller's wish.
    width = proposal.width ?? 40
    return Size(width: width, height: proposal.height ?? wholeHeight)
  }

  private var wholeHeight: Int { (0..<wholeCount).reduce(0) { $0 + height(of: $1) } }
  // Read once: another count makes another node.
  private lazy var wholeCount = context.reading { list.data.count }

  override func draw(in region: Region) {
    if !rows.areUnique { rows = ElementRows() }
    context.declareFocusable(region)
    let isEmpty = !settle(in: region)
    boxes.mark = isEmpty ? nil : mark(in: region)
    guard !isEmpty else { return }
    for start in starts {
      let part = part(start, in: region)
      row(at: start.index).draw(in: part)
      if start.index == place.selected?.index { drawMark(part, hasFocus: context.hasFocus) }
    }
    if let first = starts.first, let last = starts.last {
      rows.keep(first.index..<(last.index + 1), of: context)
    }
    frame.declare(
      .afterPresenting { [self] in
        box.settle(place)
        tellNeighbour()
      })
    declareKeys()
    context.declarePointerRegion(region) { [self] in pointed($0) }
  }

  /// Finds out which rows show where; `false` where none does.
  private func settle(in region: Region) -> Bool {
    (width, height) = (region.rect.width, region.rect.height)
    count = read { list.data.count }
    guard count > 0, height > 0 else {
      starts = []
      return false
    }
    place = settled(box.value)
    starts = visibleRows()
    return true
  }

  /// Looks something up in the data, which may be a model's: a change of it draws the list again.
  ///
  /// No row is made meanwhile: what it reads is its own.
  private func read<Answer>(_ body: () -> Answer) -> Answer {
    // In an array there is nothing to observe.
    list.data is [Data.Element] ? body() : context.readingToDraw(body)
  }

  private func part(_ start: Start, in region: Region) -> Region {
    region.part(
      Rect(
        x: region.rect.minX, y: region.rect.minY + start.y, width: width, height: start.height))
  }

  /// Shows which row is selected: by colour or reversed, and where the focus is elsewhere by weight
  /// and the colour of its text: among bold rows weight alone says little.
  private func drawMark(_ region: Region, hasFocus: Bool) {
    guard !environment.isInert else { return }
    if hasFocus {
      region.highlight(environment.theme)
      if environment.isPlain { frame.declare(.cursor(region.clip.origin)) }
    } else {
      let accent = environment.theme.accent
      frame.cells.restyle(region.clip) { @Sendable style in
        style.attributes.insert(.bold)
        if style.foreground == .default { style.foreground = accent }
      }
    }
  }

  /// Nothing but the mark of the selected row, where it was and where it is: of what is in them, rows say
  /// themselves that it has changed.
  override func damage(in region: Region) -> [Rect] {
    let mark = settle(in: region) ? mark(in: region) : nil
    return mark == boxes.mark ? [] : [boxes.mark?.rect, mark?.rect].compactMap(\.self)
  }

  private func mark(in region: Region) -> ListMark? {
    guard let selected = place.selected?.index,
      let start = starts.first(where: { $0.index == selected })
    else { return nil }
    return ListMark(rect: part(start, in: region).clip, hasFocus: context.hasFocus)
  }

  private func move(to place: ListPlace<ID>) {
    self.place = place
    box.move(to: place, of: self)
  }

  // MARK: Rows

  private func element(_ index: Int) -> Data.Element { read { list.data.element(index) } }

  private func row(at index: Int) -> Element {
    if let row = rows.row(at: index) { return row }
    let element = element(index)
    let ordinal = rows.ordinal(of: element.id, at: index)
    let inner = context.child(.id(AnyHashable(element.id), ordinal: ordinal))
    let row = inner.hosted { [list] in list.row(element) }
    rows.insert(row, at: index)
    return row
  }

  private func height(of index: Int) -> Int {
    max(1, row(at: index).size(ProposedSize(width: width)).height)
  }

  /// The rows that show where it stands, with the rows of cells at which they begin.
  private func visibleRows() -> [Start] {
    guard let top = place.top else { return [] }
    var starts: [Start] = []
    var (index, y) = (top.index, -place.offset)
    while y < height, index < count {
      starts.append((index, y, height(of: index)))
      y += starts[starts.count - 1].height
      index += 1
    }
    return starts
  }

  // MARK: Place

  /// The place as it can be: rows that are gone replaced by their neighbours, the selected row in
  /// view when it is a new one, and no empty room below the last.
  private func settled(_ place: ListPlace<ID>) -> ListPlace<ID> {
    var state = place
    let anchor = context.readingToDraw {
      list.data.selection(state.selected, decidedBy: list.selection)
    }
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
    let last = count - 1
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
    let top = read { list.data.offset(of: place.top) } ?? min(count - 1, before)
    guard top != before, let next = place.next, let below = read({ list.data.offset(of: next) })
    else {
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
    for row in top..<count {
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
  private var page: Int { max(1, starts.count - 1) }

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
    context.declare(action: .down) { [self] in select(selected + 1) }
    context.declare(action: .up) { [self] in select(selected - 1) }
    context.declare(action: .pageDown, also: .readOn) { [self] in
      select(selected + page)
    }
    context.declare(action: .pageUp) { [self] in
      select(selected - page)
    }
    context.declare(action: .first) { [self] in select(0) }
    context.declare(action: .last) { [self] in
      select(list.data.count - 1)
    }
  }

  private func pointed(_ event: MouseEvent) -> Bool {
    switch event.kind {
    case .press:
      let y = event.location.y
      // Below the last row of a short list there is none.
      guard let row = starts.last(where: { $0.y <= y }), y < row.y + row.height
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
