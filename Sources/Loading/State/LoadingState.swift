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

  /// Loaded with what `body` returns, or failed with what it throws.
  public init(catching body: () throws -> Value) {
    self.init(Result(catching: body))
  }

  /// Loaded with what `body` returns, or failed with what it throws.
  ///
  /// It runs where it is called, so a view model of your own can load by one of its methods.
  public init(
    isolation: isolated (any Actor)? = #isolation, catching body: () async throws -> Value
  ) async {
    do {
      self = .loaded(try await body())
    } catch {
      self = .failed(error)
    }
  }

  /// Loaded or failed, as `result` is.
  public init(_ result: Result<Value, some Error>) {
    switch result {
    case .success(let value): self = .loaded(value)
    case .failure(let error): self = .failed(error)
    }
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

/// Two different errors are two different states, and a view that compares states must see the
/// second one. Errors that are `Equatable` are compared as such, and other objects by their
/// identity; the rest are equal when they are of one type, have one code and describe themselves
/// alike.
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

private func isSameError(_ left: any Error, _ right: any Error) -> Bool {
  if let left = left as? any Equatable { return isEqual(left, right) }
  guard type(of: left) == type(of: right) else { return false }
  if type(of: left) is AnyClass { return (left as AnyObject) === (right as AnyObject) }
  return left._domain == right._domain && left._code == right._code
    && String(describing: left) == String(describing: right)
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: any Error) -> Bool {
  (right as? Value) == left
}
