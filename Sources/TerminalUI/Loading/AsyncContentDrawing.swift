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
    let shown = place.reading {
      value.map { value in
        // An empty value has a view of its own, if the slot is set.
        if let empty = slots.empty(), slots.isEmpty(value) {
          return ErasedView(empty.focusableIfNothingInside())
        }
        return ErasedView(content(value, resource))
      }
    }
    let placeholder = slots.placeholder.map { sample in
      { place.reading { ErasedView(content(sample, nil)) } }
    }
    return LoadedContent(
      drawing: drawing, content: shown, placeholder: placeholder, slots: slots.views
    ).makeNodes(place)
  }
}
