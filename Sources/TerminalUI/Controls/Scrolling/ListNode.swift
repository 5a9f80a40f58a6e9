/// The node of a ``List``.
///
/// Each row is an element of its own. The list itself draws only section titles, the mark of the
/// selected row and the scroll bar, so that moving the selection damages only two rows.
final class ListNode: RowScrollNode {
  /// Reads the element of a row; its view is made later, which tracks its own reads.
  private let content: (Int) -> (ViewContext) -> Element
  private let sectionTitle: ((Int) -> String)?
  private let submitLabel: String
  private let submit: (@MainActor (Int) -> Void)?
  private let onVisibleRows: (@MainActor (Range<Int>) -> Void)?
  private let boxes: ListBoxes
  /// The titles above the visible rows; empty for a list without titles.
  private var titles: [String?] = []
  private var visible: (rows: VisibleRows, entry: LifecycleEntry)?
  // The inputs of the layout, which is computed again only when one of them changes. The position
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
    onVisibleRows = list.onVisibleRows
    self.boxes = boxes
    super.init(
      context, rows: ListRows(data, selection: list.selection), elements: ElementRows(context),
      box: boxes.place, isAnchored: list.isAnchored)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    // Without a height limit the list makes and measures every row.
    let width = proposal.width ?? 40
    return Size(width: width, height: proposal.height ?? wholeHeight(width))
  }

  private func wholeHeight(_ width: Int) -> Int {
    elements.noteAllMeasured()
    return (0..<wholeCount).reduce(0) { $0 + height(of: $1, width: width) }
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
    let (shown, tell) = (first.row..<(last.row + 1), environment.isInert ? nil : onVisibleRows)
    finishDrawing(shown, in: region) { tell?(0..<0) }
    if region.hasAppeared { declareVisible(shown) }
    if let submit {
      context.declare(.enter, label: submitLabel, footer: .first) { [self] in
        submit(self.selected)
      }
    }
    context.declareScrollKeys { [self] in select($0) }
  }

  /// Finds out which rows are shown where.
  private func settle(in region: Region) {
    // Read all at once, because tracking the reads takes longer than the reads.
    let found: (count: Int, selected: Anchor?, isSame: Bool) = context.readingToDraw {
      let count = rows.count
      guard count > 0, region.rect.height > 0 else { return (count, nil, false) }
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
      layOut(in: region.rect.size, showing: selected)
      if sectionTitle != nil { titles = context.readingToDraw { titlesAbove(lines) } }
    }
    self.origin = origin
  }

  /// Whether a row that the scroll position refers to is still at its index.
  private func isInPlace(_ anchor: Anchor?) -> Bool {
    anchor.map { rows.id($0.index) == $0.id } ?? true
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

  override func move(to place: ListPlace) {
    origin = nil
    super.move(to: place)
  }

  // MARK: Rows

  private func row(at index: Int) -> Element {
    if let row = elements.row(at: index) { return row }
    let (id, make) = read { (rows.id(index), content(index)) }
    return elements.insert(id, at: index) { make(context.child(.id(id, ordinal: $0))) }
  }

  override func height(of index: Int, width: Int) -> Int {
    elements.noteMeasured(index)
    return max(1, row(at: index).size(ProposedSize(width: width)).height)
      + (title(above: index) == nil ? 0 : 1)
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

  // MARK: Input

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
}

/// The visible rows of a list, and the number of all rows.
private struct VisibleRows: Equatable {
  let rows: Range<Int>
  let count: Int
  // Of other data, the same rows are a change.
  let first: ItemID
  let last: ItemID
}
