/// The nodes of a tree that the next one can have as they are, by place.
///
/// They belong to the tree, and with it to its frame: whoever hosts the views keeps none of them.
@MainActor
final class KeptNodes {
  private var drawn: [ViewPath: Node] = [:]
  private var before: [ViewPath: Node]

  /// Those of a new tree, which has what was drawn of the one before.
  init(after other: KeptNodes?) { before = other?.drawn ?? [:] }

  /// What was drawn at a place, in this frame or in the one before.
  func node(at path: ViewPath) -> Node? { drawn[path] ?? before[path] }

  /// Takes note that a node is drawn that the next frame may draw again.
  func note(_ node: Node) { drawn[node.context.path] = node }

  /// What the new tree has not drawn is not needed any more.
  func forgetBefore() { before = [:] }
}
