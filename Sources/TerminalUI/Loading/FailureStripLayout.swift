/// Places the strip of a failure so that nothing above it moves.
///
/// The strip gets a row of its own: the last one of content that expands vertically, otherwise one
/// below the content. If there is no room for that row, the strip covers the last row of the content.
/// At content of a single row it goes to the right.
///
/// The identity of the content is the same with and without the strip.
struct FailureStripLayout: PrimitiveView {
  let content: IndicatedView
  let strip: FailureStrip?

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content))
    guard let strip else { return content.makeNodes(inner) }
    let place = context.child(.role(.indicator))
    var short = strip
    short.saysPause = false
    return [
      StripNode(
        context, inner.node(content), strip: place.child(.branch(true)).node(strip),
        short: place.child(.role(.copy)).node(short),
        mark: place.child(.branch(false)).node(FailureMark(canRetry: strip.canRetry)))
    ]
  }
}

private final class StripNode: WrapperNode {
  private let strip: Node
  /// The strip without the pause, where the reason needs all the room.
  private let short: Node
  /// A mark that replaces the strip in narrow content.
  private let mark: Node
  private let beside: BesideNode

  /// The minimum width in which the strip can show a part of the reason.
  private static var leastWidth: Int { 14 }
  /// The minimum width in which the reason leaves room for the pause.
  private static var widthForPause: Int { 40 }

  init(_ context: ViewContext, _ content: Node, strip: Node, short: Node, mark: Node) {
    self.strip = strip
    self.short = short
    self.mark = mark
    beside = BesideNode(
      context, content, beside: strip, edge: .trailing, alignment: .center, spacing: 1)
    super.init(context, content)
  }

  private enum Placement {
    case below, beside, ownRow, lastRow
  }

  private func placement(_ proposal: ProposedSize) -> Placement {
    if content.expands(.vertical) { return .below }
    let height = content.size(proposal).height
    guard height > 1 else { return .beside }
    return proposal.height.map { $0 > height } ?? true ? .ownRow : .lastRow
  }

  /// The proposal for the content when the strip has the last row.
  private func shortened(_ proposal: ProposedSize) -> ProposedSize {
    ProposedSize(width: proposal.width, height: proposal.height.map { max(0, $0 - 1) })
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    switch placement(proposal) {
    case .ownRow:
      let size = content.size(proposal)
      return Size(width: size.width, height: size.height + 1)
    case .lastRow: return content.size(proposal)
    case .beside: return beside.size(proposal)
    case .below:
      let size = content.size(shortened(proposal))
      let width = strip.size(ProposedSize(width: proposal.width, height: 1)).width
      return Size(width: max(size.width, width), height: size.height + 1)
    }
  }

  override func draw(in region: Region) {
    let rect = region.rect
    let proposal = ProposedSize(rect.size)
    let placement = placement(proposal)
    if placement == .beside { return beside.draw(in: region) }
    let size = content.size(placement == .below ? shortened(proposal) : proposal)
    content.draw(in: region.part(Rect(origin: rect.origin, size: size)))
    let last = placement == .lastRow ? size.height - 1 : size.height
    let row = region.part(
      Rect(x: rect.minX, y: rect.minY + last, width: rect.width, height: 1))
    // The words of the covered row must not show between those of the strip.
    row.fill(environment.style)
    switch rect.width {
    case ..<Self.leastWidth: mark.draw(in: row)
    case ..<Self.widthForPause: short.draw(in: row)
    default: strip.draw(in: row)
    }
  }
}
