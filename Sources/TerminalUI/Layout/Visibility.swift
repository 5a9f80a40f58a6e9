extension View {
  /// Draws this view fainter: blended with the background if the theme knows its colours, otherwise
  /// dim.
  ///
  /// An opacity of 1 changes nothing; neither does any opacity if the theme has no colours.
  func faded(_ opacity: Double) -> some View {
    Modified(self) { context, node in
      guard opacity < 1 else { return node }
      return DrawnNode(context, node) { context, content, region in
        content.draw(in: region)
        region.fade(context.environment.theme, opacity: opacity)
      }
    }
  }
}

extension Region {
  /// Makes everything that was drawn in the region fainter.
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
  /// Keeps the room of this view but draws nothing; its keys, focus and tasks are off.
  public func hidden() -> some View {
    drawn { _, _, _ in }
      .transformEnvironment { $0.isInert = true }
  }
}

extension View {
  /// Takes no room and shows nothing while `isCollapsed` is true, such as a pane on a narrow
  /// screen.
  ///
  /// The state of its views is kept for when it is shown again.
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
