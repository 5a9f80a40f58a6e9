extension View {
  /// Shows another screen in place of this view while `item` is not nil; Esc, Left and the keys of
  /// ``KeyAction/back`` go back.
  ///
  /// The covered view keeps its state and its focus. An item with another id gets a new screen: no
  /// state of the previous one is left.
  public func navigationDestination<Item: Identifiable, Destination: View>(
    item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Destination
  ) -> some View {
    NavigationView(content: self, item: item) { destination($0).id($0.id) }
  }

  /// Shows another screen in place of this view while `item` is not nil; Esc, Left and the keys of
  /// ``KeyAction/back`` go back.
  ///
  /// The covered view keeps its state and its focus. Another item gets a new screen: no state of
  /// the previous one is left.
  @_disfavoredOverload
  public func navigationDestination<Item: Hashable, Destination: View>(
    item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Destination
  ) -> some View {
    NavigationView(content: self, item: item) { destination($0).id($0) }
  }
}

extension View {
  /// Shows another screen in place of this view while `isPresented` is true; Esc, Left and the keys of
  /// ``KeyAction/back`` go back.
  ///
  /// The covered view keeps its state and its focus.
  public func navigationDestination<Destination: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: @escaping () -> Destination
  ) -> some View {
    let item = Binding<Void?>(
      get: { isPresented.wrappedValue ? () : nil },
      set: { isPresented.wrappedValue = $0 != nil })
    return NavigationView(content: self, item: item, destination: destination)
  }
}

struct NavigationView<Content: View, Item, Destination: View>: PlacedView {
  let content: Content
  let item: Binding<Item?>
  let destination: (Item) -> Destination

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content))
    guard let shown = context.reading({ item.wrappedValue }) else {
      return [context.screen { $0.node(content) }]
    }
    context.owner.element?.keep(inner.path)
    let screen = context.child(.role(.overlay)).within(.vertical)
      .dismissing { [item] in item.wrappedValue = nil }
    let dismiss = screen.environment.dismiss
    let view = context.reading { destination(shown) }
    return [screen.node(view.onKeyPress(action: .back, .left) { dismiss() })]
  }
}

/// Closes the sheet, or goes back from the screen, that contains a view.
///
/// ```swift
/// struct NewItem: View {
///   let save: @MainActor (String) -> Void
///   @State private var name = ""
///   @Environment(\.dismiss) private var dismiss
///
///   var body: some View {
///     TextField("Name", text: $name)
///     Button("Add") {
///       save(name)
///       dismiss()
///     }
///   }
/// }
/// ```
public struct DismissAction {
  fileprivate let place: ViewPath?
  fileprivate let action: @MainActor () -> Void

  /// Closes the sheet or screen.
  @MainActor public func callAsFunction() { action() }
}

extension DismissAction: Equatable {
  // Otherwise a new action would draw all of a sheet again.
  /// Whether both close the same sheet or screen.
  public static func == (one: DismissAction, other: DismissAction) -> Bool {
    one.place == other.place
  }
}

private enum DismissKey: EnvironmentKey {
  static var defaultValue: DismissAction { DismissAction(place: nil) {} }
}

extension EnvironmentValues {
  /// Closes the sheet, or goes back from the screen, that contains the view; elsewhere does nothing.
  public internal(set) var dismiss: DismissAction {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }
}

extension ViewContext {
  /// Returns the same context with an action that closes the sheet or screen at its place.
  func dismissing(_ action: @escaping @MainActor () -> Void) -> ViewContext {
    var context = self
    context.environment.dismiss = DismissAction(place: path, action: action)
    return context
  }

  /// Returns a node for the screen here, whose view `node` makes in the context it is given: it
  /// remembers which view of the screen has the focus, to restore it when the screen is uncovered.
  func screen(_ node: @MainActor (ViewContext) -> Node) -> Node {
    let inner = child(.role(.content)).within(.vertical)
    let (place, focus) = (inner.path, box { PlaceBox<ViewPath?>(nil) })
    return DrawnNode(self, node(inner)) { context, content, region in
      content.draw(in: region)
      guard !context.environment.isInert else { return }
      let frame = context.frame
      let layer = frame.layer
      // If the focused view of this screen was removed, the focus goes to the nearest view left
      // instead.
      let wasHere = context.readingFocus { $0[layer]?.isWithin(place) ?? false }
      if !wasHere, let before = focus.value { frame.declare(.uncovered(before)) }
      frame.declare(
        .action(.afterPresenting) {
          guard let now = frame.focus[layer], now.isWithin(place), now != focus.value else {
            return
          }
          focus.settle(now)
        })
    }
  }
}
