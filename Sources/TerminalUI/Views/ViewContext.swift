import Loading

/// What a view is given when it becomes nodes: where it stands, what it inherits, and the frame
/// that is being built.
@MainActor
public struct ViewContext {
  var path: ViewPath
  var environment: EnvironmentValues
  let frame: FrameBuilder
  /// The element that it stands in.
  var owner: ElementMark

  func child(_ step: ViewPath.Step) -> ViewContext {
    var context = self
    context.path = path.appending(step)
    return context
  }

  /// The nodes of `view` here.
  func resolve<Content: View>(_ view: Content) -> [Node] {
    var list = NodeList()
    view._resolve(in: self, to: &list)
    return list.nodes
  }

  /// One node for `view`: several are stacked from top to bottom, as SwiftUI does.
  func node<Content: View>(_ view: Content) -> Node {
    let nodes = resolve(view)
    if let node = nodes.first, nodes.count == 1 { return node }
    return stack(nodes)
  }

  func stack(_ nodes: [Node]) -> Node {
    StackNode(self, axis: .vertical, spacing: 0, alignment: .leading, children: nodes)
  }

  /// The time for which the frame is drawn.
  var now: AnyClock.Instant { frame.now }
}
