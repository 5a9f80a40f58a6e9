/// The node of a ``List``.
///
/// Each row is an element of its own. The list itself draws only section titles, the mark of the
/// selected row and the scroll bar, so that moving the selection damages only two rows.
final class ListNode: Node, RowNode {
  private typealias Anchor = ListPlace.Anchor

  private let rows: ListRows
  /// Reads the element of a row; its view is made later, which tracks its own reads.
  private let content: (Int) -> (ViewContext) -> Element
  private let sectionTitle: ((Int) -> String)?
  private let submitLabel: String
  private let submit: (@MainActor (Int) -> Void)?
  private let isAnchored: Bool
  private let onVisibleRows: (@MainActor (Range<Int>) -> Void)?
  private let boxes: ListBoxes
  private var box: PlaceBox<ListPlace> { boxes.place }
  var elements = ElementRows()
  private var count = 0
  private var width = 0
  private var height = 0
  // The state that the keys work with: the scroll position and the visible lines.
  private var place = ListPlace()
  private var lines: [RowWindow.Line] = []
  /// The titles above the visible rows; empty for a list without titles.
  private var titles: [String?] = []
  private var bar: ScrollBar?
  private var visible: (rows: VisibleRows, entry: LifecycleEntry)?
  // The inputs of that state, which is computed again only when one of them changes. The position
  // in the box is none of them, because only this node moves it.
  private var origin: Origin?

  private struct Origin: Equatable {
    let selected: Anchor
    let count: Int
    let size: Size
    let sizesVersion: Int
  }

  init<Data, Row>(_ context: ViewContext, list: List<Data, Row>, boxes: ListBoxes) {
    let (data, row) = (list.data, list.row)
    rows = ListRows(data, selection: list.selection)
    content = { index in
      let element = data.element(index)
      return { $0.hosted { row(element) } }
    }
    sectionTitle = list.sectionTitle.map { title in { title(data.element($0)) } }
    submitLabel = list.submitLabel
    if let submit = list.onSubmit {
      self.submit = { submit(data.element($0)) }
    } else {
      submit = nil
    }
    isAnchored = list.isAnchored
    onVisibleRows = list.onVisibleRows
    self.boxes = boxes
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    // Without a height limit the list makes and measures every row.
    width = proposal.width ?? 40
    return Size(width: width, height: proposal.height ?? wholeHeight)
  }

