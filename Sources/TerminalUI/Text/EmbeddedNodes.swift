/// The elements of a text's views, those that are on the screen or near it.
@MainActor
struct EmbeddedNodes {
  private var made: [Int: Element] = [:]

  /// The element of a view.
  mutating func node(at index: Int, _ context: ViewContext, _ view: @escaping () -> AnyView)
    -> Element
  {
    if let known = made[index] { return known }
    let element = context.child(.id(AnyHashable(index), ordinal: 0)).hosted(view)
    made[index] = element
    return element
  }

  /// Lets go of all others.
  mutating func keep(_ indices: Set<Int>, of context: ViewContext) {
    for (index, element) in made where !indices.contains(index) {
      made[index] = nil
      context.owner.element?.release(element)
    }
  }
}
