extension View {
  /// Shows another screen in its place while there is an item; Esc goes back.
  ///
  /// What is covered keeps its state and its focus.
  public func navigationDestination<Item, Destination: View>(
    item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Destination
  ) -> some View {
    NavigationView(content: self, item: item, destination: destination)
  }
}

struct NavigationView<Content: View, Item, Destination: View>: PlacedView {
  let content: Content
  let item: Binding<Item?>
  let destination: (Item) -> Destination

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content))
    let focus = ScreenNode.focus(context)
    guard let shown = context.reading({ item.wrappedValue }) else {
      return [ScreenNode(context, inner.node(content), place: inner.path, focus: focus)]
    }
    context.owner.element?.keep(inner.path)
    let back = context.reading { destination(shown) }
      .onKeyPress(action: .back, .left) { [item] in item.wrappedValue = nil }
    return context.child(.role(.overlay)).resolve(back)
  }
}

/// Remembers which part of a screen has the focus, for when it is covered and uncovered again.
final class ScreenNode: WrapperNode {
  private let place: ViewPath
  private let focus: PlaceBox<ViewPath?>

  init(_ context: ViewContext, _ content: Node, place: ViewPath, focus: PlaceBox<ViewPath?>) {
    self.place = place
    self.focus = focus
    super.init(context, content)
  }

  /// Where the focus of the screen at a place is remembered.
  static func focus(_ context: ViewContext) -> PlaceBox<ViewPath?> {
    context.box { PlaceBox<ViewPath?>(nil) }
  }

  override func draw(in region: Region) {
    super.draw(in: region)
    guard !environment.isInert else { return }
    let layer = frame.layer
    context.owner.element?.noteFocus()
    // Not for a focus that was lost in the screen itself: that goes to the nearest place left.
    let wasHere = frame.focus[layer]?.isWithin(place) ?? false
    if !wasHere, let before = focus.value { frame.declare(.uncovered(before)) }
    frame.declare(
      .afterPresenting { [focus, place, frame] in
        guard let now = frame.focus[layer], now.isWithin(place), now != focus.value else { return }
        focus.settle(now)
      })
  }
}
