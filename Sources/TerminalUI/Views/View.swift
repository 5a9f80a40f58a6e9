@_exported public import Loading
@_exported public import Observation
@_exported public import Terminal

/// A part of the user interface, as a value.
///
/// A view describes its appearance for the current state of the models. Its ``body`` is evaluated
/// again when something that it read has changed, or when the view around it passes a different
/// environment or value. A value is different if it stores something else and, for a type that is
/// `Equatable` under no condition, is not equal.
///
/// ```swift
/// struct Greeting: View {
///   let name: String
///   var body: some View {
///     HStack {
///       Text("Hello,")
///       Text(name).bold()
///     }
///   }
/// }
/// ```
@MainActor
public protocol View {
  /// The type of the view's content.
  associatedtype Body: View
  /// The content of the view.
  @ViewBuilder var body: Body { get }
  /// Appends the view's nodes: those of its ``body``, unless it is a view of this library that
  /// draws itself.
  ///
  /// Do not implement this for a view of your own.
  func _resolve(in context: ViewContext, to nodes: inout NodeList)
  /// Whether two values are equal; false if the type is not `Equatable`.
  ///
  /// Do not implement this for a view of your own.
  static func _areEqual(_ one: Self, _ other: Self) -> Bool
}

extension View {
  // Inlinable, so that where a view is declared, the type of its body is known. At run time it would
  // be looked up by its name, and each conformance in it by a search through all of the program,
  // which took a fifth of the time of a start.

  /// Appends the nodes of its ``body``.
  @inlinable
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    context.addElement(ofType: self, to: &nodes) { view, inner, nodes in
      let body = inner.reading { inner.installing(view).body }
      body._resolve(in: inner, to: &nodes)
    }
  }
}

// Chosen by the compiler where a view is declared. To find out at run time that a type is not
// `Equatable`, all conformances of the program are searched.
extension View {
  /// A view that is not `Equatable` has no equal.
  public static func _areEqual(_ one: Self, _ other: Self) -> Bool { false }
}

extension View where Self: Equatable {
  /// Whether two values are equal.
  public static func _areEqual(_ one: Self, _ other: Self) -> Bool { one == other }
}

/// The nodes that views have made so far, in order.
@MainActor
public struct NodeList {
  var nodes: [Node] = []

  @usableFromInline init() {}
}

/// A view without a body, which appends its nodes itself.
@MainActor
protocol BodilessView: View where Body == Never {}

extension View where Body == Never {
  /// This view has no body.
  public var body: Never { preconditionFailure("\(Self.self) has no body") }
}

/// A view that draws or lays out itself instead of consisting of other views.
@MainActor
protocol PrimitiveView: BodilessView {
  /// Returns its nodes, in most cases one.
  func makeNodes(_ context: ViewContext) -> [Node]
}

extension PrimitiveView {
  /// Appends its nodes.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    nodes.nodes += makeNodes(context)
  }
}

/// A primitive view with an element of its own, because it keeps state or reads models.
@MainActor
protocol PlacedView: PrimitiveView {}

extension PlacedView {
  /// Appends the nodes of its element.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    context.addElement(ofType: self, to: &nodes) { view, inner, nodes in
      nodes.nodes += view.makeNodes(inner)
    }
  }
}

extension Never: View {
  /// `Never` has no values, so this is never called.
  public var body: Never { self }
}

/// The context in which a view makes its nodes: its path, its environment, and the frame being
/// built.
@MainActor
public struct ViewContext {
  var path: ViewPath
  var environment: EnvironmentValues
  let frame: FrameBuilder
  /// The element that contains the view.
  var owner: ElementMark

  func child(_ step: ViewPath.Step) -> ViewContext {
    var context = self
    context.path = path.appending(step)
    return context
  }

  /// The context of a view at an index among its siblings.
  @usableFromInline func child(index: Int) -> ViewContext { child(.index(index)) }

  /// The context of a view that is there only under a condition.
  @usableFromInline func branch(_ isFirst: Bool) -> ViewContext { child(.branch(isFirst)) }

  /// Returns the nodes of `view` here.
  func resolve<Content: View>(_ view: Content) -> [Node] {
    var list = NodeList()
    view._resolve(in: self, to: &list)
    return list.nodes
  }

  /// Returns one node for `view`; several nodes are stacked from top to bottom, as in SwiftUI.
  func node<Content: View>(_ view: Content) -> Node {
    let nodes = resolve(view)
    if let node = nodes.first, nodes.count == 1 { return node }
    return stack(nodes)
  }

  func stack(_ nodes: [Node]) -> Node {
    StackNode(self, axis: .vertical, spacing: 0, alignment: .leading, children: nodes)
  }

  /// The time of the frame.
  var now: AnyClock.Instant { frame.now }
}
