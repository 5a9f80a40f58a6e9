/// A value with its type erased; only its resource knows the type.
///
/// The reducer uses these values instead of being generic: generic code is not specialised in other
/// modules, and looking up its types at run time took more than half of the time of a change. So
/// the reducer is compiled once, and ``Resource`` is a generic shell around it. What ``Resource``
/// does with values is inlinable, so that a module that uses a concrete type needs no look-up.
@usableFromInline
struct HeldValue: Sendable {
  @usableFromInline
  // Unchecked, because the compiler cannot check a class that is not final; it has no state.
  class Box: @unchecked Sendable {
    @inlinable init() {}
  }

  @usableFromInline
  // Unchecked, because its value is mutable; it changes only while it is uniquely referenced, see
  // `modify`.
  final class TypedBox<Value: Sendable>: Box, @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var box: Box

  @inlinable init<Value: Sendable>(_ value: Value) {
    box = TypedBox(value)
  }

  /// Returns the value; the caller names its type, because an inferred type might be optional.
  @inlinable func value<Value: Sendable>(as type: Value.Type) -> Value {
    typed(as: type).value
  }

  /// Changes the value, in place if it is uniquely referenced.
  mutating func modify<Value: Sendable>(_ change: (inout Value) -> Void) {
    if !isKnownUniquelyReferenced(&box) { box = TypedBox(value(as: Value.self)) }
    change(&typed(as: Value.self).value)
  }

  @inlinable func typed<Value: Sendable>(as type: Value.Type) -> TypedBox<Value> {
    guard let typed = box as? TypedBox<Value> else {
      preconditionFailure("The value has another type than its resource.")
    }
    return typed
  }
}

/// A loader with the type of its value erased.
struct HeldLoader: Sendable {
  // Unchecked, because the compiler cannot check a class that is not final; its state is constant.
  private class Box: @unchecked Sendable {
    let traits: LoaderTraits

    init(_ traits: LoaderTraits) { self.traits = traits }

    nonisolated(nonsending)
      func run(_ context: LoadContext, _ run: LoadRun) async throws -> HeldValue?
    {
      preconditionFailure("A loader is held with its type.")
    }
  }

  // Unchecked for the same reason.
  private final class TypedBox<Value: Sendable>: Box, @unchecked Sendable {
    private let body: Loader<Value>.Body

    init(_ loader: Loader<Value>) {
      body = loader.body
      super.init(loader.traits)
    }

    override nonisolated(nonsending)
      func run(_ context: LoadContext, _ run: LoadRun) async throws -> HeldValue?
    {
      let output = LoadContext.Output<Value> { run.send(HeldValue($0)) }
      guard let value = try await body(context, output) else { return nil }
      return HeldValue(value)
    }
  }

  private let box: Box

  init<Value>(_ loader: Loader<Value>) { box = TypedBox(loader) }

  var traits: LoaderTraits { box.traits }
  /// Whether it has tags, by which it can be invalidated.
  var isTagged: Bool { !box.traits.tags.isEmpty }

  /// Runs the loader; yielded values are sent to `run`.
  ///
  /// It runs where its caller does: a switch at each call and return would cost as much as the call.
  nonisolated(nonsending)
    func run(_ context: LoadContext, _ run: LoadRun) async throws -> HeldValue?
  {
    try await box.run(context, run)
  }
}

// Without `map`, which would look up both types at run time at each call.
extension LoadingState where Value: Sendable {
  /// The state with the type of its value erased.
  @inlinable var held: LoadingState<HeldValue> {
    switch self {
    case .idle: .idle
    case .loading(let progress): .loading(progress)
    case .failed(let error): .failed(error)
    case .loaded(let value): .loaded(HeldValue(value))
    }
  }

  /// Creates a state from one whose value has its type erased.
  @inlinable init(_ held: LoadingState<HeldValue>) {
    switch held {
    case .idle: self = .idle
    case .loading(let progress): self = .loading(progress)
    case .failed(let error): self = .failed(error)
    case .loaded(let value): self = .loaded(value.value(as: Value.self))
    }
  }
}
