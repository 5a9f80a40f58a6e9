import Observation

/// Reads a value from the environment of the view.
///
/// ```swift
/// struct Title: View {
///   @Environment(\.isPlain) private var isPlain
///   @Environment(Settings.self) private var settings
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

  /// Reads the value at `keyPath`.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  /// Reads the model of this type that ``View/environment(_:)`` set; nil if there is none.
  public init<Model: AnyObject & Observable>(_ type: Model.Type) where Value == Model? {
    read = { $0[model: type] }
  }

  /// Reads the model of this type that ``View/environment(_:)`` set.
  ///
  /// A view that may stand where there is none declares the property with an optional type.
  public init(_ type: Value.Type) where Value: AnyObject & Observable {
    read = { environment in
      guard let model = environment[model: type] else {
        preconditionFailure("no \(type) in the environment; pass one with environment(_:)")
      }
      return model
    }
  }

  /// The value in the environment of the view.
  public var wrappedValue: Value { ownSlot.value ?? read(EnvironmentValues()) }

  var slot: PropertySlot { ownSlot }
  mutating func takeOwnSlot() { ownSlot = Slot() }

  func install(_ context: ViewContext, index: Int) {
    ownSlot.claim(context)
    ownSlot.value = read(context.environment)
  }
}

extension View {
  /// Passes an observable model to the views inside, which find it by its type.
  public func environment<Model: AnyObject & Observable>(_ model: Model?) -> some View {
    transformEnvironment { $0[model: Model.self] = model }
  }
}
