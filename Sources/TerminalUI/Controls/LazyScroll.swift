/// A window on a lazy stack: it knows the rows that it shows, and what they belong to.
final class LazyScrollNode: Node {
  typealias Place = ListPlace<AnyHashable>

  private let stack: LazyStackNode
  private let place: PlaceBox<Place>

  init(_ context: ViewContext, stack: LazyStackNode, place: PlaceBox<Place>) {
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
    let anchor = place.value.top
    let first = stack.rows.offset(of: anchor) ?? min(stack.rows.count - 1, anchor?.index ?? 0)
    let (top, offset) = filled(first, place.value.offset, width: width, height: height)
    var (index, y) = (top, -offset)
    while y < height, index < stack.rows.count {
      let node = stack.node(at: index)
      let size = node.size(ProposedSize(width: width))
      node.draw(
        in: region.part(
          Rect(
            x: region.rect.minX + stack.alignment.offset(size.width, in: width),
            y: region.rect.minY + y, width: size.width, height: size.height)))
      y += stack.height(of: index, width: width)
      index += 1
    }
    stack.keep(top..<index)
    let state = at(top, offset)
    frame.declare(.afterPresenting { [place] in place.settle(state) })
    declareInput(in: region, top, offset)
  }

  private func at(_ top: Int, _ offset: Int) -> Place {
    Place(top: .init(id: stack.rows[top].id, index: top), offset: offset)
  }

  /// A place moved so that it begins within its row, and no room is left empty below the last.
  private func filled(_ top: Int, _ offset: Int, width: Int, height: Int) -> (Int, Int) {
    func rowHeight(_ index: Int) -> Int { stack.height(of: index, width: width) }
    var (top, offset) = (top, offset)
    while offset < 0, top > 0 {
      top -= 1
      offset += rowHeight(top)
    }
    offset = max(0, offset)
    while top < stack.rows.count - 1, offset >= rowHeight(top) {
      offset -= rowHeight(top)
      top += 1
    }
    var room = height + offset
    for index in top..<stack.rows.count where room > 0 { room -= rowHeight(index) }
    guard room > 0 else { return (top, offset) }
    // Back by what is empty below.
    offset -= room
    while offset < 0, top > 0 {
      top -= 1
      offset += rowHeight(top)
    }
    return (top, max(0, offset))
  }

  private func declareInput(in region: Region, _ top: Int, _ offset: Int) {
    let (width, height) = (region.rect.width, region.rect.height)
    let page = max(1, height - 1)
    let scroll: @MainActor (Int, Int) -> Void = { [self] top, offset in
      let (top, offset) = filled(top, offset, width: width, height: height)
      place.move(to: at(top, offset), of: self)
    }
    context.declare(action: .down) { scroll(top, offset + 1) }
    context.declare(action: .up) { scroll(top, offset - 1) }
    context.declare(action: .pageDown, also: .readOn, footer: .first) {
      scroll(top, offset + page)
    }
    context.declare(action: .pageUp) { scroll(top, offset - page) }
    context.declare(action: .first, label: "top") { scroll(0, 0) }
    context.declare(action: .last, label: "end") { [stack] in scroll(stack.rows.count - 1, 0) }
    context.declarePointerRegion(region) { event in
      switch event.kind {
      case .wheelDown: scroll(top, offset + 3)
      case .wheelUp: scroll(top, offset - 3)
      default: return false
      }
      return true
    }
  }
}
