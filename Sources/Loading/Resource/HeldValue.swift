/// A value with its type erased; only its resource knows the type.
///
/// The reducer works on these instead of being generic: generic code is not specialised in another
/// module, and looking up the types of its parts took more than half of the time of a change. So the
/// rules are compiled once, and ``Resource`` is a generic shell around them. What that does with a value
/// can be inlined, so that a module that names the type of a value pays for no such look-up.
@usableFromInline
struct HeldValue: Sendable {
  // Unchecked, because a class that others inherit from cannot be checked; it holds nothing.
  @usableFromInline
  class Box: @unchecked Sendable {
    @inlinable init() {}
  }

  // Unchecked, because its value changes: only while there is one reference to it (see `modify`).
  @usableFromInline
  final class TypedBox<Value: Sendable>: Box, @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable init<Value: Sendable>(_ value: Value) {
    box = TypedBox(value)
  }

  /// The value; the caller names its type, since an inferred one might be an optional of it.
  @inlinable func value<Value: Sendable>(as type: Value.Type) -> Value {
    typed(as: type).value
  }

  /// Changes the value, in place when there is no other reference to it.
  mutating func modify<Value: Sendable>(_ change: (inout Value) -> Void) {
    if !isKnownUniquelyReferenced(&box) { box = TypedBox(value(as: Value.self)) }
    change(&typed(as: Value.self).value)
  }

  @inlinable func typed<Value: Sendable>(as type: Value.Type) -> TypedBox<Value> {
    guard let typed = box as? TypedBox<Value> else {
      preconditionFailure("A resource holds values of its own type only")
    }
    return typed
  }
}

/// A loader with its value's type erased.
struct HeldLoader: Sendable {
  private let box: any LoaderBox

  init<Value>(_ loader: Loader<Value>) { box = TypedLoaderBox(loader) }

  var traits: LoaderTraits { box.traits }

  /// Runs the loader; what it sends on the way goes to `mailbox`.
  func run(_ context: LoadContext, _ mailbox: LoadMailbox) async throws -> HeldValue? {
    try await box.run(context, mailbox)
  }
}

private protocol LoaderBox: AnyObject, Sendable {
  var traits: LoaderTraits { get }
  func run(_ context: LoadContext, _ mailbox: LoadMailbox) async throws -> HeldValue?
}

private final class TypedLoaderBox<Value: Sendable>: LoaderBox {
  let traits: LoaderTraits
  private let body: Loader<Value>.Body

  init(_ loader: Loader<Value>) {
    traits = loader.traits
    body = loader.body
  }

  func run(_ context: LoadContext, _ mailbox: LoadMailbox) async throws -> HeldValue? {
    let output = LoadContext.Output<Value> { mailbox.send(HeldValue($0)) }
    guard let value = try await body(context, output) else { return nil }
    return HeldValue(value)
  }
}

// Not by `map`, which would look up both types of state again at every call.
extension LoadingState where Value: Sendable {
  /// The state as the rules take it.
  @inlinable var held: LoadingState<HeldValue> {
    switch self {
    case .idle: .idle
    case .loading(let progress): .loading(progress)
    case .failed(let error): .failed(error)
    case .loaded(let value): .loaded(HeldValue(value))
    }
  }

  /// The state that the rules hold, of a resource of this type.
  @inlinable init(_ held: LoadingState<HeldValue>) {
    switch held {
    case .idle: self = .idle
    case .loading(let progress): self = .loading(progress)
    case .failed(let error): self = .failed(error)
    case .loaded(let value): self = .loaded(value.value(as: Value.self))
    }
  }
}