  private var wholeHeight: Int {
    elements.noteAllMeasured()
    return (0..<wholeCount).reduce(0) { $0 + height(of: $1) }
  }
  // Read once: if the count changes, a new node is made.
  private lazy var wholeCount = context.reading { rows.count }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    if submit == nil, let submit = environment.submit { context.declare(submit) }
    settle(in: region)
    context.declareScrollRegion(region, bar: bar, in: box) { [self] in
      scroll($0)
    } press: { [self] in
      press($0.y)
    }
    boxes.marks = marks(in: region)
    let selected = place.selected?.index
    for line in lines {
      if let title = title(above: line.row) { draw(title, at: line, in: region) }
      let part = part(line, in: region)
      row(at: line.row).draw(in: part)
      if line.row == selected { drawMark(part, hasFocus: context.hasFocus) }
    }
    guard let first = lines.first, let last = lines.last else { return }
    elements.keep(first.row..<(last.row + 1), of: context)
    let tell = environment.isInert ? nil : onVisibleRows
    declareRows { tell?(0..<0) }
    if region.hasAppeared { declareVisible(first.row..<(last.row + 1)) }
    box.draw(bar, in: region, of: self)
    frame.declare(.afterPresenting { [self] in box.settle(place) })
    declareSelection(place, of: rows)
    if let submit {
      context.declare(.enter, label: submitLabel, footer: .first) { [self] in
        submit(self.selected)
      }
    }
    context.declareScrollKeys { [self] in select($0) }
  }

  /// Finds out which rows are shown where: beside a scroll bar, unless all of them fit.
  private func settle(in region: Region) {
    (width, height) = (region.rect.width, region.rect.height)
    // Read all at once, because tracking the reads takes longer than the reads.
    let found: (count: Int, selected: Anchor?, isSame: Bool) = context.readingToDraw {
      let count = rows.count
      guard count > 0, height > 0 else { return (count, nil, false) }
      let selected = rows.selected(in: box.value)
      let areInPlace =
        rows.isArray || count == self.origin?.count && isInPlace(place.top) && isInPlace(place.next)
      return (count, selected, areInPlace && count == self.count && titles == titlesAbove(lines))
    }
    count = found.count
    guard let selected = found.selected else {
      (bar, lines, origin) = (nil, [], nil)
      return
    }
    let origin = Origin(
      selected: selected, count: count, size: region.rect.size,
      sizesVersion: context.owner.sizesVersion)
    if origin != self.origin || !found.isSame || !elements.areMeasured {
      settle(selected)
      if sectionTitle != nil { titles = context.readingToDraw { titlesAbove(lines) } }
    }
    self.origin = origin
    if bar != nil { width = Self.width(beside: width) }
  }

  /// Whether a row that the scroll position refers to is still at its index.
  private func isInPlace(_ anchor: Anchor?) -> Bool {
    anchor.map { rows.id($0.index) == $0.id } ?? true
  }

  private func settle(_ selected: Anchor) {
    bar = nil
    elements.beginMeasuring()
    // If there are more rows than lines, some do not fit at any width.
    if !environment.hasScrollBars || count <= height {
      stand(showing: selected)
      if !environment.hasScrollBars || window.isEverything(lines) { return }
    }
    let whole = width
    width = Self.width(beside: whole)
    stand(showing: selected)
    bar = window.bar(beside: lines)
    width = whole
  }

  /// The width of rows beside a scroll bar.
  private static func width(beside width: Int) -> Int { max(1, width - ScrollBar.width) }

  private var window: RowWindow {
    RowWindow(count: count, height: height) { [unowned self] in height(of: $0) }
  }

  /// Reads the data, which may come from a model, so that a change draws the list again.
  ///
  /// `body` must make no row: a row tracks its own reads.
  private func read<Answer>(_ body: () -> Answer) -> Answer {
    rows.isArray ? body() : context.readingToDraw(body)
  }

  /// The region of a row, without the title above it.
  private func part(_ line: RowWindow.Line, in region: Region) -> Region {
    let titleHeight = title(above: line.row) == nil ? 0 : 1
    return region.part(
      Rect(
        x: region.rect.minX, y: region.rect.minY + line.y + titleHeight, width: width,
        height: line.height - titleHeight))
  }

  // MARK: Sections

  /// The title of the section that begins with this row; nil if the row begins none.
  private func title(above index: Int) -> String? {
    guard let sectionTitle, environment.redactionReasons.isEmpty else { return nil }
    return read {
      let title = sectionTitle(index)
      return index > 0 && sectionTitle(index - 1) == title ? nil : title
    }
  }

  private func titlesAbove(_ lines: [RowWindow.Line]) -> [String?] {
    sectionTitle == nil ? [] : lines.map { title(above: $0.row) }
  }

  private func draw(_ title: String, at line: RowWindow.Line, in region: Region) {
    let part = region.part(
      Rect(x: region.rect.minX, y: region.rect.minY + line.y, width: width, height: 1))
    var style = environment.style
    style.foreground = environment.theme.secondary
    style.attributes.insert(.bold)
    let text = StyledText(title, style: style).truncated(width: width)
    part.write(text, at: part.rect.origin)
  }

  /// Marks the selected row: with the selection colour or reversed while the list has the focus,
  /// otherwise with bold text in the accent colour.
  ///
  /// Bold alone would not stand out among bold rows.
  private func drawMark(_ region: Region, hasFocus: Bool) {
    guard !environment.isInert else { return }
    if hasFocus {
      // Only the first line of a tall row: highlighting all of it would be too heavy.
      let line = Rect(
        x: region.clip.minX, y: region.clip.minY, width: region.clip.width,
        height: min(1, region.clip.height))
      region.part(line).highlight(environment.theme)
      if environment.isPlain { frame.declareCursor(region.clip.origin) }
    } else {
      let accent = environment.theme.accent
      region.restyle { @Sendable style in
        style.attributes.insert(.bold)
        if style.foreground == .default { style.foreground = accent }
      }
    }
  }

  /// Everything if other rows are visible than before; otherwise only the old and the new mark of
  /// the selected row.
  ///
  /// The rows report their own changes.
  override func damage(in region: Region) -> [Rect] {
    settle(in: region)
    let (before, now) = (boxes.marks, marks(in: region))
    if before == now { return [] }
    let areRowsInPlace =
      before.lines == now.lines && before.titles == now.titles && before.style == now.style
      && before.theme == now.theme
    return areRowsInPlace ? [before.selected, now.selected].compactMap(\.self) : [region.clip]
  }

  private func marks(in region: Region) -> ListMarks {
    let index = place.selected?.index
    let selected = lines.first { $0.row == index }
    return ListMarks(
      lines: lines, titles: titles, style: environment.style, theme: environment.theme,
      selected: selected.map { part($0, in: region).clip },
      hasFocus: selected != nil && context.hasFocus)
  }

  private func move(to place: ListPlace) {
    self.place = place
    origin = nil
    box.move(to: place, of: self)
  }

  // MARK: Rows

  private func id(_ index: Int) -> ItemID { read { rows.id(index) } }

  private func row(at index: Int) -> Element {
    if let row = elements.row(at: index) { return row }
    let (id, make) = read { (rows.id(index), content(index)) }
    return elements.insert(id, at: index) { make(context.child(.id(id, ordinal: $0))) }
  }

  private func height(of index: Int) -> Int {
    elements.noteMeasured(index)
    return max(1, row(at: index).size(ProposedSize(width: width)).height)
      + (title(above: index) == nil ? 0 : 1)
  }

  // MARK: Position

  /// Computes the scroll position and the visible lines: replaces a removed row with its neighbour,
  /// scrolls a new selection into view, and leaves no empty room below the last row.
  private func stand(showing selected: Anchor) {
    var place = box.value
    let isWanted = isChosen(selected, after: place) || place.showsSelected
    read { place.select(selected.index, of: rows) }
    place.revealed = selected.id
    let top = top(of: place)
    // If the top row has become shorter, keeps at least one line of it visible.
    let offset = place.offset == 0 ? 0 : min(place.offset, height(of: top) - 1)
    let wanted = RowWindow.Position(row: top, offset: offset)
    let window = window
    let position: RowWindow.Position
    (position, lines) = window.settled(wanted, revealing: isWanted ? selected.index : nil)
    place.stand(at: position) { id($0) }
    let next = position.row + 1
    place.next = next < count ? Anchor(id: id(next), index: next) : nil
    place.showsSelected = window.isWhole(selected.index, in: lines)
    self.place = place
  }

  /// Whether the user or the binding has selected another row than the one in `place`.
  ///
  /// A row that takes the place of a removed one was not. If the user has scrolled away from it,
  /// they go on looking at the rows that they see, as long as those are there.
  private func isChosen(_ selected: Anchor, after place: ListPlace) -> Bool {
    guard place.revealed != selected.id else { return false }
    guard let before = place.selected, before.id == place.revealed else { return true }
    return read {
      if let chosen = rows.selection?.wrappedValue, chosen != before.id { return true }
      return rows.index(of: place.top) == nil
    }
  }

  private func declareVisible(_ shown: Range<Int>) {
    guard !environment.isInert, let onVisibleRows else { return }
    let rows = VisibleRows(
      rows: shown, count: count, first: id(shown.lowerBound), last: id(shown.upperBound - 1))
    if visible?.rows != rows {
      let entry = LifecycleEntry(
        path: context.path,
        kind: .change(
          value: rows, isEqual: { $0 as? VisibleRows == rows }, initial: true,
          action: { _ in onVisibleRows(shown) }))
      visible = (rows, entry)
    }
    if let visible { frame.declare(.lifecycle(visible.entry)) }
  }

  /// The row to show on top: the row that was there, wherever it is now.
  ///
  /// If that row alone moved (because it was sorted elsewhere), the rows below it stay where they
  /// are instead, and new rows above them are not scrolled away.
  private func top(of place: ListPlace) -> Int {
    if place.isAtTop, !isAnchored { return 0 }
    let before = place.top?.index ?? 0
    let top = read { rows.index(of: place.top) } ?? min(count - 1, before)
    guard top != before, let next = place.next, let below = read({ rows.index(of: next) })
    else {
      return top
    }
    let wentAlone = below < top || abs(below - next.index) < abs(top - before)
    return wentAlone ? max(0, below - 1) : top
  }

  // MARK: Input

  private var selected: Int { place.selected?.index ?? 0 }

  private func select(_ step: ScrollStep) {
    switch step {
    case .lines(let rows): select(selected + rows)
    case .pages(let pages): select(selected + pages * max(1, lines.count - 1))
    case .start: select(0)
    case .end: select(rows.count - 1)
    case .item(let row): select(row)
    }
  }

  private func select(_ index: Int) {
    var state = place
    state.select(max(0, min(rows.count - 1, index)), of: rows)
    let id = state.selected?.id
    if let binding = rows.selection, binding.wrappedValue != id { binding.wrappedValue = id }
    move(to: state)
  }

  private func press(_ y: Int) -> Bool {
    // Below the last row of a short list there is no row to press.
    guard let line = lines.first(where: { $0.y..<($0.y + $0.height) ~= y }) else { return false }
    // A click that brings the focus here opens nothing yet, whichever row was selected before.
    if line.row == selected, boxes.marks.hasFocus {
      submit?(line.row)
    } else {
      select(line.row)
    }
    return true
  }

  /// Scrolls; the selected row stays selected, even if it is no longer visible.
  private func scroll(_ step: ScrollStep) {
    count = rows.count
    guard let top = place.top, count > 0 else { return }
    let position = window.position(
      after: step, from: .init(row: min(top.index, count - 1), offset: place.offset),
      showing: lines)
    var state = place
    state.stand(at: position) { id($0) }
    state.showsSelected = false
    move(to: state)
  }
}

/// The visible rows of a list, and the number of all rows.
private struct VisibleRows: Equatable {
  let rows: Range<Int>
  let count: Int
  // Of other data, the same rows are a change.
  let first: ItemID
  let last: ItemID
}
