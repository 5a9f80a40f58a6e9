/// The element of a view of a type.
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

  /// Takes the value that its view has now; nothing is done where it would become the same.
  func update(_ view: Content, in context: ViewContext) {
    guard
      needsMaking || !ViewValue.isSame(view, self.view)
        || !context.environment.isSame(as: self.context.environment)
    else {
      // Inert copies of the new value show the state that is kept here.
      _ = DynamicProperties.install(in: view, context: self.context)
      return
    }
    self.view = view
    make(in: context)
  }
}

extension ViewContext {
  /// The element of a view here: the one of the last frame, if there was one.
  func element<Content: View>(
    _ view: Content, making: @escaping ViewElement<Content>.Making
  ) -> Element {
    let element: ViewElement<Content>
    if let known = frame.tree?.element(at: path) as? ViewElement<Content> {
      element = known
      frame.tree?.take(known)
      // First: what it marks is told to those around it.
      owner.element?.adopt(known)
      known.update(view, in: self)
    } else {
      element = ViewElement(view, in: self, making: making)
      frame.tree?.add(element)
      owner.element?.adopt(element)
    }
    return element
  }

  /// Adds the nodes of the element of a view.
  func addElement<Content: View>(
    _ view: Content, to list: inout NodeList, making: @escaping ViewElement<Content>.Making
  ) {
    element(view, making: making).add(to: &list, of: owner.element)
  }

  /// The element of what `make` makes, as one node: a row of a list, say.
  ///
  /// Several views are stacked by `stack`, from top to bottom unless told otherwise.
  func hosted<Content: View>(
    stack: @escaping @MainActor (ViewContext, [Node]) -> Node = { $0.stack($1) },
    _ make: @escaping () -> Content
  ) -> Element {
    element(HostedView(make: make)) { view, context, list in
      let nodes = context.resolve(context.reading(view.make))
      list.nodes.append(nodes.count == 1 ? nodes[0] : stack(context, nodes))
    }
  }

  /// What is kept for the place here, made by `make` the first time and for another key.
  func box<Box: AnyObject>(key: AnyHashable = 0, _ make: () -> Box) -> Box {
    owner.element?.box(key: key, make: make) ?? make()
  }

  /// Reads models for what is made here: a change of them makes it again.
  func reading<Answer>(_ body: () -> Answer) -> Answer {
    guard let element = owner.element else { return body() }
    return element.reading(body)
  }

  /// Reads models for what is drawn here: a change of them draws it again.
  func readingToDraw<Answer>(_ body: () -> Answer) -> Answer {
    guard let element = owner.element else { return body() }
    return element.readingToDraw(body)
  }
}

/// Views that are made where a node wants them, and told apart by nothing but their place.
private struct HostedView<Content: View>: BodilessView {
  let make: () -> Content

  func _resolve(in context: ViewContext, to nodes: inout NodeList) {}
}
