/// The element of a view of type `Content`.
final class ViewElement<Content: View>: Element {
  typealias Making = @MainActor (Content, ViewContext, inout NodeList) -> Void

  private var view: Content
  private let making: Making

  init(_ view: Content, in context: ViewContext, making: @escaping Making) {
    self.view = view
    self.making = making
    super.init(in: context)
    make()
  }

  override func makeNodes(in context: ViewContext, to list: inout NodeList) {
    making(view, context, &list)
  }

  /// Takes the new value of its view, and makes it again unless value and environment are
  /// unchanged.
  func update(_ view: Content, in context: ViewContext) {
    guard
      needsMaking || !ViewValue.isSame(view, self.view)
        || !context.environment.isSame(as: self.context.environment)
    else {
      // Inert copies of the new value show the state that this element keeps.
      _ = DynamicProperties.install(in: view, context: self.context)
      return
    }
    self.view = view
    make(in: context)
  }
}

extension ViewContext {
  /// Returns the element of a view here: the existing one, or a new one.
  func element<Content: View>(
    _ view: Content, making: @escaping ViewElement<Content>.Making
  ) -> Element {
    let element: ViewElement<Content>
    if let known = frame.tree?.element(at: path) as? ViewElement<Content> {
      element = known
      frame.tree?.take(known)
      // Adopted before it is updated, so that its marks reach the elements around it.
      owner.element?.adopt(known)
      known.update(view, in: self)
    } else {
      element = ViewElement(view, in: self, making: making)
      frame.tree?.add(element)
      owner.element?.adopt(element)
    }
    return element
  }

  /// Appends the nodes of the element of a view, at a path with the view's type.
  @usableFromInline
  func addElement<Content: View>(
    ofType view: Content, to list: inout NodeList,
    making: @escaping @MainActor (Content, ViewContext, inout NodeList) -> Void
  ) {
    child(.type(ObjectIdentifier(Content.self))).addElement(view, to: &list, making: making)
  }

  /// Returns a view with its dynamic properties installed here.
  @usableFromInline
  func installing<Content: View>(_ view: Content) -> Content {
    DynamicProperties.install(in: view, context: self)
  }

  /// Appends the nodes of the element of a view.
  func addElement<Content: View>(
    _ view: Content, to list: inout NodeList, making: @escaping ViewElement<Content>.Making
  ) {
    element(view, making: making).add(to: &list, of: owner.element)
  }

  /// Returns the element of the view that `make` returns, as one node, for example for a row of a
  /// list.
  ///
  /// If the view has several nodes, they are stacked from top to bottom.
  func hosted<Content: View>(_ make: @escaping () -> Content) -> Element {
    within(.vertical).element(HostedView(make: make)) { view, context, list in
      list.nodes.append(context.node(context.reading(view.make)))
    }
  }

  /// Returns an object kept for this view, which `make` creates on first use and for another key.
  func box<Box: AnyObject>(key: ItemID = ItemID(0), _ make: () -> Box) -> Box {
    owner.element?.box(key: key, make: make) ?? make()
  }

  /// Tracks reads of models that the nodes here depend on: a change makes them again.
  @usableFromInline
  func reading<Answer>(_ body: () -> Answer) -> Answer {
    guard let element = owner.element else { return body() }
    return element.reading(body)
  }

  /// Tracks reads of models that only the drawing here depends on: a change draws it again.
  func readingToDraw<Answer>(_ body: () -> Answer) -> Answer {
    guard let element = owner.element else { return body() }
    return element.readingToDraw(body)
  }
}

/// A view that is made when a node needs it, identified only by its path.
private struct HostedView<Content: View>: BodilessView {
  let make: () -> Content

  func _resolve(in context: ViewContext, to nodes: inout NodeList) {}
}
