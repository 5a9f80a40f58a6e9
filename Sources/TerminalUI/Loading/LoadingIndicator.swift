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
