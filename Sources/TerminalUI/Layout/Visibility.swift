extension View {
  /// Draws it fainter: blended with the background where the theme knows its colours, and else dim.
  ///
  /// An opacity of one changes nothing, and neither does any where the theme has no colours.
  func faded(_ opacity: Double) -> some View {
    Modified(self) { context, node in
      opacity < 1 ? FadedNode(context, node, opacity: opacity) : node
    }
  }
}

private final class FadedNode: WrapperNode {
  private let opacity: Double

  init(_ context: ViewContext, _ content: Node, opacity: Double) {
    self.opacity = opacity
    super.init(context, content)
  }

  override func draw(in region: Region) {
    super.draw(in: region)
    region.fade(environment.theme, opacity: opacity)
  }
}

extension Region {
  /// Makes what was drawn in it fainter.
  func fade(_ theme: Theme, opacity: Double) {
    guard theme.hasColors else { return }
    let opacity = max(0, opacity)
    restyle { @Sendable style in
      let background = style.background == .default ? theme.ground : style.background
      let foreground = style.foreground == .default ? theme.text : style.foreground
      guard let faded = foreground.blended(over: theme.ground, opacity: opacity),
        let behind = background.blended(over: theme.ground, opacity: opacity)
      else {
        style.attributes.insert(.dim)
        return
      }
      style.foreground = faded
      if style.background != .default { style.background = behind }
    }
  }
}

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
