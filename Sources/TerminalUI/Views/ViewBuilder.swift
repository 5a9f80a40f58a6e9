/// Builds a view from the statements of a closure, as SwiftUI's does.
@MainActor
@resultBuilder
public enum ViewBuilder {
  /// Nothing.
  public static func buildBlock() -> EmptyView { EmptyView() }
  /// One view.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Several.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> {
    TupleView(content: (repeat each content))
  }
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
  /// `if #available`.
  public static func buildLimitedAvailability(_ content: some View) -> AnyView { AnyView(content) }
}

/// Several views, one after the other.
public struct TupleView<each Content: View>: PrimitiveView {
  let content: (repeat each Content)

  func makeNodes(_ context: ViewContext) -> [Node] {
    var nodes: [Node] = []
    var index = 0
    for view in repeat each content {
      nodes += context.child(.index(index)).resolve(view)
      index += 1
    }
    return nodes
  }
}

/// One of two views.
public enum ConditionalView<First: View, Second: View>: PrimitiveView {
  /// The condition held.
  case first(First)
  /// It did not.
  case second(Second)

  func makeNodes(_ context: ViewContext) -> [Node] {
    switch self {
    case .first(let view): context.child(.branch(true)).resolve(view)
    case .second(let view): context.child(.branch(false)).resolve(view)
    }
  }
}

extension Optional: View where Wrapped: View {
  /// An optional draws what it wraps.
  public var body: Never { preconditionFailure("an optional view has no body") }
}

extension Optional: PrimitiveView where Wrapped: View {
  func makeNodes(_ context: ViewContext) -> [Node] {
    map { context.child(.branch(true)).resolve($0) } ?? []
  }
}

/// Nothing: it takes no place.
public struct EmptyView: PrimitiveView {
  /// Nothing.
  public init() {}

  func makeNodes(_ context: ViewContext) -> [Node] { [] }
}

/// Views that share modifiers without being laid out together.
public struct Group<Content: View>: PrimitiveView {
  let content: Content

  /// The views of `content`.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  func makeNodes(_ context: ViewContext) -> [Node] { context.resolve(content) }
}

/// A view whose type is hidden.
///
/// A change of the hidden type is a change of identity, as for a branch.
public struct AnyView: PrimitiveView {
  private let nodes: @MainActor (ViewContext) -> [Node]

  /// Hides the type of `view`.
  public init<Content: View>(_ view: Content) {
    nodes = { $0.child(.type(ObjectIdentifier(Content.self))).resolve(view) }
  }

  func makeNodes(_ context: ViewContext) -> [Node] { nodes(context) }
}
