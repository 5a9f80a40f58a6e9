/// What a view has become, ready to be measured and drawn.
///
/// It lives until its element is made again.
@MainActor
class Node {
  final var context: ViewContext
  // A container asks more than once: each proposal is answered once, so that nested containers
  // cost no more than their depth. Most are asked twice: what goes beyond that is kept elsewhere.
  private typealias Answer = (proposal: ProposedSize, size: Size)
  private var firstAnswer: Answer?
  private var lastAnswer: Answer?
  private var otherAnswers: [Answer] = []
  // They hold as long as nothing inside has other sizes.
  private var version = 0

  init(_ context: ViewContext) { self.context = context }

  final var environment: EnvironmentValues { context.environment }
  final var frame: FrameBuilder { context.frame }

  /// The size it takes of what is proposed.
  final func size(_ proposal: ProposedSize) -> Size {
    if version != context.owner.sizesVersion {
      version = context.owner.sizesVersion
      (firstAnswer, lastAnswer, otherAnswers) = (nil, nil, [])
    }
    if let firstAnswer, firstAnswer.proposal == proposal { return firstAnswer.size }
    if let lastAnswer, lastAnswer.proposal == proposal { return lastAnswer.size }
    for answer in otherAnswers where answer.proposal == proposal { return answer.size }
    let size = measure(proposal)
    if firstAnswer == nil {
      firstAnswer = (proposal, size)
    } else {
      if let lastAnswer { otherAnswers.append(lastAnswer) }
      lastAnswer = (proposal, size)
    }
    return size
  }

  /// What it was asked for.
  final var askedProposals: [ProposedSize] {
    ([firstAnswer, lastAnswer].compactMap(\.self) + otherAnswers).map(\.proposal)
  }

  /// What ``size(_:)`` answers; for overriding.
  func measure(_ proposal: ProposedSize) -> Size { .zero }

  /// Draws itself into a region of a size that it said.
  func draw(in region: Region) {}

  /// The parts of its region, in which it was drawn before, that it may draw otherwise now.
  func damage(in region: Region) -> [Rect] { [region.clip] }

  /// What it is when it is made known to those around it, which may be a node inside.
  var base: Node { self }

  /// Whether those around it go by what kind of node it is.
  var isStructural: Bool { false }

  /// Whether it takes all the room there is.
  func expands(_ axis: Axis) -> Bool { false }

  /// Whether it is a flexible gap, which takes room in the direction of its stack only.
  var isSpacer: Bool { false }

  /// How long it is at least, where it is a gap.
  var leastGap: Int { 0 }

  /// Those of a higher one have what they would like before the others of their stack get any.
  var layoutPriority: Double { 0 }
}

/// A node that takes all the room it is offered, and one cell where it is asked what it would like.
@MainActor
class RoomNode: Node {
  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: proposal.width ?? 1, height: proposal.height ?? 1)
  }
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
  override var leastGap: Int { content.leastGap }
  override var layoutPriority: Double { content.layoutPriority }
}

/// A view that puts a node around each of the views that it modifies.
struct Modified<Content: View>: BodilessView {
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

  func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    let start = nodes.nodes.count
    if let role {
      content._resolve(in: context.child(.role(role)), to: &nodes)
    } else {
      content._resolve(in: context, to: &nodes)
    }
    for index in start..<nodes.nodes.count {
      nodes.nodes[index] = wrap(context, nodes.nodes[index])
    }
  }
}
