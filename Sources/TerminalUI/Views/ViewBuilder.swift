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
public struct TupleView<each Content: View>: BodilessView {
  let content: (repeat each Content)

  /// Adds the nodes of each.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var index = 0
    for view in repeat each content {
      view._resolve(in: context.child(.index(index)), to: &nodes)
      index += 1
    }
  }
}

/// One of two views.
public enum ConditionalView<First: View, Second: View>: BodilessView {
  /// The condition held.
  case first(First)
  /// It did not.
  case second(Second)

  /// Adds the nodes of the one that holds.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    switch self {
    case .first(let view): view._resolve(in: context.child(.branch(true)), to: &nodes)
    case .second(let view): view._resolve(in: context.child(.branch(false)), to: &nodes)
    }
  }
}

extension Optional: View where Wrapped: View {
  /// An optional draws what it wraps.
  public var body: Never { preconditionFailure("an optional view has no body") }

  /// Adds the nodes of what it wraps.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    if let self { self._resolve(in: context.child(.branch(true)), to: &nodes) }
  }
}

/// Nothing: it takes no place.
public struct EmptyView: BodilessView {
  /// Nothing.
  public init() {}

  /// Adds nothing.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {}
}

/// Views that share modifiers without being laid out together.
public struct Group<Content: View>: BodilessView {
  let content: Content

  /// The views of `content`.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Adds the nodes of its content.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    content._resolve(in: context, to: &nodes)
  }
}

/// A view whose type is hidden.
///
/// A change of the hidden type is a change of identity, as for a branch.
public struct AnyView: BodilessView {
  private let resolve: @MainActor (ViewContext, inout NodeList) -> Void

  /// Hides the type of `view`.
  public init<Content: View>(_ view: Content) {
    resolve = { context, nodes in
      view._resolve(in: context.child(.type(ObjectIdentifier(Content.self))), to: &nodes)
    }
  }

  /// Adds the nodes of the hidden view.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    resolve(context, &nodes)
  }
}

/// A view whose type is hidden and no part of its identity: for views that are the same whatever is
/// inside of them, which would else be generic, and each of their parts with them.
struct ErasedView: BodilessView {
  private let resolve: @MainActor (ViewContext, inout NodeList) -> Void

  init(_ view: some View) { resolve = { view._resolve(in: $0, to: &$1) } }

  func _resolve(in context: ViewContext, to nodes: inout NodeList) { resolve(context, &nodes) }
}
