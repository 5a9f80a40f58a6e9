/// A stack of views from left to right.
public struct HStack<Content: View>: BodilessView {
  @usableFromInline let alignment: VerticalAlignment
  @usableFromInline let spacing: Int
  @usableFromInline let content: Content

  /// Creates a stack; `spacing` is in columns.
  @inlinable public init(
    alignment: VerticalAlignment = .center, spacing: Int = 1, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  /// Appends one node for the stack.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var children = NodeList()
    content._resolve(in: context.within(.horizontal), to: &children)
    nodes.append(children, stacked: alignment, spacing: spacing, in: context)
  }
}

/// A stack of views from top to bottom.
public struct VStack<Content: View>: BodilessView {
  @usableFromInline let alignment: HorizontalAlignment
  @usableFromInline let spacing: Int
  @usableFromInline let content: Content

  /// Creates a stack; `spacing` is in rows.
  @inlinable public init(
    alignment: HorizontalAlignment = .center, spacing: Int = 0, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = spacing
    self.content = content()
  }

  /// Appends one node for the stack.
  @inlinable public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var children = NodeList()
    content._resolve(in: context.within(.vertical), to: &children)
    nodes.append(children, stacked: alignment, spacing: spacing, in: context)
  }
}

extension NodeList {
  /// Appends a stack of nodes from left to right.
  @usableFromInline
  mutating func append(
    _ children: NodeList, stacked alignment: VerticalAlignment, spacing: Int,
    in context: ViewContext
  ) {
    nodes.append(
      StackNode(
        context, axis: .horizontal, spacing: spacing, alignment: alignment.across,
        children: children.nodes))
  }

  /// Appends a stack of nodes from top to bottom.
  @usableFromInline
  mutating func append(
    _ children: NodeList, stacked alignment: HorizontalAlignment, spacing: Int,
    in context: ViewContext
  ) {
    nodes.append(
      StackNode(
        context, axis: .vertical, spacing: spacing, alignment: alignment, children: children.nodes))
  }
}

extension ViewContext {
  /// The context inside a stack of that direction.
  @usableFromInline
  func within(_ axis: Axis) -> ViewContext {
    var context = self
    context.environment.stackAxis = axis
    return context
  }
}

/// A node that lays out its children one after another.
///
/// Children with a size of their own get the length they want. If that is too much, children of a
/// higher layout priority come first; within a priority the shortest keep their length, and the
/// others share the rest. Remaining room goes to the children that expand. If there is not even one
/// cell for each child, some are left out together with their gaps: the lowest priority first, and
/// within a priority the last child, because the beginning of a stack is read first.
final class StackNode: Node {
  // The position of a child across the stack; horizontal names are used in both directions.
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

  /// The length that each child gets.
  private struct Shares {
    var lengths: [Int]
    /// The children that are left out, without a gap; empty if there is room for all.
    var isLeftOut: [Bool] = []
    /// The children that are left out although they want room: those that want none are there all
    /// the same, such as a view that only runs a task.
    var isHidden: Set<Int> = []

    func isShown(_ index: Int) -> Bool { isLeftOut.isEmpty || !isLeftOut[index] }

    var shownCount: Int { lengths.count - isLeftOut.count(where: \.self) }

    mutating func leaveOut(_ index: Int) {
      if lengths[index] > 0 { isHidden.insert(index) }
      isLeftOut[index] = true
      lengths[index] = 0
    }
  }

  private func gaps(_ count: Int) -> Int { spacing * max(0, count - 1) }

  /// How a child takes part in sharing the length of the stack.
  private enum Part {
    /// Gets the length it wants.
    case rigid
    /// Shares the length that remains.
    case flexible
    /// A spacer, which gets the room that no other child wants.
    case spacer
  }

  // Cached, because every measurement and drawing needs them and they depend on the whole tree
  // below; valid until a size there changes.
  private var partsVersion = -1
  private var parts: [Part] = []
  private var expandsAcross = false
  private var lastShares: (total: Int?, cross: Int?, shares: Shares)?

  private func findParts() {
    guard partsVersion != context.owner.sizesVersion else { return }
    (partsVersion, expandsAcross, lastShares) = (context.owner.sizesVersion, false, nil)
    // Here and below without closures: each call of one checks where it runs, which takes longer
    // than the rest.
    parts.removeAll(keepingCapacity: true)
    for child in children {
      if child.isSpacer {
        parts.append(.spacer)
      } else {
        if child.expands(axis.other) { expandsAcross = true }
        parts.append(child.expands(axis) ? .flexible : .rigid)
      }
    }
  }

