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
        ChoiceView(options: options.map(\.1), selected: selected)
        if !context.environment.isPlain { Text(" ›") }
      }
    }
    return context.child(.role(.indicator)).resolve(control)
  }
}

/// The selected one of several nodes, in a region large enough for each of them, so that changing
/// the selection moves nothing.
private struct ChoiceView: PrimitiveView {
  let options: [Node]
  let selected: Int?

  func makeNodes(_ context: ViewContext) -> [Node] {
    [ChoiceNode(context, options: options, selected: selected)]
  }
}

private final class ChoiceNode: Node {
  private let options: [Node]
  private let selected: Int?

  init(_ context: ViewContext, options: [Node], selected: Int?) {
    self.options = options
    self.selected = selected
    super.init(context)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let sizes = options.map { $0.size(ProposedSize(width: proposal.width, height: 1)) }
    return Size(width: sizes.map(\.width).max() ?? 0, height: 1)
  }

  override func draw(in region: Region) {
    guard let selected else { return }
    options[selected].draw(in: region)
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
