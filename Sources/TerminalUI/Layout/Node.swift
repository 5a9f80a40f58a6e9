/// A part of a view, ready to be measured and drawn.
///
/// A node lives until its element is made again.
@MainActor
class Node {
  final var context: ViewContext
  // The size for each proposal is cached, so that nested containers, which measure more than once,
  // cost no more than their depth. Most nodes get two proposals; further ones go to an array.
  private typealias Answer = (proposal: ProposedSize, size: Size)
  private var firstAnswer: Answer?
  private var lastAnswer: Answer?
  private var otherAnswers: [Answer] = []
  // The cached sizes are valid until a size inside changes.
  private var version = 0

  init(_ context: ViewContext) { self.context = context }

  final var environment: EnvironmentValues { context.environment }
  final var frame: FrameBuilder { context.frame }

  /// Returns the size that this node takes for a proposal.
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

  /// The proposals that this node was measured for.
  final var askedProposals: [ProposedSize] {
    ([firstAnswer, lastAnswer].compactMap(\.self) + otherAnswers).map(\.proposal)
  }

  /// Computes the result of ``size(_:)``; overridden by subclasses.
  func measure(_ proposal: ProposedSize) -> Size { .zero }

  /// Draws the node into a region of a size that it returned.
  func draw(in region: Region) {}

  /// The parts of its region, in which it was drawn before, that may look different now.
  func damage(in region: Region) -> [Rect] { [region.clip] }

  /// The node that containers inspect; a wrapper may return one inside it.
  var base: Node { self }

  /// Whether the views around it depend on what kind of node it is.
  var isStructural: Bool { false }

  /// Whether it takes all available room in a direction.
  func expands(_ axis: Axis) -> Bool { false }

  /// The node that a picker or a tab view chooses by, whatever is wrapped around it.
  var option: Node? { nil }

  /// Whether it is a spacer, which takes room only in the direction of its stack.
  var isSpacer: Bool { false }

  /// The minimum length of a spacer.
  var leastGap: Int { 0 }

  /// The priority in a stack: nodes of a higher one get the room they want before the others get
  /// any.
  var layoutPriority: Double { 0 }
}

/// A node without others inside it: unless told otherwise, it takes the room it is offered, and one
/// cell if it is measured without a proposal.
final class LeafNode: Node {
  typealias Drawing = @MainActor (_ context: ViewContext, _ region: Region) -> Void
  private let expanding: (Axis) -> Bool
  private let measuring: (ProposedSize) -> Size
  private let drawing: Drawing

  init(
    _ context: ViewContext, expands expanding: @escaping (Axis) -> Bool = { _ in false },
    size measuring: @escaping (ProposedSize) -> Size = {
      Size(width: $0.width ?? 1, height: $0.height ?? 1)
    }, drawing: @escaping Drawing
  ) {
    (self.expanding, self.measuring, self.drawing) = (expanding, measuring, drawing)
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { expanding(axis) }
  override func measure(_ proposal: ProposedSize) -> Size { measuring(proposal) }
  override func draw(in region: Region) { drawing(context, region) }
}

/// A node around another node, with the same size unless overridden.
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
  override var option: Node? { content.option }
  override var isStructural: Bool { option != nil }
  override var isSpacer: Bool { content.isSpacer }
  override var leastGap: Int { content.leastGap }
  override var layoutPriority: Double { content.layoutPriority }
}

/// A node around another node, with a drawing of its own.
final class DrawnNode: WrapperNode {
  typealias Drawing = @MainActor (_ context: ViewContext, _ content: Node, _ region: Region) -> Void
  private let drawing: Drawing

  init(_ context: ViewContext, _ content: Node, drawing: @escaping Drawing) {
    self.drawing = drawing
    super.init(context, content)
  }

  override func draw(in region: Region) { drawing(context, content, region) }
}

extension View {
  /// Gives each node of this view a drawing of its own, which draws the node too.
  func drawn(
    role: ViewPath.StaticRole? = nil, _ drawing: @escaping DrawnNode.Drawing
  ) -> Modified<Self> {
    Modified(self, role: role) { DrawnNode($0, $1, drawing: drawing) }
  }
}

/// A view that wraps each node of its content in another node.
///
/// Modifiers return it as `some View`. Where the compiler of a program sees through that, types need
/// not be put together from their names at run time, which looks for a conformance for each of them:
/// so it is usable from inline code, and what makes it says its type.
@usableFromInline
struct Modified<Content: View>: BodilessView {
  let content: Content
  let role: ViewPath.StaticRole?
  /// Whether several nodes of the content are stacked first, because what is wrapped around them
  /// can be there only once.
  let isJoined: Bool
  let wrap: @MainActor (ViewContext, Node) -> Node

  init(
    _ content: Content, role: ViewPath.StaticRole? = nil, isJoined: Bool = false,
    wrap: @escaping @MainActor (ViewContext, Node) -> Node
  ) {
    self.content = content
    self.role = role
    self.isJoined = isJoined
    self.wrap = wrap
  }

  @usableFromInline
  func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    let start = nodes.nodes.count
    if let role {
      content._resolve(in: context.child(.role(role)), to: &nodes)
    } else {
      content._resolve(in: context, to: &nodes)
    }
    if isJoined, nodes.nodes.count > start + 1 {
      nodes.nodes.replaceSubrange(start..., with: [context.stack(Array(nodes.nodes[start...]))])
    }
    for index in start..<nodes.nodes.count {
      nodes.nodes[index] = wrap(context, nodes.nodes[index])
    }
  }
}
