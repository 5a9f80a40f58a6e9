/// Screens on top of each other: the root, and one for each value of a path.
///
/// Esc goes back. Covered screens keep their state and their focus.
///
/// ```swift
/// NavigationStack {
///   ForEach(socks) { sock in NavigationLink(sock.name, value: sock) }
///     .navigationDestination(for: Sock.self) { sock in SockScreen(sock: sock) }
/// }
/// ```
public struct NavigationStack<Root: View>: PrimitiveView {
  let path: Binding<[AnyHashable]>?
  let root: Root

  /// A stack that keeps its path by itself.
  public init(@ViewBuilder root: () -> Root) {
    path = nil
    self.root = root()
  }

  /// A stack of the values of `path`.
  public init<Value: Hashable & SendableMetatype>(
    path: Binding<[Value]>, @ViewBuilder root: () -> Root
  ) {
    self.path = Binding(
      get: { path.wrappedValue.map(AnyHashable.init) },
      modify: { change in
        path.update { values in
          var erased = values.map(AnyHashable.init)
          change(&erased)
          values = erased.compactMap { $0.base as? Value }
        }
      })
    self.root = root()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let path = path ?? ownPath(context)
    let navigation = NavigationContext { value in path.update { $0.append(value) } }
    var inner = context
    inner.environment.navigation = navigation
    let values = path.wrappedValue
    var place = inner.child(.role(.content))
    var screen = screen(of: root, at: place, isCovered: !values.isEmpty)
    for (index, value) in values.enumerated() {
      // Screens of a type that nobody said how to show are passed over.
      guard let view = navigation.destination(for: value) else { continue }
      place.frame.kept.append(place.path)
      place = inner.child(.id(value, ordinal: index))
      let isTop = index == values.count - 1
      screen = self.screen(
        of: view.onKeyPress(action: .back, .left, when: isTop) {
          path.update { if !$0.isEmpty { $0.removeLast() } }
        }, at: place, isCovered: !isTop)
    }
    return [screen]
  }

  private func ownPath(_ context: ViewContext) -> Binding<[AnyHashable]> {
    let box = context.frame.store.box(at: context.path) { StateBox<[AnyHashable]>([]) }
    return Binding(get: { box.value }, modify: { change in change(&box.value) })
  }

  private func screen(of view: some View, at place: ViewContext, isCovered: Bool) -> Node {
    let inner = place.child(.role(.content))
    // Covered ones are made too, because they say how those above them are shown.
    let node = isCovered ? place.frame.covered { inner.node(view) } : inner.node(view)
    return ScreenNode(place, node, place: place.path, focus: ScreenNode.focus(place))
  }
}

/// What the views of a navigation stack know of it.
@MainActor
final class NavigationContext {
  let push: (AnyHashable) -> Void
  private var destinations: [ObjectIdentifier: (AnyHashable) -> AnyView?] = [:]

  init(push: @escaping (AnyHashable) -> Void) { self.push = push }

  func register(_ type: ObjectIdentifier, _ destination: @escaping (AnyHashable) -> AnyView?) {
    destinations[type] = destination
  }

  func destination(for value: AnyHashable) -> AnyView? {
    destinations[ObjectIdentifier(type(of: value.base))]?(value)
  }
}

private enum NavigationKey: EnvironmentKey {
  static var defaultValue: NavigationContext? { nil }
}

extension EnvironmentValues {
  var navigation: NavigationContext? {
    get { self[NavigationKey.self] }
    set { self[NavigationKey.self] = newValue }
  }
}

extension View {
  /// How a value of this type on the path of the ``NavigationStack`` around it is shown.
  public func navigationDestination<Value: Hashable, Destination: View>(
    for type: Value.Type, @ViewBuilder destination: @escaping (Value) -> Destination
  ) -> some View {
    DestinationRegistration(content: self) { value in
      (value.base as? Value).map { AnyView(destination($0)) }
    } type: {
      ObjectIdentifier(type)
    }
  }
}

private struct DestinationRegistration<Content: View>: PrimitiveView {
  let content: Content
  let destination: (AnyHashable) -> AnyView?
  let type: () -> ObjectIdentifier

  func makeNodes(_ context: ViewContext) -> [Node] {
    context.environment.navigation?.register(type(), destination)
    return context.resolve(content)
  }
}

/// Something to be pressed that shows another screen of the ``NavigationStack`` around it.
public struct NavigationLink<Label: View>: View {
  private let value: AnyHashable
  private let label: Label
  @Environment(\.navigation) private var navigation
  @Environment(\.keyMap) private var keyMap

  /// A link to the screen of `value`.
  public init(value: some Hashable, @ViewBuilder label: () -> Label) {
    self.value = AnyHashable(value)
    self.label = label()
  }

  /// A link with a title.
  public init(_ title: String, value: some Hashable) where Label == Text {
    self.init(value: value) { Text(title) }
  }

  /// The label, with an arrow that says that it leads on.
  public var body: some View {
    let open: @MainActor () -> Void = { [navigation, value] in navigation?.push(value) }
    Control(
      keys: [
        KeyBinding(keys: [.enter] + keyMap[.right], label: "open", footer: .first, action: open)
      ],
      pressed: { _ in open() }
    ) {
      HStack {
        label.lineLimit(1)
        Text("›")
      }
    }
  }
}
