/// The nodes of a text's views, those that are on the screen or near it.
@MainActor
struct EmbeddedNodes {
  private var made: [Int: (node: Node, path: ViewPath, isShown: Bool)] = [:]

  /// The node of a view; one that was made while it was out of sight is rebuilt when it comes into
  /// sight, because what it waits for was not taken note of.
  mutating func node(
    at index: Int, isShown: Bool, _ context: ViewContext, _ view: () -> AnyView
  ) -> Node {
    if let known = made[index], known.isShown == isShown { return known.node }
    let place = context.child(.id(AnyHashable(index), ordinal: 0))
    let node = place.node(view())
    made[index] = (node, place.path, isShown)
    return node
  }

  /// Forgets all others, and says where those were.
  mutating func keep(_ indices: Set<Int>) -> [ViewPath] {
    let left = made.filter { !indices.contains($0.key) }
    for index in left.keys { made[index] = nil }
    return left.values.map(\.path)
  }
}
