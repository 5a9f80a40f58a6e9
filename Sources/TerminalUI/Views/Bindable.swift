public import Observation

/// Makes bindings to the properties of an observable model.
///
/// ```swift
/// struct Editor: View {
///   @Bindable var settings: Settings
///   var body: some View { Toggle("Sound", isOn: $settings.isLoud) }
/// }
/// ```
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Model: AnyObject & Observable> {
  /// The model.
  public var wrappedValue: Model

  /// Bindings to the properties of a model.
  public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }

  /// Bindings to the properties of a model.
  public init(_ model: Model) { wrappedValue = model }

  /// Itself: `$model.name` is a binding.
  public var projectedValue: Bindable { self }

  /// A binding to a property.
  public subscript<Value>(
    dynamicMember member: ReferenceWritableKeyPath<Model, Value>
  ) -> Binding<Value> { Binding(wrappedValue, member) }
}
