import Observation

/// A value that belongs to a view's identity and lives as long as that view.
///
/// Setting it causes another frame. Before the view is first part of a frame, it has its initial
/// value, and setting it does nothing.
@MainActor
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let initialValue: Value
  private var ownSlot = Slot()

  private final class Slot: PropertySlot {
    var box: StateBox<Value>?
  }

  /// Creates a state that is `wrappedValue` when the view appears.
  public init(wrappedValue: Value) { initialValue = wrappedValue }

  /// Creates a state in an initialiser of its view.
  public init(initialValue: Value) { self.initialValue = initialValue }

  /// The current value.
  public var wrappedValue: Value {
    get { ownSlot.box?.value ?? initialValue }
    nonmutating set { ownSlot.box?.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, modify: { change in ownSlot.box.map { change(&$0.value) } })
  }

  var slot: PropertySlot { ownSlot }
  mutating func takeOwnSlot() { ownSlot = Slot() }

  // An inert copy shows the original's state and must not claim a slot for a state of its own.
  func isAvailable(to context: ViewContext) -> Bool {
    context.environment.isInert || ownSlot.isAvailable(to: context)
  }

  func install(_ context: ViewContext, index: Int) {
    guard !context.environment.isInert else { return }
    ownSlot.claim(context)
    ownSlot.box = context.owner.element?.box(index) { StateBox(initialValue) }
  }
}

/// The storage of a state, kept for an identity.
///
/// Views that read the value are made again when it changes.
@MainActor
final class StateBox<Value>: Observable {
  private let registrar = ObservationRegistrar()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value {
    get {
      registrar.access(self, keyPath: \.value)
      return stored
    }
    set { registrar.withMutation(of: self, keyPath: \.value) { stored = newValue } }
  }
}

/// The scroll position, cursor or similar of a node.
///
/// It affects only how the node is drawn, so a change redraws the node without making anything
/// again.
@MainActor
final class PlaceBox<Value> {
  private(set) var value: Value
  private var drawn: (bar: ScrollBar?, style: Style) = (nil, Style())
  /// Whether the mouse was pressed on the scroll bar last.
  var dragsBar = false

  init(_ value: Value) { self.value = value }

  /// Changes the value and redraws the element of the node.
  func move(to value: Value, of node: Node) {
    self.value = value
    node.needsDrawing()
  }

  /// Stores the value that a frame was drawn with.
  func settle(_ value: Value) { self.value = value }

  /// Draws the scroll bar of a window.
  ///
  /// A change of the bar is detected here, because it depends on sizes inside the window whose
  /// changes do not mark the element around it.
  func draw(_ bar: ScrollBar?, in region: Region, of node: Node) {
    let shown = node.environment.isInert || !node.environment.hasScrollBars ? nil : bar
    var style = node.environment.style
    style.foreground = node.environment.theme.separator
    if shown != drawn.bar || shown != nil && style != drawn.style, !node.frame.isTrial {
      drawn = (shown, style)
      node.frame.noteDamage(region.clip)
    }
    shown?.draw(in: region, style)
  }
}

extension Node {
  /// Marks the element of this node to be drawn again in the next frame.
  func needsDrawing() {
    guard let element = context.owner.element else { return }
    element.setNeedsDrawing()
    frame.host?.invalidation.set()
  }
}
