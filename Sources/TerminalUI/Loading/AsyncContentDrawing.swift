import Loading

/// From a resource to what is drawn of it, whatever its value is: what depends on the type is here,
/// the rest in ``LoadedContent``.
extension AsyncContentView {
  func makeNodes(_ context: ViewContext) -> [Node] {
    switch source {
    case .resource(let resource):
      return nodes(resource, context)
    case .loader(let loader, let id):
      let place = context.child(.id(id, ordinal: 0))
      let host = context.frame.host
      let resource = place.frame.store.box(at: place.path) {
        Resource(loader, clock: host.clock, scheduler: host.scheduler)
      }
      return nodes(resource, place)
    case .object(let draw, let id):
      let (value, drawing) = draw(context.now)
      return nodes(value, drawing, nil, context.child(.object(id)))
    }
  }

  private func nodes(_ resource: Resource<Value>, _ context: ViewContext) -> [Node] {
    let state = resource.state
    return nodes(
      state.value, ResourceDrawing(resource, state), resource,
      context.child(.object(ObjectIdentifier(resource))))
  }

  private func nodes(
    _ value: Value?, _ drawing: ResourceDrawing, _ resource: Resource<Value>?,
    _ place: ViewContext
  ) -> [Node] {
    let shown = value.map { value in
      // An empty one has a view of its own, if there is one.
      if let empty = slots.empty(), slots.isEmpty(value) { return ErasedView(empty) }
      return ErasedView(content(value, resource))
    }
    let placeholder = slots.placeholder.map { sample in
      { ErasedView(content(sample, nil)) }
    }
    return LoadedContent(
      drawing: drawing, content: shown, placeholder: placeholder, slots: slots.views
    ).makeNodes(place)
  }
}
