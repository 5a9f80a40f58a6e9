import Loading

/// Reads the resource and hands its state to ``LoadedContent``, which does not depend on the type
/// of the value.
extension AsyncContentView {
  func makeNodes(_ context: ViewContext) -> [Node] {
    switch source {
    case .resource(let resource):
      return nodes(resource, context)
    case .loader(let loader, let id, let name, let refreshing):
      let host = context.frame.host
      let resource = context.box(key: id) {
        Resource(
          loader, refreshing: refreshing, name: name, clock: host?.clock ?? .terminal,
          scheduler: host?.scheduler ?? .terminal)
      }
      return nodes(resource, context.child(.id(id, ordinal: 0)))
    case .object(let draw, let id):
      let (value, drawing) = context.reading { draw(context.now) }
      return nodes(value, drawing, nil, context.child(.object(id)))
    }
  }

  private func nodes(_ resource: Resource<Value>, _ context: ViewContext) -> [Node] {
    let (value, drawing) = context.reading {
      let state = resource.state
      return (state.value, ResourceDrawing(resource, state))
    }
    return nodes(value, drawing, resource, context.child(.object(ObjectIdentifier(resource))))
  }

  private func nodes(
    _ value: Value?, _ drawing: ResourceDrawing, _ resource: Resource<Value>?,
    _ place: ViewContext
  ) -> [Node] {
    let made = place.owner.element?.box(MadeView.index, key: ItemID(place.path)) { MadeView() }
    let shown = value.map {
      ErasedView(
        ValueView(
          value: $0, resource: resource, isEmpty: slots.isEmpty, empty: slots.empty,
          content: content, made: made))
    }
    let placeholder = slots.placeholder.map { sample in
      {
        ErasedView(
          ValueView(
            value: sample, resource: nil, isEmpty: { _ in false }, empty: { nil },
            content: content, made: nil))
      }
    }
    return LoadedContent(
      drawing: drawing, content: shown, placeholder: placeholder, slots: slots.views
    ).makeNodes(place)
  }
}

/// The view of one value.
///
/// It has an element of its own, so that another state of the same value, as when a reload begins
/// or ends, does not make it again.
private struct ValueView<Value: Sendable, Content: View>: PlacedView {
  let value: Value
  let resource: Resource<Value>?
  let isEmpty: (Value) -> Bool
  let empty: @MainActor () -> AnyView?
  let content: (Value, Resource<Value>?) -> Content
  /// Nil for a placeholder.
  let made: MadeView?

  func makeNodes(_ context: ViewContext) -> [Node] {
    context.resolve(made?.view(in: context, make) ?? make(context))
  }

  private func make(_ context: ViewContext) -> ErasedView {
    context.reading {
      // An empty value has a view of its own, if the slot is set.
      if let empty = empty(), isEmpty(value) {
        return ErasedView(empty.focusableIfNothingInside())
      }
      return ErasedView(content(value, resource))
    }
  }
}

/// What was made of a value: copies of it in the same frame show the same, with its state.
@MainActor
private final class MadeView {
  /// Its index among the boxes of the element.
  static let index = -2

  private var original: (path: ViewPath, view: ErasedView)?
  private var copies: [ElementMark] = []

  func view(in context: ViewContext, _ make: (ViewContext) -> ErasedView) -> ErasedView {
    if let original, original.path != context.path, context.environment.isInert {
      if !copies.contains(where: { $0 === context.owner }) { copies.append(context.owner) }
      return original.view
    }
    let view = make(context)
    original = (context.path, view)
    for copy in copies { copy.element?.setNeedsMaking() }
    copies = []
    return view
  }
}
