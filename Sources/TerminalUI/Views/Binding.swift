public import Loading
public import Observation

/// Access to a value with another owner: reads it, and changes it in place.
///
/// A change through a binding to a member modifies only that member of the current value, so two
/// bindings to different members do not overwrite each other's changes.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  private let get: @MainActor () -> Value
  typealias Change = @MainActor (inout Value) -> Void

  private let write: @MainActor (_ place: MutationPlace, _ change: @escaping Change) -> Void

  /// Creates a binding from a getter and a setter.
  public init(
    get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void
  ) {
    self.init(get: get) { change in
      var value = get()
      change(&value)
      set(value)
    }
  }

  /// Creates a binding from a getter and a modification, which is passed on without reading the
  /// value first.
  public init(
    get: @escaping @MainActor () -> Value,
    modify: @escaping @MainActor (@escaping @MainActor (inout Value) -> Void) -> Void
  ) {
    self.init(get: get, write: { _, change in modify(change) })
  }

  private init(
    get: @escaping @MainActor () -> Value,
    write: @escaping @MainActor (MutationPlace, @escaping Change) -> Void
  ) {
    self.get = get
    self.write = write
  }

  /// Creates a copy of a binding, which lets a closure name it, as in `{ $sock in … }`.
  public init(projectedValue: Binding) { self = projectedValue }

  /// Creates a binding into a loaded value.
  ///
  /// Every change is a mutation of the value: it is committed, and rolled back if that fails.
  public init(_ access: ValueAccess<Value>) where Value: Sendable {
    self.init(
      get: { access.value },
      write: { place, change in
        access.modify(place) { value in
          // Resources replay mutations on the main actor, to which the change is isolated.
          value = MainActor.assumeIsolated { [value] in
            var value = value
            change(&value)
            return value
          }
        }
      })
  }

  /// Creates a binding to a property of an observable model.
  public init<Model: AnyObject>(_ model: Model, _ path: ReferenceWritableKeyPath<Model, Value>) {
    self.init(
      get: { model[keyPath: path] }, modify: { change in change(&model[keyPath: path]) })
  }

  /// Returns a binding to a value that never changes.
  public static func constant(_ value: Value) -> Binding {
    Binding(get: { value }, modify: { _ in })
  }

  /// The current value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { write(MutationPlace(overwrites: true)) { $0 = newValue } }
  }

  /// The binding itself, so that `$name` can be passed on.
  public var projectedValue: Binding { self }

  /// Changes the value in place.
  public func modify(_ change: @escaping @MainActor (inout Value) -> Void) {
    write(MutationPlace(), change)
  }

  /// Returns a binding to a member; a change through it changes only that member.
  public subscript<Member>(
    dynamicMember member: WritableKeyPath<Value, Member> & Sendable
  ) -> Binding<Member> {
    Binding<Member>(
      get: { get()[keyPath: member] },
      write: { place, change in
        var place = place
        place.path.insert(MutationKey(member), at: 0)
        write(place) { change(&$0[keyPath: member]) }
      })
  }
}

extension Binding
where Value: MutableCollection, Value.Element: Identifiable, Value.Element.ID: Sendable {
  /// Returns a binding to the element with this id, at whatever index it is; nil if there is none.
  ///
  /// Once the element is gone, the binding reads its last value, and changes do nothing.
  public subscript(id id: Value.Element.ID) -> Binding<Value.Element>? {
    guard let element = get().first(where: { $0.id == id }) else { return nil }
    return Binding<Value.Element>(
      get: { get().first { $0.id == id } ?? element },
      write: { place, change in
        var place = place
        place.item = place.item ?? MutationKey(id)
        place.path.insert(MutationKey(id), at: 0)
        write(place) { elements in
          if let index = elements.firstIndex(where: { $0.id == id }) { change(&elements[index]) }
        }
      })
  }
}

/// Creates bindings to the properties of an observable model.
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

  /// Creates bindings to the properties of a model.
  public init(wrappedValue: Model) { self.wrappedValue = wrappedValue }

  /// Creates bindings to the properties of a model.
  public init(_ model: Model) { wrappedValue = model }

  /// The wrapper itself, so that `$model.name` is a binding.
  public var projectedValue: Bindable { self }

  /// Returns a binding to a property.
  public subscript<Value>(
    dynamicMember member: ReferenceWritableKeyPath<Model, Value>
  ) -> Binding<Value> { Binding(wrappedValue, member) }
}
