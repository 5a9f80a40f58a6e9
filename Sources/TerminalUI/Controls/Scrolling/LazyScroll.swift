/// A scrolling window on a lazy stack; only the rows that it shows are made.
final class LazyScrollNode: RowScrollNode {
  private let stack: LazyStackNode

  init(_ context: ViewContext, stack: LazyStackNode, box: PlaceBox<ListPlace>) {
    self.stack = stack
    let rows = stack.rows
    super.init(
      context, rows: ListRows(count: rows.count) { rows.id($0) }, elements: stack.elements,
      box: box)
    count = rows.count
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    guard let width = proposal.width, let height = proposal.height else {
      return stack.size(proposal)
    }
    return Size(width: width, height: height)
  }

  override func height(of row: Int, width: Int) -> Int { stack.height(of: row, width: width) }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    guard count > 0, !region.rect.isEmpty else { return }
    layOut(in: region.rect.size, showing: nil)
    let go: @MainActor (ScrollStep) -> Void = { [self] in scroll($0) }
    context.declareScrollRegion(region, bar: bar, in: box, go: go)
    for line in lines {
      let node = stack.node(at: line.row)
      let size = node.size(ProposedSize(width: width))
      node.draw(
        in: region.part(
          Rect(
            x: region.rect.minX + stack.alignment.offset(size.width, in: width),
            y: region.rect.minY + line.y, width: size.width, height: size.height)))
    }
    guard let first = lines.first, let last = lines.last else { return }
    finishDrawing(first.row..<(last.row + 1), in: region)
    context.declareScrollKeys(isText: true, footer: bar == nil ? .never : .first, go: go)
  }
}