  override func expands(_ axis: Axis) -> Bool {
    findParts()
    return axis == self.axis
      ? parts.contains(.flexible) || parts.contains(.spacer) : expandsAcross
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let shares = shares(total: proposal[axis], cross: proposal[axis.other])
    var size = Size(axis, main: gaps(shares.shownCount), cross: 0)
    for (index, child) in children.enumerated() {
      let length = shares.lengths[index]
      size[axis] += length
      guard parts[index] != .spacer else { continue }
      let taken = child.size(ProposedSize(axis, main: length, cross: proposal[axis.other]))
      size[axis.other] = max(size[axis.other], taken[axis.other])
    }
    return size
  }

  override func draw(in region: Region) {
    let space = region.rect.size
    var position = axis == .horizontal ? region.rect.minX : region.rect.minY
    let shares = shares(total: space[axis], cross: space[axis.other])
    for (index, child) in children.enumerated() {
      let length = shares.lengths[index]
      defer { position += length + (shares.isShown(index) ? spacing : 0) }
      guard parts[index] != .spacer, !shares.isHidden.contains(index) else { continue }
      let size = child.size(ProposedSize(axis, main: length, cross: space[axis.other]))
      let offset = alignment.offset(size[axis.other], in: space[axis.other])
      let origin =
        axis == .horizontal
        ? Point(x: position, y: region.rect.minY + offset)
        : Point(x: region.rect.minX + offset, y: position)
      let part = slot(from: position, length, holding: size, in: region)
        .part(Rect(origin: origin, size: size))
      if part.isOnScreen { child.draw(in: part) }
    }
  }

  /// The region that a child draws in.
  ///
  /// If the child takes more than its share, the region is limited to the share, so that the child
  /// does not draw over the next one.
  private func slot(
    from position: Int, _ length: Int, holding size: Size, in region: Region
  ) -> Region {
    guard size[axis] > length else { return region }
    let rect = region.rect
    return region.part(
      axis == .horizontal
        ? Rect(x: position, y: rect.minY, width: length, height: rect.height)
        : Rect(x: rect.minX, y: position, width: rect.width, height: length))
  }

  /// The length that each child gets in the direction of the stack.
  private func shares(total: Int?, cross: Int?) -> Shares {
    findParts()
    if let lastShares, lastShares.total == total, lastShares.cross == cross {
      return lastShares.shares
    }
    let shares = findShares(total: total, cross: cross)
    lastShares = (total, cross, shares)
    return shares
  }

  private func findShares(total: Int?, cross: Int?) -> Shares {
    var lengths = Array(repeating: 0, count: children.count)
    var wanted = 0
    for (index, child) in children.enumerated() {
      // If the total is known, expanding children are measured only for their share: the ideal
      // length of a list is the height of all its rows.
      if parts[index] == .spacer { lengths[index] = child.leastGap }
      guard parts[index] == .rigid || parts[index] == .flexible && total == nil else {
        wanted += lengths[index]
        continue
      }
      lengths[index] = child.size(ProposedSize(axis, main: nil, cross: cross))[axis]
      wanted += lengths[index]
    }
    guard let total else { return Shares(lengths: lengths) }
    var shares = Shares(lengths: lengths)
    var left = max(0, total - gaps(children.count))
    if wanted > left {
      var room = leaveOut(of: &shares, total: total)
      // A child that shrinks to nothing leaves its gap to the others.
      repeat {
        (lengths, left) = (shares.lengths, room)
        shrink(&lengths, to: &left, cross: cross)
      } while leaveOutNext(of: &shares, shrunkTo: lengths, adding: &room)
    } else {
      left -= wanted
    }
    // Children with content come before spacers, which take the room that no other child wants.
    var sharing = 0
    for part in parts where part == .flexible { sharing += 1 }
    for (index, child) in children.enumerated() where parts[index] == .flexible {
      let share = (left + sharing - 1) / sharing
      lengths[index] = min(share, child.size(ProposedSize(axis, main: share, cross: cross))[axis])
      left -= lengths[index]
      sharing -= 1
    }
    shareGaps(left, &lengths)
    shares.lengths = lengths
    return shares
  }

