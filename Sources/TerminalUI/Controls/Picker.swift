/// A control that chooses one of several values.
///
/// ```swift
/// Picker("Theme", selection: $theme) {
///   Text("Dark").tag(Theme.dark)
///   Text("Light").tag(Theme.light)
/// }
/// ```
public struct Picker<Value: Hashable, Content: View>: PlacedView {
  let title: String
  let selection: Binding<Value>
  let content: Content

  /// Creates a picker of the views in `content` that have a ``View/tag(_:)``.
  public init(_ title: String, selection: Binding<Value>, @ViewBuilder content: () -> Content) {
    self.title = title
    self.selection = selection
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let options = context.child(.role(.content)).resolve(content).compactMap { node in
      (node.option as? TagNode)?.tag.value(as: Value.self).map { ($0, node) }
    }
    let current = context.reading { selection.wrappedValue }
    let selected = options.firstIndex { $0.0 == current }
    // All of them take room, so that changing the selection moves nothing.
    let layers = options.enumerated().map { index, option in
      index == selected ? option.1 : DrawnNode(context, option.1) { _, _, _ in }
    }
    let shown = ZStackNode(context, alignment: .topLeading, children: layers)
    let choose: @MainActor (Int) -> Void = { step in
      guard !options.isEmpty else { return }
      let next = ((selected ?? (step > 0 ? -1 : 0)) + step + options.count) % options.count
      selection.wrappedValue = options[next].0
    }
    let control = Control(
      keys: [
        KeyBinding(
          keys: [.right] + context.environment.switchKeys, label: "next", footer: .first
        ) { choose(1) },
        KeyBinding(keys: [.left], label: "previous", footer: .never) { choose(-1) },
      ],
      pressed: { [isPlain = context.environment.isPlain] place in
        choose(!isPlain && place.x <= columns(of: title) + 1 ? -1 : 1)
      }
    ) {
      HStack(spacing: 0) {
        Text(title + (context.environment.isPlain ? ": " : " ‹ ")).lineLimit(1)
        NodeView(node: shown).frame(height: 1, alignment: .topLeading)
        if !context.environment.isPlain { Text(" ›") }
      }
    }
    return context.child(.role(.indicator)).resolve(control)
  }
}

extension View {
  /// Sets the value that this view stands for in a ``Picker``.
  public func tag(_ value: some Hashable) -> some View {
    Modified(self) { context, node in TagNode(context, node, tag: ItemID(value)) }
  }
}

private final class TagNode: WrapperNode {
  let tag: ItemID

  init(_ context: ViewContext, _ content: Node, tag: ItemID) {
    self.tag = tag
    super.init(context, content)
  }

  override var option: Node? { self }
}
