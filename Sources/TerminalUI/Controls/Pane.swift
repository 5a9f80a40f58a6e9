extension View {
  /// Makes this view a pane: a border with a title that shows whether the focus is inside.
  ///
  /// ```swift
  /// HStack {
  ///   FeedList().pane("Feeds")
  ///   ArticleList().pane("Articles")
  /// }
  /// ```
  public func pane(_ title: String) -> some View {
    PaneBorder(content: self, title: title).focusSection(title)
  }

  /// Styles this view as the title of its pane: in the accent colour while the focus is in the pane
  /// (reversed if the theme has no colours), and faint while it is elsewhere.
  ///
  /// ``focusSection(_:)`` and ``pane(_:)`` make panes. Plain mode needs no mark, because the
  /// terminal's cursor shows where the focus is.
  public func paneTitle() -> some View { PaneTitle(content: self) }
}

private struct PaneTitle<Content: View>: PlacedView {
  let content: Content

  func makeNodes(_ context: ViewContext) -> [Node] {
    let style = context.paneTitleStyle
    return context.child(.role(.content)).resolve(
      content.transformEnvironment { environment in
        environment.style.foreground = style.foreground
        environment.style.attributes.formUnion(style.attributes)
      })
  }
}

private struct PaneBorder<Content: View>: PlacedView {
  let content: Content
  let title: String

  func makeNodes(_ context: ViewContext) -> [Node] {
    let theme = context.environment.theme
    return context.child(.role(.content)).resolve(content).map { node in
      BorderNode(
        context, node, title: title,
        color: context.isPaneFocused ? theme.accent : theme.separator,
        titleStyle: context.paneTitleStyle)
    }
  }
}

extension ViewContext {
  /// The style that sets the title of a pane apart from the text around it.
  fileprivate var paneTitleStyle: Style {
    let theme = environment.theme
    guard isPaneFocused else { return Style(foreground: theme.secondary) }
    let needsSign = !theme.hasColors && !environment.isPlain
    return Style(foreground: theme.accent, attributes: needsSign ? [.bold, .reverse] : .bold)
  }

  /// Whether the focus is in the pane that contains this view.
  fileprivate var isPaneFocused: Bool {
    !environment.isInert
      && readingFocus { [layer = frame.layer, pane = environment.focusSection] in
        $0[layer]?.isWithin(pane) == true
      }
  }
}
