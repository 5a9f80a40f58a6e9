import Loading

/// The views that replace the default ones of a loaded value; nil keeps the default.
struct LoadingSlots<Value> {
  var placeholder: Value?
  var empty: @MainActor () -> AnyView? = { nil }
  var isEmpty: (Value) -> Bool = { _ in false }
  /// The views that do not depend on the value.
  var views = StateSlots()
}

/// The views that replace the default ones of the states without a value; nil keeps the default.
struct StateSlots {
  var idle: @MainActor (_ load: @escaping @MainActor () -> Void) -> AnyView? = { _ in nil }
  var loading: @MainActor (LoadingProgress?) -> AnyView? = { _ in nil }
  var failure: @MainActor (LoadFailure, _ retry: (@MainActor () -> Void)?) -> AnyView? = { _, _ in
    nil
  }
}
