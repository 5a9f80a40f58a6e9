/// A key to press and what it does, as in “r to retry”, shown only while that key does it here.
///
/// Without a key for its action, or while another view, a sheet or a text field gets the key, its room
/// stays empty.
public struct KeyHint: PrimitiveView {
  let action: KeyAction
  let words: String
  let isAboutScreen: Bool

  /// The first key of `action`, and behind it words such as “to retry”.
  ///
  /// A hint is about the views around it, which have to be the ones that answer to the key, unless it is
  /// about the screen: a line at the bottom may name what any view above does.
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
    return [
      KeyHintNode(
        context, context.child(.role(.content)).node(hint), key: key,
        action: isAboutScreen ? action : nil)
    ]
  }
}

private final class KeyHintNode: WrapperNode {
  private let key: KeySequence
  private let action: KeyAction?

  init(_ context: ViewContext, _ content: Node, key: KeySequence, action: KeyAction?) {
    self.key = key
    self.action = action
    super.init(context, content)
  }

  override func draw(in region: Region) {
    // What is disabled has no keys of its own, but may name those of the views around it.
    guard !environment.isInert else { return }
    frame.declare(
      .hint(
        DeclaredHint(
          key: key, action: action, path: context.path, layer: frame.layer,
          element: context.owner)))
    if frame.trueHints.contains(context.path) { super.draw(in: region) }
  }
}

/// A hint with its place, while a frame is built.
struct DeclaredHint {
  let key: KeySequence
  /// What the key has to do, wherever on the screen that is declared; nil for what the views around do.
  let action: KeyAction?
  let path: ViewPath
  let layer: Int
  let element: ElementMark
}

extension FrameBuilder {
  /// The places of the hints whose keys do here what they say.
  func resolveHints() -> Set<ViewPath> {
    let hints = declarations.hints
    guard !hints.isEmpty else { return [] }
    let inForce = keysInForce(layer: topLayer).bindings
    return Set(
      hints.filter { hint in
        guard hint.layer == topLayer,
          let first = inForce.first(where: { $0.binding.keys.contains(hint.key) })
        else { return false }
        if let action = hint.action { return first.binding.actions.first == action.name }
        return actsOnAllOfPane(first)
          ? inForce.contains {
            $0.reach == .pane && $0.binding.keys.contains(hint.key) && hint.path.isWithin($0.path)
          }
          : hint.path.isWithin(first.path)
      }.map(\.path))
  }

  /// Whether a binding is pressed together with all of its key that are in the pane.
  private func actsOnAllOfPane(_ binding: DeclaredBinding) -> Bool {
    binding.reach == .pane && focus[binding.layer]?.isWithin(binding.path) != true
  }
}
