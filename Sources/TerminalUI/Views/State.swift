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
    ownSlot.box = context.frame.store.box(at: context.path, index: index) { StateBox(initialValue) }
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

  init(_ value: Value) { self.value = value }

  /// Goes somewhere else: the frame is to be drawn again.
  func move(to value: Value, in frame: FrameBuilder) {
    self.value = value
    frame.host.noteMove(of: ObjectIdentifier(self))
  }

  /// Remembers where a frame has drawn it.
  func settle(_ value: Value) { self.value = value }
}

/// What views keep from frame to frame, by place.
@MainActor
final class StateStore {
  private struct Key: Hashable {
    let path: ViewPath
    let index: Int
  }

  private var boxes: [Key: AnyObject] = [:]

  /// What is kept at a place, made there by `make` the first time.
  func box<Box: AnyObject>(at path: ViewPath, index: Int = -1, make: () -> Box) -> Box {
    let key = Key(path: path, index: index)
    seen.insert(key)
    declarationCount += 1
    if let box = boxes[key] as? Box { return box }
    let box = make()
    boxes[key] = box
    return box
  }

  // The places of the frame that is being built.
  private var seen: Set<Key> = []

  /// How often a place was declared.
  private(set) var declarationCount = 0

  func beginFrame() { seen.removeAll(keepingCapacity: true) }

  /// Takes back that these places, and those below them, were declared.
  func leave(_ paths: [ViewPath]) {
    guard !paths.isEmpty else { return }
    let left = seen.filter { key in paths.contains(where: key.path.isWithin) }
    if !left.isEmpty { seen.subtract(left) }
  }

  /// Ends the places that the frame did not declare, itself or by one of `keeping`.
  func endFrame(keeping prefixes: [ViewPath]) {
    guard boxes.count > seen.count else { return }
    boxes = boxes.filter { key, _ in
      seen.contains(key) || prefixes.contains { key.path.isWithin($0) }
    }
  }

  var count: Int { boxes.count }
}
