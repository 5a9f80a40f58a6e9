public import Loading

/// Shows the progress of a running load, for example beside a title; nothing while none runs.
///
/// ``LoadingViewOptions/gate`` delays its appearance and disappearance.
public struct LoadingIndicator<Value: Sendable>: View {
  let resource: Resource<Value>
  @Environment(\.loadingViewOptions) private var options

  /// Creates an indicator of the loads of `resource`, to show beside its content.
  public init(_ resource: Resource<Value>) { self.resource = resource }

  /// The progress, or nothing.
  public var body: some View {
    let (gate, timing) = (options.gate, resource.timing)
    // The gate shows and hides it even if nothing else changes.
    TimelineView(changesAfter: { gate.indicator(for: timing, at: $0).changesAt }) { now in
      if gate.indicator(for: timing, at: now).isVisible { ProgressView(resource.progress) }
    }
  }
}

extension View {
  /// Shows beside this view that the element of the loaded value with this id is being changed.
  ///
  /// Room for the sign is reserved, so that nothing moves. It works inside the content of an
  /// ``AsyncContentView``, for the changes of each resource that the view shows. It does not work
  /// for the rows of a `RangedResource`, whose pages are no resources of the view.
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
