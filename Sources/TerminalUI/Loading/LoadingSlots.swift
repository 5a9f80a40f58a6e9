public import Loading

/// What stands in place of the usual views of the states of a loaded value.
struct LoadingSlots<Value> {
  var placeholder: Value?
  var idle: AsyncContentSlots.Idle = { _ in nil }
  var loading: AsyncContentSlots.Loading = { _ in nil }
  var failure: AsyncContentSlots.Failure = { _, _ in nil }
  var empty: AsyncContentSlots.Empty = { nil }
  /// A value that has nothing to show: by default an empty collection.
  var isEmpty: (Value) -> Bool = { ($0 as? any Collection)?.isEmpty ?? false }

  /// Those that do not depend on the value.
  var views: AsyncContentSlots.Views {
    AsyncContentSlots.Views(idle: idle, loading: loading, failure: failure)
  }
}

/// The views that can stand in place of the usual ones of an ``AsyncContentView``.
///
/// Each is made by a closure in a view builder; without one, or where it makes nothing, the usual
/// view is shown.
public enum AsyncContentSlots {
  /// Nothing was loaded yet and nothing starts by itself.
  ///
  /// It is given what starts the load. By default "r to load".
  public typealias Idle = @MainActor (_ load: @escaping @MainActor () -> Void) -> AnyView?
  /// A first load, with its progress.
  ///
  /// By default the placeholder, or a spinner titled "Loading".
  public typealias Loading = @MainActor (_ progress: LoadingProgress?) -> AnyView?
  /// A failure where there is no value.
  ///
  /// It is given a retry where there is one. By default what happened, what can be done, the
  /// attempts, and "r to retry".
  public typealias Failure =
    @MainActor (
      _ failure: LoadFailure, _ retry: (@MainActor () -> Void)?
    ) -> AnyView?
  /// A value that has nothing to show.
  ///
  /// By default the content of that value.
  public typealias Empty = @MainActor () -> AnyView?

  struct Views {
    let idle: Idle
    let loading: Loading
    let failure: Failure
  }
}

/// Builds what is shown in place of the usual view of a state; nothing leaves the usual one.
@MainActor
@resultBuilder
public enum SlotBuilder {
  /// Several views.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> { ViewBuilder.buildBlock(repeat each content) }
  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// An expression.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  /// `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// `if`, or a case.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalView<First, Second> { .first(first) }
  /// `else`, or another case.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalView<First, Second> { .second(second) }
  /// A whole that may be nothing.
  public static func buildFinalResult<Content: View>(_ content: Content?) -> AnyView? {
    content.map { AnyView($0) }
  }
  /// The whole.
  public static func buildFinalResult(_ content: some View) -> AnyView? { AnyView(content) }
}
