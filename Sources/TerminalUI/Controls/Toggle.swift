/// Something that is on or off.
///
/// ```swift
/// Toggle("Show pictures", isOn: $showsPictures)
/// ```
public struct Toggle<Label: View>: View {
  private let isOn: Binding<Bool>
  private let label: Label
  @Environment(\.isPlain) private var isPlain

  /// A toggle beside `label`.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    self.isOn = isOn
    self.label = label()
  }

  /// A toggle with a title.
  public init(_ title: String, isOn: Binding<Bool>) where Label == Text {
    self.init(isOn: isOn) { Text(title) }
  }

  /// A box with or without a cross, and the label; in plain mode the state is a word.
  public var body: some View {
    let flip: @MainActor () -> Void = { isOn.update { $0.toggle() } }
    Control(
      keys: [
        KeyBinding(
          keys: [.space, .enter], label: isOn.wrappedValue ? "off" : "on", footer: .first,
          action: flip)
      ],
      pressed: { _ in flip() }
    ) {
      HStack(spacing: 0) {
        if !isPlain { Text(isOn.wrappedValue ? "[x] " : "[ ] ") }
        label.lineLimit(1)
        if isPlain { Text(isOn.wrappedValue ? ": on" : ": off") }
      }
    }
  }
}
