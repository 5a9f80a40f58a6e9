/// Anything with a loading state and a way to load: a ``Resource``, or a view model of your own.
///
/// ```swift
/// @MainActor @Observable final class Profile: LoadableObject {
///   private(set) var state = LoadingState<User>.idle
///   func load() {
///     state = .loading
///     Task { state = await LoadingState { try await api.user() } }
///   }
/// }
/// ```
@MainActor
public protocol LoadableObject: AnyObject {
  /// What is loaded.
  associatedtype Value
  /// What a view switches over.
  var state: LoadingState<Value> { get }
  /// Starts a load, or joins the one that runs.
  func load()
}
