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
