extension View {
  /// Takes its room and shows nothing; keys, focus and tasks inside are off.
  public func hidden() -> some View {
    Modified(self) { context, node in HiddenNode(context, node) }
      .transformEnvironment { $0.isInert = true }
  }
}

extension View {
  /// Takes no room while it is collapsed, such as a pane for which a screen is too narrow, and shows
  /// nothing; what its views remember is there when it comes back.
  public func collapsed(_ isCollapsed: Bool) -> some View {
    CollapsibleView(content: self, isCollapsed: isCollapsed)
  }
}

private struct CollapsibleView<Content: View>: PrimitiveView {
  let content: Content
  let isCollapsed: Bool

  func makeNodes(_ context: ViewContext) -> [Node] {
    let place = context.child(.role(.content))
    guard !isCollapsed else {
      context.owner.element?.keep(place.path)
      return []
    }
    return place.resolve(content)
  }
}

private final class HiddenNode: WrapperNode {
  override func draw(in region: Region) {}
}
