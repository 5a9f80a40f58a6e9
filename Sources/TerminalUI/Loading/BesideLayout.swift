/// Places an indicator to the left or right of content.
///
/// The indicator gets at most half of the width, or more if the content does not need the rest.
struct BesideLayout<Content: View, Indicator: View>: PrimitiveView {
  let content: Content
  /// If nil, the content takes all the room and keeps its identity.
  let indicator: Indicator?
  let edge: LoadingViewStyle.HorizontalEdge
  let alignment: VerticalAlignment
  let spacing: Int

  func makeNodes(_ context: ViewContext) -> [Node] {
    let beside = indicator.map { context.child(.role(.indicator)).node($0) }
    return [
      BesideNode(
        context, context.child(.role(.content)).node(content), beside: beside, edge: edge,
        alignment: alignment, spacing: beside == nil ? 0 : spacing)
    ]
  }
}

/// Measures and draws content and indicator side by side.
final class BesideNode: WrapperNode {
  private let beside: Node?
  private let edge: LoadingViewStyle.HorizontalEdge
  private let alignment: VerticalAlignment
  private let spacing: Int

  init(
    _ context: ViewContext, _ content: Node, beside: Node?,
    edge: LoadingViewStyle.HorizontalEdge, alignment: VerticalAlignment, spacing: Int
  ) {
    self.beside = beside
    self.edge = edge
    self.alignment = alignment
    self.spacing = spacing
    super.init(context, content)
  }

  private func sizes(_ proposal: ProposedSize) -> (content: Size, beside: Size) {
    let room = proposal.width.map { width in
      // The indicator gets the room that the content does not need.
      let wanted =
        self.content.expands(.horizontal) ? width : self.content.size(ProposedSize()).width
      return max(1, width / 2, width - wanted - spacing)
    }
    let beside = beside?.size(ProposedSize(width: room, height: proposal.height)) ?? .zero
    let content = content.size(proposal.inset(horizontal: beside.width + spacing, vertical: 0))
    return (content, beside)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let (content, beside) = sizes(proposal)
    return Size(
      width: content.width + spacing + beside.width, height: max(content.height, beside.height))
  }

  override func draw(in region: Region) {
    let (inner, outer) = sizes(ProposedSize(region.rect.size))
    let first = edge == .leading ? outer.width : inner.width
    func part(_ size: Size, isFirst: Bool) -> Region {
      region.part(
        Rect(
          x: region.rect.minX + (isFirst ? 0 : first + spacing),
          y: region.rect.minY + alignment.offset(size.height, in: region.rect.height),
          width: size.width, height: size.height))
    }
    content.draw(in: part(inner, isFirst: edge == .trailing))
    beside?.draw(in: part(outer, isFirst: edge == .leading))
  }
}
