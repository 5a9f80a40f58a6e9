public import Loading
public import Observation

/// Access to a value that somebody else owns: reading it, and changing it in place.
///
/// A change is a modification of the value as it then is, never a whole-value setter: two bindings
/// into one value do not wipe each other's changes.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let get: @MainActor () -> Value
  typealias Change = @MainActor (inout Value) -> Void

  private let modify: @MainActor (_ place: BindingPlace, _ change: @escaping Change) -> Void

  /// A binding from its two halves.
  public init(
    get: @escaping @MainActor () -> Value,
    modify: @escaping @MainActor (@escaping @MainActor (inout Value) -> Void) -> Void
  ) {
    self.init(get: get, modifyAt: { _, change in modify(change) })
  }

  private init(
    get: @escaping @MainActor () -> Value,
    modifyAt modify: @escaping @MainActor (BindingPlace, @escaping Change) -> Void
  ) {
    self.get = get
    self.modify = modify
  }

  /// The binding itself: what lets a closure name it, as in `{ $sock in … }`.
  public init(projectedValue: Binding) { self = projectedValue }

  /// A binding into a loaded value: every change is a mutation of it, committed and, if that fails,
  /// taken back.
  public init(_ access: ValueAccess<Value>) where Value: Sendable {
    self.init(
      get: { access.value },
      modifyAt: { place, change in
        access.modify(at: place.path, overwrites: place.overwrites) { value in
          // Resources replay their mutations on the main actor, where the change belongs.
          value = MainActor.assumeIsolated { [value] in
            var value = value
            change(&value)
            return value
          }
        }
      })
  }

  /// A binding to a property of an observable model.
  public init<Model: AnyObject>(_ model: Model, _ path: ReferenceWritableKeyPath<Model, Value>) {
    self.init(
      get: { model[keyPath: path] }, modify: { change in change(&model[keyPath: path]) })
  }

  /// A binding to a value that never changes.
  public static func constant(_ value: Value) -> Binding {
    Binding(get: { value }, modify: { _ in })
  }

  /// The value as it is now.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { modify(BindingPlace(overwrites: true)) { $0 = newValue } }
  }

  /// Itself, so that `$name` can be handed on.
  public var projectedValue: Binding { self }

  /// Changes the value in place.
  public func update(_ change: @escaping @MainActor (inout Value) -> Void) {
    modify(BindingPlace(), change)
  }

  /// A binding to a member; a change of it is a change of the member alone.
  public subscript<Member>(
    dynamicMember member: WritableKeyPath<Value, Member> & Sendable
  ) -> Binding<Member> {
    Binding<Member>(
      get: { get()[keyPath: member] },
      modifyAt: { place, change in
        var place = place
        place.path.insert(MutationKey(member), at: 0)
        modify(place) { change(&$0[keyPath: member]) }
      })
  }
}

/// Which member of a value a change is made to, and whether it overwrites that member.
private struct BindingPlace {
  // Changes of different members of a loaded value are committed separately, and fail separately.
  var path: [MutationKey] = []
  // A change that overwrites its member supersedes the waiting changes instead of being merged.
  var overwrites = false
}

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
