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
          value: $0, version: resource?.valueVersion ?? made?.nextVersion() ?? 0,
          resource: resource, isEmpty: slots.isEmpty, empty: slots.empty, content: content,
          made: made))
    }
    if value == nil { made?.forget() }
    let placeholder = slots.placeholder.map { sample in
      { ErasedView(ValueView(value: sample, content: content)) }
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
  /// The number of the value: one with the same bytes may show something else, as a class does.
  var version = 0
  // Nil for a placeholder, as are all of the following.
  var resource: Resource<Value>?
  var isEmpty: ((Value) -> Bool)?
  var empty: (@MainActor () -> AnyView?)?
  let content: (Value, Resource<Value>?) -> Content
  var made: MadeView?

  func makeNodes(_ context: ViewContext) -> [Node] {
    context.resolve(made?.view(in: context, make) ?? make(context))
  }

  private func make(_ context: ViewContext) -> ErasedView {
    context.reading {
      // An empty value has a view of its own, if the slot is set.
      if let empty = empty?(), isEmpty?(value) == true {
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

  private var original: (path: ViewPath, owner: ElementMark, view: ErasedView)?
  private var copies: [ElementMark] = []
  private var lastVersion = 0

  /// Returns a number for a value of which nobody knows whether it is another one.
  func nextVersion() -> Int {
    lastVersion += 1
    return lastVersion
  }

  func view(in context: ViewContext, _ make: (ViewContext) -> ErasedView) -> ErasedView {
    // One that is out of sight is not made again when something that it has read changes.
    if let original, original.path != context.path, context.environment.isInert,
      original.owner.element?.parent != nil
    {
      copies.removeAll { $0.element == nil || $0 === context.owner }
      copies.append(context.owner)
      return original.view
    }
    let view = make(context)
    original = (context.path, context.owner, view)
    for copy in copies { copy.element?.setNeedsMaking() }
    copies = []
    return view
  }

  /// Forgets a value that is gone.
  func forget() { (original, copies) = (nil, []) }
}
