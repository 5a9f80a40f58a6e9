/// What a view switches over: nothing yet, loading, failed, or loaded.
///
/// It is a projection of a ``Resource``'s richer truth, and by itself enough for a view model of
/// your own (see ``LoadableObject``):
///
/// ```swift
/// switch resource.state {
/// case .idle: EmptyView()
/// case .loading(let progress): ProgressView(progress?.message ?? "Loading")
/// case .failed(let error): Text("\(error)")
/// case .loaded(let article): ArticleView(article)
/// }
/// ```
public enum LoadingState<Value> {
  /// Nothing was loaded and nothing is being loaded.
  case idle
  /// A load runs and there is nothing to show yet.
  case loading(LoadingProgress?)
  /// The last load failed and there is nothing to show.
  case failed(any Error)
  /// There is a value.
  case loaded(Value)
}

extension LoadingState {
  /// Loading, with no progress known.
  public static var loading: LoadingState { .loading(nil) }

  /// The value, when loaded.
  public var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }

  /// The error, when failed.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The progress, when loading and known.
  public var progress: LoadingProgress? {
    if case .loading(let progress) = self { progress } else { nil }
  }

  /// Whether this is ``idle``.
  public var isIdle: Bool {
    if case .idle = self { true } else { false }
  }

  /// Whether this is ``loading(_:)``.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// Whether this is ``failed(_:)``.
  public var isFailed: Bool { error != nil }

  /// Whether this is ``loaded(_:)``.
  public var isLoaded: Bool {
    if case .loaded = self { true } else { false }
  }

  /// The same state of a transformed value.
  public func map<Other, Failure>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> LoadingState<Other> {
    switch self {
    case .idle: .idle
    case .loading(let progress): .loading(progress)
    case .failed(let error): .failed(error)
    case .loaded(let value): .loaded(try transform(value))
    }
  }

  /// The value, or nil when there is none yet; throws the error when failed.
  public func get() throws -> Value? {
    if case .failed(let error) = self { throw error }
    return value
  }
}

extension LoadingState: Sendable where Value: Sendable {}

/// Failures are equal when they are of one kind and say the same thing: two different errors are
/// two different states, and a view that compares states must see the second one.
extension LoadingState: Equatable where Value: Equatable {
  /// Whether both are the same case with equal contents.
  public static func == (left: LoadingState, right: LoadingState) -> Bool {
    switch (left, right) {
    case (.idle, .idle): true
    case (.loading(let left), .loading(let right)): left == right
    case (.failed(let left), .failed(let right)): isSameError(left, right)
    case (.loaded(let left), .loaded(let right)): left == right
    case (.idle, _), (.loading, _), (.failed, _), (.loaded, _): false
    }
  }
}

/// Whether two errors are of one type and describe themselves alike.
func isSameError(_ left: any Error, _ right: any Error) -> Bool {
  type(of: left) == type(of: right) && String(describing: left) == String(describing: right)
}
