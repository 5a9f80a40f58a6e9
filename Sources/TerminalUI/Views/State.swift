import Observation

/// A value that belongs to a view's place in the tree and lives as long as that place.
///
/// A write draws the next frame. Outside a frame, before the view was ever on a screen, it has its
/// initial value and writes do nothing.
@MainActor
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let initialValue: Value
  private var ownSlot = Slot()

  private final class Slot: PropertySlot {
    var box: StateBox<Value>?
  }

  /// Starts with `wrappedValue` when its place appears.
  public init(wrappedValue: Value) { initialValue = wrappedValue }

  /// The value as it is now.
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

  // An inert copy shows what the original is: state of its own would be somebody else's.
  func isAvailable(to context: ViewContext) -> Bool {
    context.environment.isInert || ownSlot.isAvailable(to: context)
  }

  func install(_ context: ViewContext, index: Int) {
    guard !context.environment.isInert else { return }
    ownSlot.claim(context)
    ownSlot.box = context.owner.element?.box(index) { StateBox(initialValue) }
  }
}

/// A value that is kept for an identity.
///
/// The views that read it are drawn again when it changes.
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

  /// Remembers what a frame made of the value: that frame shows it already, no other one is due.
  func settle(_ value: Value) { stored = value }
}

/// Where something that scrolls stands.
///
/// It says how the nodes of a frame are drawn, not what they are: nobody else reads it.
@MainActor
final class PlaceBox<Value> {
  private(set) var value: Value
  private var bar: ScrollBar?

  init(_ value: Value) { self.value = value }

  /// Goes somewhere else: the element around a node is to be drawn again.
  func move(to value: Value, of node: Node) {
    self.value = value
    node.needsDrawing()
  }

  /// Remembers where a frame has drawn it.
  func settle(_ value: Value) { self.value = value }

  /// Draws the scroll bar of a window.
  ///
  /// It goes by sizes inside, of which nobody tells the element around it: another bar than before is
  /// found here.
  func draw(_ bar: ScrollBar?, in region: Region, of node: Node) {
    let shown = node.environment.isInert ? nil : bar
    if shown != self.bar, !node.frame.isTrial {
      self.bar = shown
      node.frame.noteDamage(region.clip)
    }
    shown?.draw(in: region, node.environment)
  }
}

extension Node {
  /// Has the next frame draw what stands around it again.
  func needsDrawing() {
    guard let element = context.owner.element else { return }
    element.setNeedsDrawing()
    frame.host?.invalidation.set()
  }
}
