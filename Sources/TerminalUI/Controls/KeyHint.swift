/// A key to press and what it does, such as “r to retry”, shown only while the key does that here.
///
/// Its room stays empty while another view, a sheet or a text field receives the key. If the action
/// has no key, the hint has no width.
public struct KeyHint: PrimitiveView {
  let action: KeyAction
  let words: String
  let isAboutScreen: Bool

  /// Creates a hint that shows the first key of `action`, followed by words such as “to retry”.
  ///
  /// By default the hint shows only where the views around it respond to the key. With
  /// `aboutScreen` it also shows if another view on the screen performs `action` for the key, which
  /// suits a line at the bottom.
  public init(_ action: KeyAction, _ words: String = "", aboutScreen: Bool = false) {
    self.action = action
    self.words = words
    isAboutScreen = aboutScreen
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    guard let key = context.environment.keyMap[action].first else {
      return context.resolve(Text(""))
    }
    var hint = Text(key.description).bold().foregroundStyle(\.accent)
    if !words.isEmpty { hint = hint + Text(" \(words)").foregroundStyle(\.secondary) }
    let action = isAboutScreen ? action : nil
    return [
      DrawnNode(context, context.child(.role(.content)).node(hint)) { context, content, region in
        // A disabled view declares no keys, but its hints may name keys of the views around it.
        guard !context.environment.isInert else { return }
        let frame = context.frame
        frame.declare(
          .hint(
            DeclaredHint(
              key: key, action: action, path: context.path, layer: frame.layer,
              element: context.owner)))
        if frame.trueHints[context.path] != nil { content.draw(in: region) }
      }
    ]
  }
}

/// Key hints beside each other, with the most useful first: as many as fit, since the footer shows the
/// keys too.
struct Hints<Content: View>: PrimitiveView {
  @ViewBuilder let content: Content

  func makeNodes(_ context: ViewContext) -> [Node] {
    let hints = context.within(.horizontal).resolve(content)
    let choices = hints.indices.reversed().map { last in
      StackNode(
        context, axis: .horizontal, spacing: 3, alignment: .center,
        children: Array(hints[...last]))
    }
    return [FittingNode(context, axes: [.horizontal], choices: choices)]
  }
}

/// A hint and its position in the tree, recorded while a frame is built.
struct DeclaredHint {
  let key: KeySequence
  /// The action that the key has to perform, wherever on the screen it is declared; nil if the
  /// views around the hint have to respond to the key.
  let action: KeyAction?
  let path: ViewPath
  let layer: Int
  let element: ElementMark
}

extension FrameBuilder {
  /// Returns the hints whose keys do what they say.
  func resolveHints() -> [ViewPath: ElementMark] {
    let hints = declarations.hints
    guard !hints.isEmpty else { return [:] }
    let inForce = keysInForce(layer: topLayer).bindings
    return Dictionary(
      hints.filter { hint in
        guard hint.layer == topLayer,
          let first = inForce.first(where: { $0.binding.keys.contains(hint.key) })
        else { return false }
        if let action = hint.action {
          return !first.binding.isUnnamed && first.binding.actions.first == action.name
        }
        let acting =
          actsOnAllOfPane(first)
          ? inForce.filter { $0.reach.isPane && $0.binding.keys.contains(hint.key) } : [first]
        return acting.contains { !$0.binding.isUnnamed && hint.path.isWithin($0.path) }
      }.map { ($0.path, $0.element) }, uniquingKeysWith: { $1 })
  }

  /// Whether pressing the key of this binding performs every binding of that key in the pane.
  private func actsOnAllOfPane(_ binding: DeclaredBinding) -> Bool {
    binding.reach.isPane && focus[binding.layer]?.isWithin(binding.path) != true
  }
}
