/// Shows the first of several views that fits the available room, or else the last one.
///
/// ```swift
/// ViewThatFits(in: .horizontal) {
///   Text("r to retry   d for details")
///   Text("r to retry")
/// }
/// ```
public struct ViewThatFits<Content: View>: PrimitiveView {
  let axes: Set<Axis>
  let content: Content
  private var rowsForFirst = Int.max

  /// Creates a view that shows one of the views of `content`, with the preferred one first.
  ///
  /// Only the directions in `axes` are compared; in the others, every view fits.
  public init(
    in axes: Set<Axis> = [.horizontal, .vertical], @ViewBuilder content: () -> Content
  ) {
    self.axes = axes
    self.content = content()
  }

  /// Creates a view that shows one of the views of `content`, compared in one direction.
  public init(in axis: Axis, @ViewBuilder content: () -> Content) {
    self.init(in: [axis], content: content)
  }

  /// Creates a view that compares the heights of views, and shows the first one in any case where
  /// there are so many rows.
  init(rowsForFirst: Int, @ViewBuilder content: () -> Content) {
    self.init(in: .vertical, content: content)
    self.rowsForFirst = rowsForFirst
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [
      FittingNode(
        context, axes: axes, rowsForFirst: rowsForFirst, choices: context.resolve(content))
    ]
  }
}

final class FittingNode: Node {
  private let axes: Set<Axis>
  private let rowsForFirst: Int
  private let choices: [Node]

  init(_ context: ViewContext, axes: Set<Axis>, rowsForFirst: Int = .max, choices: [Node]) {
    (self.axes, self.rowsForFirst, self.choices) = (axes, rowsForFirst, choices)
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { choices.contains { $0.expands(axis) } }

  override func measure(_ proposal: ProposedSize) -> Size {
    choice(for: proposal)?.size(proposal) ?? .zero
  }

  override func draw(in region: Region) {
    choice(for: ProposedSize(region.rect.size))?.draw(in: region)
  }

  private func choice(for proposal: ProposedSize) -> Node? {
    if let height = proposal.height, height >= rowsForFirst { return choices.first }
    return choices.first { fits($0, proposal) } ?? choices.last
  }

  private func fits(_ node: Node, _ proposal: ProposedSize) -> Bool {
    // The ideal length in the directions that are compared.
    let ideal = node.size(
      ProposedSize(
        width: axes.contains(.horizontal) ? nil : proposal.width,
        height: axes.contains(.vertical) ? nil : proposal.height))
    return axes.allSatisfy { axis in proposal[axis].map { ideal[axis] <= $0 } ?? true }
  }
}
