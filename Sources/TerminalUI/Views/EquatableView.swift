extension View where Self: Equatable {
  /// Is rebuilt only when it is another one than in the frame before, or when something has changed
  /// that it has read.
  ///
  /// For what there are many of on the screen, of which a key changes few: rows, say. It does nothing
  /// for a view that has state, knows the size of its region, changes by itself, or is several or
  /// none. It also does nothing below an environment value that cannot be compared, such as a closure.
  ///
  /// What keys do in a view that is kept is what they did when it was made: `==` has to cover what its
  /// closures capture, too.
  ///
  /// ```swift
  /// struct Row: View, Equatable {
  ///   let title: String
  ///   let count: Int
  ///   var body: some View { Text("\(title) (\(count))") }
  /// }
  /// ```
  ///
  /// In a list: `Row(title: feed.title, count: feed.unread).equatable()`.
  public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}

/// A view that is compared with what it was in the frame before: see ``View/equatable()``.
public struct EquatableView<Content: View & Equatable>: PrimitiveView {
  let content: Content

  /// Compares `content`.
  public init(content: Content) { self.content = content }

  func makeNodes(_ context: ViewContext) -> [Node] {
    if let kept = context.frame.keptNodes?.node(at: context.path) as? EquatableNode<Content>,
      kept.serves(content, in: context)
    {
      // It is not made here: one around it would not know what it has read.
      kept.reading.access()
      return [kept]
    }
    let reading = Reading()
    let count = context.frame.makingCount
    let nodes = reading.track(context.frame.host.invalidation) { context.resolve(content) }
    // Several, or none, are laid out by who is around them.
    guard let node = nodes.first, nodes.count == 1 else {
      // Not later: nobody around it observes it yet, for whom that would be a change.
      reading.end()
      return nodes
    }
    // What was declared for one frame would be missing in the next.
    let isKept = context.frame.makingCount == count
    return [EquatableNode(context, node, content, reading, isKept: isKept)]
  }
}

private final class EquatableNode<Content: View & Equatable>: WrapperNode {
  private let view: Content
  let reading: Reading
  private let dropped: DroppedReadings
  private var isKept: Bool

  init(
    _ context: ViewContext, _ content: Node, _ view: Content, _ reading: Reading, isKept: Bool
  ) {
    self.view = view
    self.reading = reading
    self.isKept = isKept
    dropped = context.frame.host.readings
    super.init(context, content)
  }

  deinit { dropped.drop(reading) }

  /// Whether it is what that view would become.
  func serves(_ view: Content, in other: ViewContext) -> Bool {
    isKept && reading.isCurrent && self.view == view && environment.isSame(as: other.environment)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    watching { super.measure(proposal) }
  }

  override func draw(in region: Region) {
    watching { super.draw(in: region) }
    if isKept { frame.keptNodes?.note(self) }
  }

  /// A node made while measuring or drawing is not tracked by `reading`, and one that changes by
  /// itself is right only until then.
  private func watching<Answer>(_ body: () -> Answer) -> Answer {
    let count = frame.lateCount
    defer { if frame.lateCount != count { isKept = false } }
    return body()
  }
}

extension FrameBuilder {
  /// Grows with everything that is declared while views are made, beside the nodes.
  fileprivate var makingCount: Int { declarationCount + store.declarationCount }

  /// Grows with what is made, or told of a time, when nodes are measured or drawn.
  fileprivate var lateCount: Int { nodeCount + deadlineCount + store.declarationCount }
}
