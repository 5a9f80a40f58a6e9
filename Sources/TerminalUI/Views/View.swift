import Loading
@_exported public import Terminal

/// A piece of what is on the screen, as a value.
///
/// A view says what it looks like for the models as they are. It is asked again when something has changed
/// that its ``body`` has read, or when the view around it makes another value of it: one that is not equal,
/// where it is `Equatable`, and else one that stores something else.
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
  /// What it consists of.
  associatedtype Body: View
  /// What it consists of.
  @ViewBuilder var body: Body { get }
  /// Adds the nodes that it becomes in a frame: those of its ``body``, unless it is one of the
  /// views of this library that draw themselves. Not for a view of your own to say.
  func _resolve(in context: ViewContext, to nodes: inout NodeList)
}

extension View {
  /// Adds the nodes of its ``body``.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    context.child(.type(ObjectIdentifier(Self.self))).addElement(self, to: &nodes) {
      view, inner, nodes in
      let body = inner.reading { DynamicProperties.install(in: view, context: inner).body }
      body._resolve(in: inner, to: &nodes)
    }
  }
}

/// The nodes that views have become so far, in order.
@MainActor
public struct NodeList {
  var nodes: [Node] = []
}

/// A view that says by itself what nodes it becomes.
@MainActor
protocol BodilessView: View where Body == Never {}

extension BodilessView {
  /// It has no body.
  public var body: Never { preconditionFailure("\(Self.self) has no body") }
}

/// A view that draws or lays out by itself instead of consisting of others.
@MainActor
protocol PrimitiveView: BodilessView {
  /// Its nodes for this frame: one for most.
  func makeNodes(_ context: ViewContext) -> [Node]
}

extension PrimitiveView {
  /// Adds its nodes.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    nodes.nodes += makeNodes(context)
  }
}

/// A primitive view with an element of its own: it keeps something for its place, or reads models.
@MainActor
protocol PlacedView: PrimitiveView {}

extension PlacedView {
  /// Adds the nodes of its element.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    context.child(.type(ObjectIdentifier(Self.self))).addElement(self, to: &nodes) {
      view, inner, nodes in
      nodes.nodes += view.makeNodes(inner)
    }
  }
}

extension Never: View {
  /// There is no value to have a body.
  public var body: Never { self }
}

/// What a view is given when it becomes nodes: where it stands, what it inherits, and the frame
/// that is being built.
@MainActor
public struct ViewContext {
  var path: ViewPath
  var environment: EnvironmentValues
  let frame: FrameBuilder
  /// The element that it stands in.
  var owner: ElementMark

  func child(_ step: ViewPath.Step) -> ViewContext {
    var context = self
    context.path = path.appending(step)
    return context
  }

  /// The nodes of `view` here.
  func resolve<Content: View>(_ view: Content) -> [Node] {
    var list = NodeList()
    view._resolve(in: self, to: &list)
    return list.nodes
  }

  /// One node for `view`: several are stacked from top to bottom, as SwiftUI does.
  func node<Content: View>(_ view: Content) -> Node {
    let nodes = resolve(view)
    if let node = nodes.first, nodes.count == 1 { return node }
    return stack(nodes)
  }

  func stack(_ nodes: [Node]) -> Node {
    StackNode(self, axis: .vertical, spacing: 0, alignment: .leading, children: nodes)
  }

  /// The time for which the frame is drawn.
  var now: AnyClock.Instant { frame.now }
}
