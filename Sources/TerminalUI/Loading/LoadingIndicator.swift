public import Loading

/// What runs at the moment, beside a title: nothing, or a spinner with what is known of it.
public struct LoadingIndicator<Value: Sendable>: View {
  let resource: Resource<Value>

  /// Shows the loads of `resource` over its content.
  public init(_ resource: Resource<Value>) { self.resource = resource }

  /// The indicator, or nothing.
  public var body: some View { GatedIndicator(resource: resource) }
}

/// An indicator that comes and goes by its gate, also where nothing else changes meanwhile.
private struct GatedIndicator<Value: Sendable>: View {
  let resource: Resource<Value>
  @Environment(\.loadingViewOptions) private var options

  var body: some View {
    let (gate, timing) = (options.gate, resource.timing)
    TimelineView(changesAfter: { gate.indicator(for: timing, at: $0).changesAt }) { now in
      if gate.indicator(for: timing, at: now).isVisible { ProgressView(resource.progress) }
    }
  }
}
