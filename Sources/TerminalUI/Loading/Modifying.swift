import Loading

private enum ModifyingKey: EnvironmentKey {
  static var defaultValue: (@MainActor (any Hashable & Sendable) -> Bool)? { nil }
}

extension EnvironmentValues {
  /// Whether an element of the loaded value around it is being changed.
  var isModifying: (@MainActor (any Hashable & Sendable) -> Bool)? {
    get { self[ModifyingKey.self] }
    set { self[ModifyingKey.self] = newValue }
  }
}

extension View {
  /// Shows beside it that the element with this id of the loaded value is being changed.
  ///
  /// Its room is kept, so that nothing moves. It works inside the content of an
  /// ``AsyncContentView``.
  public func modifying(_ id: some Hashable & Sendable) -> some View {
    ModifyingView(content: self, id: id)
  }
}

private struct ModifyingView<Content: View, ID: Hashable & Sendable>: View {
  let content: Content
  let id: ID
  @Environment(\.isModifying) private var isModifying
  @Environment(\.isStill) private var isStill

  var body: some View {
    let isChanging = isModifying?(id) ?? false
    HStack {
      content
      if isChanging {
        Spinner("Saving")
      } else if !isStill {
        Text("").frame(width: 1, height: 1)
      }
    }
  }
}
