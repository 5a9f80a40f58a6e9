extension View {
  /// How important its room is in its stack: where there is too little, those of a higher priority
  /// have what they would like before those of a lower one get any.
  public func layoutPriority(_ value: Double) -> some View {
    Modified(self) { context, node in PriorityNode(context, node, priority: value) }
  }
}

private final class PriorityNode: WrapperNode {
  private let priority: Double

  init(_ context: ViewContext, _ content: Node, priority: Double) {
    self.priority = priority
    super.init(context, content)
  }

  override var layoutPriority: Double { priority }
}
