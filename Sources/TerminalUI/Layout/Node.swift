/// A view of this frame, ready to be measured and drawn.
///
/// It ends with the frame.
@MainActor
class Node {
  let context: ViewContext
  // A container asks more than once: each proposal is answered once, so that nested containers
  // cost no more than their depth.
  private var measured: [(proposal: ProposedSize, size: Size)] = []

  init(_ context: ViewContext) { self.context = context }

  final var environment: EnvironmentValues { context.environment }
  final var frame: FrameBuilder { context.frame }

  /// The size it takes of what is proposed.
  final func size(_ proposal: ProposedSize) -> Size {
    if let known = measured.first(where: { $0.proposal == proposal }) { return known.size }
    let size = measure(proposal)
    measured.append((proposal, size))
    return size
  }

  /// What ``size(_:)`` answers; for overriding.
  func measure(_ proposal: ProposedSize) -> Size { .zero }

  /// Draws itself into a region of a size that it said.
  func draw(in region: Region) {}

  /// Whether it takes all the room there is.
  func expands(_ axis: Axis) -> Bool { false }

  /// Whether it is a flexible gap, which takes room in the direction of its stack only.
  var isSpacer: Bool { false }

  /// Those of a higher one have what they would like before the others of their stack get any.
  var layoutPriority: Double { 0 }
}

/// A node around one other: as large as it, unless overridden.
@MainActor
class WrapperNode: Node {
  let content: Node

  init(_ context: ViewContext, _ content: Node) {
    self.content = content
    super.init(context)
  }

  override func measure(_ proposal: ProposedSize) -> Size { content.size(proposal) }
  override func draw(in region: Region) { content.draw(in: region) }
  override func expands(_ axis: Axis) -> Bool { content.expands(axis) }
  override var isSpacer: Bool { content.isSpacer }
  override var layoutPriority: Double { content.layoutPriority }
}

/// A view that puts a node around each of the views that it modifies.
struct Modified<Content: View>: PrimitiveView {
  let content: Content
  let role: ViewPath.StaticRole?
  let wrap: @MainActor (ViewContext, Node) -> Node

  init(
    _ content: Content, role: ViewPath.StaticRole? = nil,
    wrap: @escaping @MainActor (ViewContext, Node) -> Node
  ) {
    self.content = content
    self.role = role
    self.wrap = wrap
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = role.map { context.child(.role($0)) } ?? context
    return inner.resolve(content).map { wrap(context, $0) }
  }
}
