/// A property that reads and moves the focus among the views that are bound to it.
///
/// A `Bool` says whether one view has the focus; an optional value says which of several views has
/// it, and is `nil` while the focus is elsewhere. Setting `false` or `nil` moves the focus to a
/// neighbour. A bound view that is not on the screen yet gets the focus as soon as it appears,
/// unless the user presses a key, uses the mouse or pastes text first.
///
/// ```swift
/// struct Login: View {
///   enum Field { case name, password }
///   @FocusState private var focus: Field?
///   @State private var name = ""
///   @State private var password = ""
///   var body: some View {
///     VStack {
///       TextField("Name", text: $name).focused($focus, equals: .name)
///       SecureField("Password", text: $password).focused($focus, equals: .password)
///     }
///     .onAppear { focus = .password }
///   }
/// }
/// ```
@MainActor
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
  private let unfocused: Value
  private var ownSlot = Slot()

  private final class Slot: PropertySlot {
    var box: FocusBox<Value>?
    /// The value in the frame that is being built.
    var seen: Value?
  }

  /// Creates a state that says whether one view has the focus.
  public init() where Value == Bool { unfocused = false }

  /// Creates a state that says which of several views has the focus.
  public init<Wrapped: Hashable>() where Value == Wrapped? { unfocused = nil }

  /// The current focus; setting it moves the focus.
  public var wrappedValue: Value {
    get { ownSlot.seen ?? ownSlot.box?.value ?? unfocused }
    nonmutating set { ownSlot.box?.move(to: newValue) }
  }

  /// The binding for ``View/focused(_:)`` and ``View/focused(_:equals:)``.
  public var projectedValue: Binding { Binding(focus: self) }

  /// Access to a focus state that another view owns.
  @MainActor
  @propertyWrapper
  public struct Binding {
    fileprivate let focus: FocusState
    fileprivate var box: FocusBox<Value>? { focus.ownSlot.box }

    /// The current focus; setting it moves the focus.
    public var wrappedValue: Value {
      get { focus.wrappedValue }
      nonmutating set { focus.wrappedValue = newValue }
    }

    /// The binding itself, so that `$name` can be passed on.
    public var projectedValue: Binding { self }
  }

  var slot: PropertySlot { ownSlot }
  mutating func takeOwnSlot() { ownSlot = Slot() }

  // An inert copy shows the focus of the original.
  func isAvailable(to context: ViewContext) -> Bool {
    context.environment.isInert || ownSlot.isAvailable(to: context)
  }

  func install(_ context: ViewContext, index: Int) {
    guard !context.environment.isInert else { return }
    ownSlot.claim(context)
    guard let element = context.owner.element else { return }
    let box = element.box(index) {
      FocusBox(unfocused: unfocused, frame: context.frame)
    }
    ownSlot.box = box
    // Of a view that stays as it is, the nodes of its last making are declared.
    guard element.isMaking else {
      ownSlot.seen = nil
      return
    }
    let seen = context.readingFocus(box.value(in:))
    ownSlot.seen = seen
    element.declareByMaking(
      .action(.focusLink) { [ownSlot] in
        ownSlot.seen = nil
        box.links = []
      })
    // Runs after every bound view has been drawn.
    element.declareByMaking(
      .action(.focusSettled) { [mark = element.mark, frame = context.frame] in
        if box.value != seen { frame.host?.invalidation.note(.making, of: mark) }
      })
  }
}

extension View {
  /// Binds whether this view, or a view inside it, has the focus.
  public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
    focused(condition, equals: true)
  }

  /// Binds the focus: the binding equals `value` while this view or one inside it has the focus.
  ///
  /// Setting the binding to `value` moves the focus here.
  public func focused<Value: Hashable>(
    _ binding: FocusState<Value>.Binding, equals value: Value
  ) -> some View {
    drawn(role: .content) { [box = binding.box] context, content, region in
      content.draw(in: region)
      guard !context.environment.isInert, !region.isHidden else { return }
      let (path, layer) = (context.path, context.frame.layer)
      context.frame.declare(.action(.focusLink) { box?.links.append((path, layer, value)) })
    }
  }
}

/// The storage of a focus state: the views that are bound to it, and the way to its host.
@MainActor
private final class FocusBox<Value: Hashable> {
  let unfocused: Value
  /// The bound views of the newest frame that was presented or received a key.
  var links: [(path: ViewPath, layer: Int, value: Value)] = []
  private let frame: FrameBuilder

  init(unfocused: Value, frame: FrameBuilder) {
    self.unfocused = unfocused
    self.frame = frame
  }

  private var host: ViewHost? { frame.host }

  var value: Value { value(in: host?.focuses ?? [:]) }

  func value(in focuses: [Int: ViewPath]) -> Value {
    for link in links where focuses[link.layer]?.isWithin(link.path) == true { return link.value }
    return unfocused
  }

  func move(to value: Value) {
    guard let host else { return }
    if host.focusWish?.owner === self { host.focusWish = nil }
    guard value != self.value else { return }
    if value == unfocused {
      host.leaveFocus(links.map { ($0.path, $0.layer) })
    } else if !go(to: value) {
      host.focusWish = FocusWish(owner: self) { [weak self] in self?.go(to: value) ?? true }
      host.invalidation.set()
    }
  }

  /// Moves the focus to the view bound to `value`; returns `false` if there is none.
  private func go(to value: Value) -> Bool {
    guard let host else { return false }
    return links.contains { $0.value == value && host.focus($0.path, layer: $0.layer) }
      || host.reveal { path in links.contains { $0.value == value && path.isWithin($0.path) } }
  }
}

/// A focus that was requested for a view that no frame has had yet.
@MainActor
struct FocusWish {
  let owner: AnyObject
  /// Moves the focus there; returns `false` while there is no such view.
  let fulfil: @MainActor () -> Bool
}

extension ViewHost {
  /// Moves the focus to the first focusable view within `path`; returns `false` if there is none.
  fileprivate func focus(_ path: ViewPath, layer: Int) -> Bool {
    let places = focusOrder(inLayer: layer)
    guard let place = places.first(where: { $0.isWithin(path) }) else { return false }
    moveFocus(to: place, layer: layer)
    return true
  }

  /// Scrolls to a view out of sight and moves the focus there; returns `false` if there is none.
  fileprivate func reveal(_ isWanted: (ViewPath) -> Bool) -> Bool {
    for scroll in linkedScrolls {
      guard let place = scroll.scroll(true, { $0.firstIndex(where: isWanted) }) else { continue }
      moveFocus(to: place, layer: scroll.layer)
      return true
    }
    return false
  }

  /// Moves a focus within `places` to the next view outside of them, or else to the previous one.
  fileprivate func leaveFocus(_ places: [(path: ViewPath, layer: Int)]) {
    for (layer, focus) in focuses {
      let left = places.filter { $0.layer == layer }.map(\.path)
      let isOutside = { (place: ViewPath) in !left.contains(where: place.isWithin) }
      let order = focusOrder(inLayer: layer)
      guard !isOutside(focus), let index = order.firstIndex(of: focus),
        let next = order[index...].first(where: isOutside)
          ?? order[..<index].last(where: isOutside)
      else { continue }
      moveFocus(to: next, layer: layer)
    }
  }
}
