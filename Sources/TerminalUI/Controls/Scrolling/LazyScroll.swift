/// A scrolling window on a lazy stack; only the rows that it shows are made.
final class LazyScrollNode: Node {
  private let stack: LazyStackNode
  private let place: PlaceBox<ListPlace>

  init(_ context: ViewContext, stack: LazyStackNode, place: PlaceBox<ListPlace>) {
    self.stack = stack
    self.place = place
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    guard let width = proposal.width, let height = proposal.height else {
      return stack.size(proposal)
    }
    return Size(width: width, height: height)
  }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    let (width, height) = (region.rect.width, region.rect.height)
    guard stack.rows.count > 0, width > 0, height > 0 else { return }
    stack.elements.beginMeasuring()
    var room = width
    var window = window(room, height)
    var (position, lines) = (RowWindow.Position(), [RowWindow.Line]())
    // If there are more rows than lines, some do not fit at any width.
    var hasBar = environment.hasScrollBars && window.count > height
    if !hasBar {
      (position, lines) = window.settled(wanted(in: window))
      hasBar = environment.hasScrollBars && !window.isEverything(lines)
    }
    if hasBar {
      room = max(1, width - ScrollBar.width)
      window = self.window(room, height)
      (position, lines) = window.settled(wanted(in: window))
    }
    let bar = hasBar ? window.bar(beside: lines) : nil
    let go: @MainActor (ScrollStep) -> Void = { [self] step in
      let wanted = window.position(after: step, from: position, showing: lines)
      place.move(to: stack.place(at: wanted), of: self)
    }
    context.declareScrollRegion(region, bar: bar, in: place, go: go)
    for line in lines {
      let node = stack.node(at: line.row)
      let size = node.size(ProposedSize(width: room))
      node.draw(
        in: region.part(
          Rect(
            x: region.rect.minX + stack.alignment.offset(size.width, in: room),
            y: region.rect.minY + line.y, width: size.width, height: size.height)))
    }
    guard let first = lines.first, let last = lines.last else { return }
    stack.elements.keep(first.row..<(last.row + 1), of: stack.context)
    stack.declareRows()
    place.draw(bar, in: region, of: self)
    frame.declare(.afterPresenting { [place, stack] in place.settle(stack.place(at: position)) })
    context.declareScrollKeys(isText: true, footer: bar == nil ? .never : .first, go: go)
  }

  private func window(_ width: Int, _ height: Int) -> RowWindow {
    RowWindow(count: stack.rows.count, height: height) { [stack] in
      stack.height(of: $0, width: width)
    }
  }

  /// The row that was on top, wherever it is now; the offset is limited to its present height.
  private func wanted(in window: RowWindow) -> RowWindow.Position {
    if place.value.isAtTop { return .init() }
    let top = place.value.top
    let row = stack.rows.list.index(of: top) ?? min(window.count - 1, top?.index ?? 0)
    return .init(row: row, offset: min(place.value.offset, max(0, window.rowHeight(row) - 1)))
  }
}

extension LazyStackNode {
  fileprivate func place(at position: RowWindow.Position) -> ListPlace {
    var place = ListPlace()
    place.stand(at: position) { rows.id($0) }
    return place
  }
}
