import Loading

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
