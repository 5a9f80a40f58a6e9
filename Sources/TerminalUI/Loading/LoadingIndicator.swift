public import Loading

/// What runs at the moment, beside a title: nothing, or a spinner with what is known of it.
public struct LoadingIndicator<Value: Sendable>: PrimitiveView {
  let resource: Resource<Value>

  /// Shows the loads of `resource` over its content.
  public init(_ resource: Resource<Value>) { self.resource = resource }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let gate = context.environment.loadingViewOptions.gate
    let indication = gate.indicator(for: resource.timing, at: context.now)
    context.frame.redraw(at: indication.changesAt)
    guard indication.isVisible else { return [] }
    return context.resolve(ProgressView(resource.progress))
  }
}
