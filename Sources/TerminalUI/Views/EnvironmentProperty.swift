import Observation

/// Reads a value from the environment of the view.
///
/// ```swift
/// struct Title: View {
///   @Environment(\.isPlain) private var isPlain
///   @Environment(Settings.self) private var settings: Settings?
///   var body: some View { Text(isPlain ? "Title" : "─ Title ─") }
/// }
/// ```
@MainActor
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let read: @MainActor (EnvironmentValues) -> Value
  private var ownSlot = Slot()

  private final class Slot: PropertySlot {
    var value: Value?
  }

  /// The value at `keyPath`.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  /// The model of that type that ``View/environment(_:)`` set, or nothing where none is.
  public init<Model: AnyObject & Observable>(_ type: Model.Type) where Value == Model? {
    read = { $0[model: type] }
  }

  /// The value where the view stands.
  public var wrappedValue: Value { ownSlot.value ?? read(EnvironmentValues()) }

  var slot: PropertySlot { ownSlot }
  mutating func takeOwnSlot() { ownSlot = Slot() }

  func install(_ context: ViewContext, index: Int) {
    ownSlot.claim(context)
    ownSlot.value = read(context.environment)
  }
}

extension View {
  /// Hands an observable model to the views inside, which find it by its type.
  public func environment<Model: AnyObject & Observable>(_ model: Model?) -> some View {
    transformEnvironment { $0[model: Model.self] = model }
  }
}
