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
    frame.cells.restyle(clip) { @Sendable style in
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
