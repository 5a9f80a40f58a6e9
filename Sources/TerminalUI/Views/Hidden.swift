extension View {
  /// Takes its room and shows nothing; keys, focus and tasks inside are off.
  public func hidden() -> some View {
    Modified(self) { context, node in HiddenNode(context, node) }
      .transformEnvironment { $0.isInert = true }
  }
}

private final class HiddenNode: WrapperNode {
  override func draw(in region: Region) {}
}
