/// What a view switches over: nothing yet, loading, failed, or loaded.
///
/// The state of a ``Resource``, or of a view model of your own (see ``LoadableObject``):
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
  /// Nothing was loaded, and no load runs.
  case idle
  /// A load runs, and there is nothing to show yet.
  case loading(LoadingProgress?)
  /// The last load failed, and there is nothing to show.
  case failed(any Error)
  /// There is a value.
  case loaded(Value)
}

extension LoadingState {
  /// Loading with unknown progress.
  public static var loading: LoadingState { .loading(nil) }

  /// The value; nil unless loaded.
  public var value: Value? {
    if case .loaded(let value) = self { value } else { nil }
  }

  /// The error; nil unless failed.
  public var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The progress; nil unless loading, or if it is unknown.
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

  /// Creates a state that is loaded with what `body` returns, or failed with what it throws.
  ///
  /// It runs on the caller's actor, so a view model can load by one of its own methods. If the task
  /// is cancelled, the state is idle: that is no failure, and what comes back loads again.
  public init(
    isolation: isolated (any Actor)? = #isolation, catching body: () async throws -> Value
  ) async {
    do {
      self = .loaded(try await body())
    } catch {
      self = Task.isCancelled ? .idle : .failed(error)
    }
  }

  /// Returns the same state with a transformed value.
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
}

extension LoadingState: Sendable where Value: Sendable {}

/// Two states with different errors are different, so that a view that compares states shows the
/// second error. Errors that are `Equatable` are compared by `==`, other objects by identity. All
/// other errors are equal if they have the same type, domain, code and description.
extension LoadingState: Equatable where Value: Equatable {
  /// Whether both are the same case with equal values, progress or errors.
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

/// An object with a loading state that can load: a ``Resource``, or a view model of your own.
///
/// ```swift
/// @MainActor @Observable final class Profile: LoadableObject {
///   private(set) var state = LoadingState<User>.idle
///   func load() {
///     guard !state.isLoading else { return }
///     state = .loading
///     Task { state = await LoadingState { try await api.user() } }
///   }
/// }
/// ```
@MainActor
public protocol LoadableObject: AnyObject {
  /// The type of the loaded value.
  associatedtype Value
  /// The state that a view switches over.
  var state: LoadingState<Value> { get }
  /// The objects whose loads it stands for, such as the ``Resource`` that a view model holds; by
  /// default none.
  ///
  /// A view of the object then shows their failures and their reloads beside the value, retries and
  /// cancels them, and tells them when it appears and disappears.
  var sources: [any LoadableObject] { get }
  /// Starts a load, or joins the running one.
  func load()
}

extension LoadableObject {
  /// No objects: it is shown by its own state.
  public var sources: [any LoadableObject] { [] }
}
