@_exported public import Terminal

/// A piece of what is on the screen, as a value.
///
/// A view says what it looks like for the models as they are; nothing of it is kept from one frame
/// to the next but its ``State``.
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
  /// What it consists of. Evaluated at most once a frame, only where it is on the screen.
  @ViewBuilder var body: Body { get }
}

/// A view that draws or lays out by itself instead of consisting of others.
@MainActor
protocol PrimitiveView: View where Body == Never {
  /// Its nodes for this frame: one for most, none or several for those that only group.
  func makeNodes(_ context: ViewContext) -> [Node]
}

extension PrimitiveView {
  /// A primitive view has no body.
  public var body: Never { preconditionFailure("\(Self.self) draws itself and has no body") }
}

extension Never: View {
  /// There is no value to have a body.
  public var body: Never { self }
}
