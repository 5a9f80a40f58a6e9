/// Views from left to right.
public struct HStack<Content: View>: PrimitiveView {
  let alignment: VerticalAlignment
  let spacing: Int
  let content: Content

  /// `spacing` is in columns.
  public init(
    alignment: VerticalAlignment = .center, spacing: Int = 1, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let cross: StackNode.CrossAlignment =
      switch alignment {
      case .top: .leading
      case .center: .center
      case .bottom: .trailing
      }
    return [
      StackNode(
        context, axis: .horizontal, spacing: spacing, alignment: cross,
        children: context.within(.horizontal).resolve(content))
    ]
  }
}

/// Views from top to bottom.
public struct VStack<Content: View>: PrimitiveView {
  let alignment: HorizontalAlignment
  let spacing: Int
  let content: Content

  /// `spacing` is in rows.
  public init(
    alignment: HorizontalAlignment = .center, spacing: Int = 0, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [
      StackNode(
        context, axis: .vertical, spacing: spacing, alignment: alignment,
        children: context.within(.vertical).resolve(content))
    ]
  }
}

extension ViewContext {
  /// Inside of a stack in that direction.
  fileprivate func within(_ axis: Axis) -> ViewContext {
    var context = self
    context.environment.stackAxis = axis
    return context
  }
}

/// Lays children out one after the other.
///
/// Children of a size of their own get what they would like; when that is too much, those of a
/// higher layout priority come first, the smallest keep theirs and the others share what is left.
/// What is over goes to those that expand.
final class StackNode: Node {
  // Where a child stands across the stack; the names of the horizontal case serve both.
  typealias CrossAlignment = HorizontalAlignment

  private let axis: Axis
  private let spacing: Int
  private let alignment: CrossAlignment
  private let children: [Node]

  init(
    _ context: ViewContext, axis: Axis, spacing: Int, alignment: CrossAlignment, children: [Node]
  ) {
    self.axis = axis
    self.spacing = spacing
    self.alignment = alignment
    self.children = children
    super.init(context)
  }

  private var gaps: Int { spacing * max(0, children.count - 1) }

  override func expands(_ axis: Axis) -> Bool {
    children.contains { $0.isSpacer ? axis == self.axis : $0.expands(axis) }
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let lengths = lengths(total: proposal[axis], cross: proposal[axis.other])
    let cross = zip(children, lengths).map { child, length in
      child.isSpacer
        ? 0 : child.size(ProposedSize(axis, main: length, cross: proposal[axis.other]))[axis.other]
    }
    return Size(axis, main: lengths.reduce(gaps, +), cross: cross.max() ?? 0)
  }

  override func draw(in region: Region) {
    let space = region.rect.size
    var position = axis == .horizontal ? region.rect.minX : region.rect.minY
    for (child, length) in zip(
      children, lengths(total: space[axis], cross: space[axis.other]))
    {
      defer { position += length + spacing }
      guard !child.isSpacer else { continue }
      let size = child.size(ProposedSize(axis, main: length, cross: space[axis.other]))
      let offset = alignment.offset(size[axis.other], in: space[axis.other])
      let origin =
        axis == .horizontal
        ? Point(x: position, y: region.rect.minY + offset)
        : Point(x: region.rect.minX + offset, y: position)
      let part = region.part(Rect(origin: origin, size: size))
      if part.isOnScreen { child.draw(in: part) }
    }
  }

  /// How much of the stack's direction each child gets.
  private func lengths(total: Int?, cross: Int?) -> [Int] {
    // With a total, those that expand are asked only for their share: what a list would like is
    // the height of all its rows.
    var lengths = children.map { child in
      child.isSpacer || (total != nil && child.expands(axis))
        ? 0 : child.size(ProposedSize(axis, main: nil, cross: cross))[axis]
    }
    guard let total else { return lengths }
    var left = max(0, total - gaps)
    let rigid = children.indices.filter { !children[$0].isSpacer && !children[$0].expands(axis) }
    if rigid.reduce(0, { $0 + lengths[$1] }) > left {
      let byPriority = Dictionary(grouping: rigid) { children[$0].layoutPriority }
      for (_, equals) in byPriority.sorted(by: { $0.key > $1.key }) {
        for (index, place) in equals.sorted(by: { lengths[$0] < lengths[$1] }).enumerated() {
          let share = left / (equals.count - index)
          if lengths[place] > share {
            lengths[place] = min(
              share, children[place].size(ProposedSize(axis, main: share, cross: cross))[axis])
          }
          left -= lengths[place]
        }
      }
    } else {
      left -= rigid.reduce(0) { $0 + lengths[$1] }
    }
    // Those with content come before mere gaps: a gap takes what nobody else wants.
    let flexible =
      children.indices.filter { !children[$0].isSpacer && children[$0].expands(axis) }
    for (index, place) in flexible.enumerated() {
      let share = (left + flexible.count - index - 1) / (flexible.count - index)
      lengths[place] = min(
        share, children[place].size(ProposedSize(axis, main: share, cross: cross))[axis])
      left -= lengths[place]
    }
    let spacers = children.indices.filter { children[$0].isSpacer }
    for (index, place) in spacers.enumerated() {
      lengths[place] = (left + spacers.count - index - 1) / (spacers.count - index)
      left -= lengths[place]
    }
    return lengths
  }
}

/// A gap that takes what room there is in its stack.
public struct Spacer: PrimitiveView {
  /// A gap.
  public init() {}

  func makeNodes(_ context: ViewContext) -> [Node] { [SpacerNode(context)] }
}

private final class SpacerNode: Node {
  override var isSpacer: Bool { true }
}

/// Views on top of each other, the last one in front.
public struct ZStack<Content: View>: PrimitiveView {
  let alignment: Alignment
  let content: Content

  /// `alignment` is where those stand that are smaller than the largest.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let children = context.within(.vertical).resolve(content)
    return [ZStackNode(context, alignment: alignment, children: children)]
  }
}

private final class ZStackNode: Node {
  private let alignment: Alignment
  private let children: [Node]

  init(_ context: ViewContext, alignment: Alignment, children: [Node]) {
    self.alignment = alignment
    self.children = children
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool {
    children.contains { !$0.isSpacer && $0.expands(axis) }
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let sizes = children.map { $0.size(proposal) }
    return Size(
      width: sizes.map(\.width).max() ?? 0, height: sizes.map(\.height).max() ?? 0)
  }

  override func draw(in region: Region) {
    for child in children {
      let size = child.size(ProposedSize(region.rect.size))
      child.draw(in: region.part(alignment.place(size, in: region.rect)))
    }
  }
}
