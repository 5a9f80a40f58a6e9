/// Places the strip of a failure so that nothing above it moves.
///
/// The strip gets a row of its own: the last one of content that expands vertically, otherwise one
/// below the content. If there is no room for that row, the strip covers the last row of the content.
/// At content of a single row it goes to the right, where a narrow row of content that expands has
/// only a mark. A reason that is wider than content that expands takes several rows of it, if enough
/// rows are left.
///
/// The identity of the content is the same with and without the strip.
struct FailureStripLayout: PrimitiveView {
  let content: IndicatedView
  let strip: FailureStrip?

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content))
    guard let strip else { return content.makeNodes(inner) }
    let place = context.child(.role(.indicator))
    var (brief, paragraph) = (strip, strip)
    (brief.form, paragraph.form) = (.brief, .paragraph)
    return [
      StripNode(
        context, inner.node(content), strip: place.child(.branch(true)).node(strip),
        brief: place.child(.role(.copy)).node(brief),
        paragraph: place.child(.role(.overlay)).node(paragraph),
        mark: place.child(.branch(false)).node(
          FailureMark(retry: strip.retry == .possible ? strip.retryAction : nil)),
        // “✗ A… r to retry” or “✗ A… Ctrl-R to retry”.
        leastWidth: strip.retryAction == .reload ? 14 : 19)
    ]
  }
}

private final class StripNode: WrapperNode {
  private let strip: Node
  /// The strip where the reason needs all the room.
  private let brief: Node
  /// The strip where the reason needs several rows.
  private let paragraph: Node
  /// A mark that replaces the strip in narrow content.
  private let mark: Node
  private let beside: BesideNode
  private let markBeside: BesideNode

  /// The minimum width in which the strip can show a part of the reason beside the key to retry.
  private let leastWidth: Int
  /// The minimum width in which the reason leaves room for the pause.
  private static var widthForPause: Int { 40 }
  /// The minimum height of content that leaves room for a paragraph.
  private static var heightForParagraph: Int { 7 }

  init(
    _ context: ViewContext, _ content: Node, strip: Node, brief: Node, paragraph: Node, mark: Node,
    leastWidth: Int
  ) {
    self.leastWidth = leastWidth
    self.strip = strip
    self.brief = brief
    self.paragraph = paragraph
    self.mark = mark
    beside = BesideNode(
      context, content, beside: strip, edge: .trailing, alignment: .center, spacing: 1)
    markBeside = BesideNode(
      context, content, beside: mark, edge: .trailing, alignment: .center, spacing: 1)
    super.init(context, content)
  }

  private enum Placement {
    case below, beside, markBeside, ownRow, lastRow
  }

  private func placement(_ proposal: ProposedSize) -> Placement {
    if content.expands(.vertical) {
      guard proposal.height == 1 else { return .below }
      return proposal.width.map { $0 / 2 < leastWidth } ?? false ? .markBeside : .beside
    }
    let height = content.size(proposal).height
    guard height > 1 else { return .beside }
    return proposal.height.map { $0 > height } ?? true ? .ownRow : .lastRow
  }

  /// The proposal for the content when the strip has its last rows.
  private func shortened(_ proposal: ProposedSize) -> ProposedSize {
    let rows = rows(proposal)
    return ProposedSize(width: proposal.width, height: proposal.height.map { max(0, $0 - rows) })
  }

  /// How many rows the strip has below content that expands.
  private func rows(_ proposal: ProposedSize) -> Int {
    guard let width = proposal.width, let height = proposal.height,
      node(width: width, height: height) === paragraph
    else { return 1 }
    return paragraph.size(ProposedSize(width: width)).height
  }

  /// Returns the form of the strip for the rows below content.
  private func node(width: Int, height: Int) -> Node {
    func fits(_ node: Node) -> Bool { node.size(ProposedSize(height: 1)).width <= width }
    if width < leastWidth { return mark }
    if width >= Self.widthForPause, fits(strip) { return strip }
    return fits(brief) || height < Self.heightForParagraph ? brief : paragraph
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    switch placement(proposal) {
    case .ownRow:
      let size = content.size(proposal)
      return Size(width: size.width, height: size.height + 1)
    case .lastRow: return content.size(proposal)
    case .beside: return beside.size(proposal)
    case .markBeside: return markBeside.size(proposal)
    case .below:
      let size = content.size(shortened(proposal))
      let width = strip.size(ProposedSize(width: proposal.width, height: 1)).width
      return Size(width: max(size.width, width), height: size.height + rows(proposal))
    }
  }

  override func draw(in region: Region) {
    let rect = region.rect
    let proposal = ProposedSize(rect.size)
    let placement = placement(proposal)
    if placement == .beside { return beside.draw(in: region) }
    if placement == .markBeside { return markBeside.draw(in: region) }
    let size = content.size(placement == .below ? shortened(proposal) : proposal)
    content.draw(in: region.part(Rect(origin: rect.origin, size: size)))
    let last = placement == .lastRow ? size.height - 1 : size.height
    let rows = placement == .below ? rows(proposal) : 1
    let strip = region.part(
      Rect(x: rect.minX, y: rect.minY + last, width: rect.width, height: rows))
    // The words of the covered row must not show between those of the strip.
    strip.fill(environment.style)
    node(width: rect.width, height: placement == .below ? rect.height : 1).draw(in: strip)
  }
}
