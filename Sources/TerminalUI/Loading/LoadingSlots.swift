public import Loading

/// The views that replace the default ones of a loaded value.
struct LoadingSlots<Value> {
  var placeholder: Value?
  var empty: AsyncContentSlots.Empty = { nil }
  var isEmpty: (Value) -> Bool = { _ in false }
  /// The views that do not depend on the value.
  var views = AsyncContentSlots.Views()
}

/// The views that can replace the default ones of an ``AsyncContentView``.
///
/// Each is made by a closure with a view builder; without one, or if it makes nothing, the default
/// view is shown. If nothing in it can have the focus, it can have the focus itself, so that the keys
/// of its region go on working. It takes only the room it needs; to keep the room of a list, give it a
/// `frame(maxWidth: .infinity, maxHeight: .infinity)`.
public enum AsyncContentSlots {
  /// The view shown while nothing has been loaded and no load starts automatically.
  ///
  /// Its closure is given an action that starts the load. The default is “r to load”.
  public typealias Idle = @MainActor (_ load: @escaping @MainActor () -> Void) -> AnyView?
  /// The view of a first load, given its progress.
  ///
  /// The default is the placeholder, or a spinner titled “Loading”.
  public typealias Loading = @MainActor (_ progress: LoadingProgress?) -> AnyView?
  /// The view of a failure without a value.
  ///
  /// Its closure is given a retry, if one is possible. The default shows what happened, what the
  /// user can do, the number of attempts, and “r to retry”.
  public typealias Failure =
    @MainActor (
      _ failure: LoadFailure, _ retry: (@MainActor () -> Void)?
    ) -> AnyView?
  /// The view of an empty value.
  ///
  /// The default is the content of that value.
  public typealias Empty = @MainActor () -> AnyView?

  struct Views {
    var idle: Idle = { _ in nil }
    var loading: Loading = { _ in nil }
    var failure: Failure = { _, _ in nil }
  }
}

/// Builds the view that replaces a default view of a state; an empty result keeps the default.
@MainActor
@resultBuilder
public enum SlotBuilder {
  /// Combines several views.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> { ViewBuilder.buildBlock(repeat each content) }
  /// Passes one view on.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Passes an expression on.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  /// Supports `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// Supports `if` and `switch`: the first branch.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalView<First, Second> { .first(first) }
  /// Supports `else` and further cases: the second branch.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalView<First, Second> { .second(second) }
  /// Erases a result that may be nil.
  public static func buildFinalResult<Content: View>(_ content: Content?) -> AnyView? {
    content.map { AnyView($0) }
  }
  /// Erases a result.
  public static func buildFinalResult(_ content: some View) -> AnyView? { AnyView(content) }
}
