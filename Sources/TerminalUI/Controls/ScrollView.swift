/// A window on a content that is higher than the room there is.
///
/// A content that says what its rows are (see `ScrollAnchoring`) stays where it was read when it
/// is laid out anew for another width.
public struct ScrollView<Content: View>: PrimitiveView {
  let content: Content

  /// A window on `content`.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let node = context.child(.role(.content)).node(content)
    if let stack = node as? LazyStackNode {
      let place = context.frame.store.box(at: context.path) { StateBox(LazyScrollNode.Place()) }
      return [LazyScrollNode(context, stack: stack, place: place)]
    }
    let place = context.frame.store.box(at: context.path) { PlaceBox(ScrollPlace()) }
    return [ScrollNode(context, node, place: place)]
  }
}

struct ScrollPlace: Equatable {
  /// Rows that are scrolled away.
  var offset = 0
  /// What the first row on the screen belongs to, and how many rows into it that is.
  var anchor: AnyHashable?
  var rowsIntoAnchor = 0
}

/// A content whose rows belong to things with an identity.
@MainActor
protocol ScrollAnchoring {
  /// The thing that row `row` belongs to, and its first row.
  func anchor(atRow row: Int, width: Int) -> (id: AnyHashable, firstRow: Int)?
  /// The first row of a thing.
  func firstRow(of id: AnyHashable, width: Int) -> Int?
}

private final class ScrollNode: WrapperNode {
  private let place: PlaceBox<ScrollPlace>

  init(_ context: ViewContext, _ content: Node, place: PlaceBox<ScrollPlace>) {
    self.place = place
    super.init(context, content)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  // The bar has a column of its own and a gap, shown or not: nothing is laid out twice to find out.
  private static let barWidth = 2

  private func contentWidth(_ width: Int) -> Int { max(1, width - Self.barWidth) }

  override func measure(_ proposal: ProposedSize) -> Size {
    let inner = content.size(ProposedSize(width: proposal.width.map(contentWidth)))
    return Size(
      width: proposal.width ?? inner.width + Self.barWidth,
      height: proposal.height ?? inner.height)
  }

  override func draw(in region: Region) {
    context.declareFocusable(region)
    let (width, height) = (contentWidth(region.rect.width), region.rect.height)
    let total = content.size(ProposedSize(width: width)).height
    let limit = max(0, total - height)
    var state = place.value
    let anchoring = content as? any ScrollAnchoring
    if let anchor = state.anchor, let row = anchoring?.firstRow(of: anchor, width: width) {
      state.offset = row + state.rowsIntoAnchor
    }
    state = at(state.offset, limit: limit, width: width)
    content.draw(
      in: region.part(
        Rect(
          x: region.rect.minX, y: region.rect.minY - state.offset, width: width, height: total)))
    frame.afterPresenting.append { [place] in place.settle(state) }
    if hasScrollBar(limit: limit) { drawScrollBar(region, offset: state.offset, total: total) }
    declareInput(in: region, offset: state.offset, limit: limit)
  }

  private func at(_ offset: Int, limit: Int, width: Int) -> ScrollPlace {
    let offset = max(0, min(limit, offset))
    let anchor = (content as? any ScrollAnchoring)?.anchor(atRow: offset, width: width)
    return ScrollPlace(
      offset: offset, anchor: anchor?.id, rowsIntoAnchor: offset - (anchor?.firstRow ?? offset))
  }

  private func hasScrollBar(limit: Int) -> Bool {
    limit > 0 && !environment.isPlain && !environment.isInert
  }

  private func drawScrollBar(_ region: Region, offset: Int, total: Int) {
    let height = region.rect.height
    let length = max(1, height * height / total)
    let start = (height - length) * offset / max(1, total - height)
    var style = environment.style
    style.foreground = environment.theme.separator
    for y in start..<(start + length) {
      region.write("▐", x: region.rect.width - 1, y: y, style: style)
    }
  }

  private func declareInput(in region: Region, offset: Int, limit: Int) {
    let (width, page) = (contentWidth(region.rect.width), max(1, region.rect.height - 1))
    func scroll(to offset: Int) {
      place.move(to: at(offset, limit: limit, width: width), in: frame)
    }
    context.declare("j", .down, label: "down") { scroll(to: offset + 1) }
    context.declare("k", .up, label: "up") { scroll(to: offset - 1) }
    context.declare(.pageDown, .space, .control("d"), label: "page down", inFooter: true) {
      scroll(to: offset + page)
    }
    context.declare(.pageUp, .control("u"), label: "page up") { scroll(to: offset - page) }
    context.declare("g", .home, label: "top") { scroll(to: 0) }
    context.declare("G", .end, label: "end") { scroll(to: limit) }
    context.declarePointerRegion(region) { event in
      switch event.kind {
      case .wheelDown: scroll(to: offset + 3)
      case .wheelUp: scroll(to: offset - 3)
      default: return false
      }
      return true
    }
  }
}
