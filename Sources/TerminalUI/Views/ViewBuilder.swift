// Inlinable, as all of a view whose parts are known where it is declared: at run time every part would
// be looked up, which takes longer than to make it.

/// Builds a view from the statements of a closure, as SwiftUI's does.
@MainActor
@resultBuilder
public enum ViewBuilder {
  /// Builds an empty view.
  @inlinable public static func buildBlock() -> EmptyView { EmptyView() }
  /// Builds a single view.
  @inlinable public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Builds several views.
  @inlinable public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> {
    TupleView(content: (repeat each content))
  }
  /// Passes an expression on.
  @inlinable public static func buildExpression<Content: View>(_ content: Content) -> Content {
    content
  }
  /// Supports `if` without `else`.
  @inlinable public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// Supports `if` and `switch`: the first branch.
  @inlinable public static func buildEither<First: View, Second: View>(
    first: First
  ) -> ConditionalView<First, Second> { .first(first) }
  /// Supports `else` and further cases: the second branch.
  @inlinable public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalView<First, Second> { .second(second) }
  /// Supports `if #available`.
  public static func buildLimitedAvailability(_ content: some View) -> AnyView { AnyView(content) }
}

/// Several views in a row.
public struct TupleView<each Content: View>: BodilessView {
  @usableFromInline let content: (repeat each Content)

  @inlinable init(content: (repeat each Content)) { self.content = content }

  /// Appends the nodes of each view.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var index = 0
    for view in repeat each content {
      view._resolve(in: context.child(index: index), to: &nodes)
      index += 1
    }
  }
}

/// One of two views, depending on a condition.
public enum ConditionalView<First: View, Second: View>: BodilessView {
  /// The view if the condition is true.
  case first(First)
  /// The view if the condition is false.
  case second(Second)

  /// Appends the nodes of the view for the current condition.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    switch self {
    case .first(let view): view._resolve(in: context.branch(true), to: &nodes)
    case .second(let view): view._resolve(in: context.branch(false), to: &nodes)
    }
  }
}

extension Optional: View where Wrapped: View {
  /// An optional view has no body.
  public var body: Never { preconditionFailure("an optional view has no body") }

  /// Appends the nodes of the wrapped view, if there is one.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    if let self { self._resolve(in: context.branch(true), to: &nodes) }
  }
}

/// A view that shows nothing and takes no room.
public struct EmptyView: BodilessView {
  /// Creates an empty view.
  @inlinable public init() {}

  /// Appends nothing.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {}
}

/// A group of views that share modifiers without being laid out together.
public struct Group<Content: View>: BodilessView {
  @usableFromInline let content: Content

  /// Creates a group of the views in `content`.
  @inlinable public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Appends the nodes of its content.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    content._resolve(in: context, to: &nodes)
  }
}

/// A type-erased view.
///
/// If the erased type changes, the identity of the view changes, as it does for a branch.
public struct AnyView: BodilessView {
  private let resolve: @MainActor (ViewContext, inout NodeList) -> Void

  /// Erases the type of `view`.
  public init<Content: View>(_ view: Content) {
    resolve = { context, nodes in
      view._resolve(in: context.child(.type(ObjectIdentifier(Content.self))), to: &nodes)
    }
  }

  /// Appends the nodes of the erased view.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    resolve(context, &nodes)
  }
}

/// A type-erased view whose type is not part of its identity.
///
/// Used by views that are the same whatever they contain: otherwise they and all their parts would
/// have to be generic.
struct ErasedView: BodilessView {
  private let resolve: @MainActor (ViewContext, inout NodeList) -> Void

  init(_ view: some View) { resolve = { view._resolve(in: $0, to: &$1) } }

  func _resolve(in context: ViewContext, to nodes: inout NodeList) { resolve(context, &nodes) }
}
