/// Something to be pressed: with Enter, Space or a click.
///
/// ```swift
/// Button("Save") { model.save() }
/// ```
public struct Button<Label: View>: View {
  private let hint: String
  private let action: @MainActor () -> Void
  private let label: Label

  /// A button that shows `label`; the footer calls what it does `hint`.
  public init(
    hint: String = "press", action: @escaping @MainActor () -> Void,
    @ViewBuilder label: () -> Label
  ) {
    self.hint = hint
    self.action = action
    self.label = label()
  }

  /// A button with a title.
  public init(_ title: String, action: @escaping @MainActor () -> Void) where Label == Text {
    self.init(hint: title, action: action) { Text(title) }
  }

  /// The label between brackets, which say what it is without colours.
  public var body: some View {
    Control(
      keys: [KeyBinding(keys: [.enter, .space], label: hint, footer: .first, action: action)],
      pressed: { _ in action() }
    ) {
      HStack(spacing: 0) {
        Text("[ ")
        label.lineLimit(1)
        Text(" ]")
      }
    }
  }
}