  /// Leaves out the children for which there is no cell, and returns the length for the others.
  ///
  /// The lowest priority is left out first, and within a priority the last child.
  private func leaveOut(of shares: inout Shares, total: Int) -> Int {
    let needs = children.indices.map { parts[$0] == .rigid && shares.lengths[$0] > 0 ? 1 : 0 }
    var (count, taken) = (children.count, needs.reduce(0, +))
    shares.isLeftOut = Array(repeating: false, count: count)
    if taken + gaps(count) > total {
      let order = children.indices.sorted {
        (-children[$0].layoutPriority, $0) < (-children[$1].layoutPriority, $1)
      }
      (count, taken) = (0, 0)
      var isFull = false
      for index in order {
        isFull = isFull || taken + needs[index] + gaps(count + 1) > total
        if isFull {
          shares.leaveOut(index)
        } else {
          taken += needs[index]
          count += 1
        }
      }
    }
    var left = max(0, total - gaps(count))
    // A spacer shrinks before any visible content does.
    for index in children.indices where parts[index] == .spacer {
      shares.lengths[index] = max(0, min(left - taken, shares.lengths[index]))
      left -= shares.lengths[index]
    }
    return left
  }

  /// Leaves out the last child that shrank to nothing; returns `false` if there is none.
  private func leaveOutNext(
    of shares: inout Shares, shrunkTo lengths: [Int], adding room: inout Int
  ) -> Bool {
    guard let index = lengths.indices.last(where: { lengths[$0] == 0 && shares.lengths[$0] > 0 })
    else { return false }
    shares.leaveOut(index)
    room += spacing
    return true
  }

  /// Gives each rigid child of a priority an equal share of the remaining length, or less if it
  /// wants less.
  ///
  /// Higher priorities come first; a remainder that cannot be divided goes to the first children.
  private func shrink(_ lengths: inout [Int], to left: inout Int, cross: Int?) {
    var rigid: [(priority: Double, place: Int)] = []
    rigid.reserveCapacity(children.count)
    for (index, child) in children.enumerated() where parts[index] == .rigid && lengths[index] > 0 {
      rigid.append((child.layoutPriority, index))
    }
    rigid.sort { one, other in
      one.priority == other.priority
        ? (lengths[one.place], one.place) < (lengths[other.place], other.place)
        : one.priority > other.priority
    }
    for (index, (priority, place)) in rigid.enumerated() {
      var equals = 1
      while index + equals < rigid.count, rigid[index + equals].priority == priority { equals += 1 }
      let share = (left + equals - 1) / equals
      if lengths[place] > share {
        lengths[place] = min(
          share, children[place].size(ProposedSize(axis, main: share, cross: cross))[axis])
      }
      left -= lengths[place]
    }
  }

  /// Makes all spacers equally long, as far as their minimum lengths allow.
  private func shareGaps(_ left: Int, _ lengths: inout [Int]) {
    guard left > 0 else { return }
    var gaps: [(length: Int, place: Int)] = []
    var room = left
    for (place, part) in parts.enumerated() where part == .spacer {
      gaps.append((lengths[place], place))
      room += lengths[place]
    }
    // The longest first.
    gaps.sort { (-$0.length, $0.place) < (-$1.length, $1.place) }
    for (number, (_, place)) in gaps.enumerated() {
      let others = gaps.count - number
      lengths[place] = max(lengths[place], (room + others - 1) / others)
      room -= lengths[place]
    }
  }
}

/// A gap that takes the available room in its stack.
public struct Spacer: PrimitiveView {
  private let minLength: Int

  /// Creates a gap of at least `minLength` columns or rows; nil means zero.
  public init(minLength: Int? = nil) { self.minLength = max(0, minLength ?? 0) }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [SpacerNode(context, minLength: minLength)]
  }
}

private final class SpacerNode: Node {
  private let minLength: Int

  init(_ context: ViewContext, minLength: Int) {
    self.minLength = minLength
    super.init(context)
  }

  override var isSpacer: Bool { true }
  override var leastGap: Int { minLength }
}

/// A stack of views on top of each other, the last one in front.
public struct ZStack<Content: View>: PrimitiveView {
  let alignment: Alignment
  let content: Content

  /// Creates a stack; `alignment` positions the views that are smaller than the largest.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    self.alignment = alignment
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let children = context.within(.vertical).resolve(content)
    return [ZStackNode(context, alignment: alignment, children: children)]
  }
}

final class ZStackNode: Node {
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
      let part = region.part(alignment.place(size, in: region.rect))
      child.draw(in: part)
    }
  }
}
