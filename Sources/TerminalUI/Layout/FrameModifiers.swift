extension View {
  /// A frame of a fixed size, in cells; `.infinity` is all there is, `nil` leaves a direction as it is.
  public func frame(
    width: Int? = nil, height: Int? = nil, alignment: Alignment = .center
  ) -> some View {
    Modified(self) { context, node in
      FixedFrameNode(context, node, width: width, height: height, alignment: alignment)
    }
  }

  /// A frame that takes what it is offered within limits, in cells; `.infinity` is all there is.
  public func frame(
    minWidth: Int? = nil, maxWidth: Int? = nil, minHeight: Int? = nil, maxHeight: Int? = nil,
    alignment: Alignment = .center
  ) -> some View {
    Modified(self) { context, node in
      FlexibleFrameNode(
        context, node, width: (minWidth, maxWidth), height: (minHeight, maxHeight),
        alignment: alignment)
    }
  }

  /// Blank cells around it.
  public func padding(_ length: Int = 1) -> some View {
    padding(EdgeInsets(top: length, leading: length, bottom: length, trailing: length))
  }

  /// Blank cells at the edges named.
  public func padding(_ edges: EdgeSet, _ length: Int = 1) -> some View {
    padding(
      EdgeInsets(
        top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
        bottom: edges.contains(.bottom) ? length : 0,
        trailing: edges.contains(.trailing) ? length : 0))
  }

  /// Blank cells around it, for each edge.
  public func padding(_ insets: EdgeInsets) -> some View {
    Modified(self) { context, node in PaddingNode(context, node, insets: insets) }
  }

  /// A line around it, with an optional title in its top edge.
  public func border(_ title: String? = nil, color: KeyPath<Theme, Color> = \.separator)
    -> some View
  {
    Modified(self) { context, node in
      let theme = context.environment.theme
      // A line is an ornament, and a title is to be read.
      let titleColor = color == \.separator ? \.secondary : color
      return BorderNode(
        context, node, title: title, color: theme[keyPath: color],
        titleStyle: Style(foreground: theme[keyPath: titleColor], attributes: .bold))
    }
  }

  /// A line around it in a colour, with an optional title in another one in its top edge.
  public func border(_ color: Color, title: String? = nil, titleColor: Color = .default)
    -> some View
  {
    Modified(self) { context, node in
      BorderNode(
        context, node, title: title, color: color,
        titleStyle: Style(foreground: titleColor, attributes: .bold))
    }
  }
}

/// Distances from the edges, in cells.
public struct EdgeInsets: Hashable, Sendable {
  /// Rows at the top.
  public var top: Int
  /// Columns at the left.
  public var leading: Int
  /// Rows at the bottom.
  public var bottom: Int
  /// Columns at the right.
  public var trailing: Int

  /// Nothing where nothing is said.
  public init(top: Int = 0, leading: Int = 0, bottom: Int = 0, trailing: Int = 0) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }
}

/// Some of the four edges.
public struct EdgeSet: OptionSet, Hashable, Sendable {
  /// One bit an edge.
  public let rawValue: Int

  /// The edges whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The top edge.
  public static let top = EdgeSet(rawValue: 1)
  /// The left edge.
  public static let leading = EdgeSet(rawValue: 2)
  /// The bottom edge.
  public static let bottom = EdgeSet(rawValue: 4)
  /// The right edge.
  public static let trailing = EdgeSet(rawValue: 8)
  /// Left and right.
  public static let horizontal: EdgeSet = [.leading, .trailing]
  /// Top and bottom.
  public static let vertical: EdgeSet = [.top, .bottom]
  /// All four.
  public static let all: EdgeSet = [.horizontal, .vertical]
}

private final class FixedFrameNode: WrapperNode {
  private let width: Int?
  private let height: Int?
  private let alignment: Alignment

  init(_ context: ViewContext, _ content: Node, width: Int?, height: Int?, alignment: Alignment) {
    self.width = width
    self.height = height
    self.alignment = alignment
    super.init(context, content)
  }

  override func expands(_ axis: Axis) -> Bool {
    let length = axis == .horizontal ? width : height
    return length == .infinity || length == nil && content.expands(axis)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    // A frame wider than the room is cut by its parent's clip: a fixed size is a promise.
    let (width, height) = (finite(width, proposal.width), finite(height, proposal.height))
    let inner = content.size(
      ProposedSize(width: width ?? proposal.width, height: height ?? proposal.height))
    return Size(width: width ?? inner.width, height: height ?? inner.height)
  }

  private func finite(_ length: Int?, _ proposed: Int?) -> Int? {
    length == .infinity ? proposed : length
  }

  override func draw(in region: Region) {
    let size = content.size(ProposedSize(region.rect.size))
    content.draw(in: region.part(alignment.place(size, in: region.rect)))
  }
}

private final class FlexibleFrameNode: WrapperNode {
  private let width: (min: Int?, max: Int?)
  private let height: (min: Int?, max: Int?)
  private let alignment: Alignment

  init(
    _ context: ViewContext, _ content: Node, width: (min: Int?, max: Int?),
    height: (min: Int?, max: Int?), alignment: Alignment
  ) {
    self.width = Self.finite(width)
    self.height = Self.finite(height)
    self.alignment = alignment
    super.init(context, content)
  }

  /// At least all there is means all there is.
  private static func finite(_ limits: (min: Int?, max: Int?)) -> (min: Int?, max: Int?) {
    limits.min == .infinity ? (nil, .infinity) : limits
  }

  private func limits(_ axis: Axis) -> (min: Int?, max: Int?) {
    axis == .horizontal ? width : height
  }

  override func expands(_ axis: Axis) -> Bool { limits(axis).max != nil || content.expands(axis) }

  override func measure(_ proposal: ProposedSize) -> Size {
    let inner = content.size(
      ProposedSize(
        width: proposal.width.map { clamp($0, .horizontal) },
        height: proposal.height.map { clamp($0, .vertical) }))
    return Size(
      width: length(.horizontal, proposed: proposal.width, inner: inner.width),
      height: length(.vertical, proposed: proposal.height, inner: inner.height))
  }

  private func clamp(_ length: Int, _ axis: Axis) -> Int {
    let limits = limits(axis)
    return max(limits.min ?? 0, min(limits.max ?? .max, length))
  }

  private func length(_ axis: Axis, proposed: Int?, inner: Int) -> Int {
    guard let proposed, limits(axis).max != nil else { return clamp(inner, axis) }
    return clamp(proposed, axis)
  }

  override func draw(in region: Region) {
    let size = content.size(ProposedSize(region.rect.size))
    content.draw(in: region.part(alignment.place(size, in: region.rect)))
  }
}

private final class PaddingNode: WrapperNode {
  private let insets: EdgeInsets

  init(_ context: ViewContext, _ content: Node, insets: EdgeInsets) {
    self.insets = insets
    super.init(context, content)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let (across, down) = (insets.leading + insets.trailing, insets.top + insets.bottom)
    let inner = content.size(proposal.inset(horizontal: across, vertical: down))
    return Size(width: inner.width + across, height: inner.height + down)
  }

  override func draw(in region: Region) {
    content.draw(
      in: region.inset(
        left: insets.leading, top: insets.top, right: insets.trailing, bottom: insets.bottom))
  }
}

final class BorderNode: WrapperNode {
  private let title: String?
  private let color: Color
  private let titleStyle: Style

  init(
    _ context: ViewContext, _ content: Node, title: String?, color: Color,
    titleStyle: Style = .plain
  ) {
    self.title = title
    self.color = color
    self.titleStyle = titleStyle
    super.init(context, content)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let inner = content.size(proposal.inset(horizontal: 2, vertical: 2))
    return Size(width: inner.width + 2, height: inner.height + 2)
  }

  override func draw(in region: Region) {
    content.draw(in: region.inset(left: 1, top: 1, right: 1, bottom: 1))
    let (width, height) = (region.rect.width, region.rect.height)
    guard width >= 2, height >= 2 else { return }
    var style = environment.style
    style.foreground = color
    if !environment.isPlain { drawLines(width, height, style, in: region) }
    if let title, width > 6 {
      style.foreground = titleStyle.foreground
      style.attributes.formUnion(titleStyle.attributes)
      region.inset(left: 2, right: 2).write(
        environment.isPlain ? title : " " + title + " ", style: style)
    }
  }

  private static let corners = ["╭", "╮", "╰", "╯"]
  private static let across = Array(Glyphs("─"))
  private static let down = Array(Glyphs("│"))

  private func drawLines(_ width: Int, _ height: Int, _ style: Style, in region: Region) {
    // Filled, not written: a wall of cells has more lines around it than text in it.
    for glyph in Self.across {
      region.inset(left: 1, right: 1, bottom: height - 1).fill(Cell(glyph, style: style))
      region.inset(left: 1, top: height - 1, right: 1).fill(Cell(glyph, style: style))
    }
    for glyph in Self.down {
      region.inset(top: 1, right: width - 1, bottom: 1).fill(Cell(glyph, style: style))
      region.inset(left: width - 1, top: 1, bottom: 1).fill(Cell(glyph, style: style))
    }
    for (index, corner) in Self.corners.enumerated() {
      region.write(
        corner, x: index % 2 == 0 ? 0 : width - 1, y: index < 2 ? 0 : height - 1, style: style)
    }
  }
}

extension View {
  /// How important its room is in its stack: where there is too little, those of a higher priority
  /// have what they would like before those of a lower one get any.
  public func layoutPriority(_ value: Double) -> some View {
    Modified(self) { context, node in PriorityNode(context, node, priority: value) }
  }
}

private final class PriorityNode: WrapperNode {
  private let priority: Double

  init(_ context: ViewContext, _ content: Node, priority: Double) {
    self.priority = priority
    super.init(context, content)
  }

  override var layoutPriority: Double { priority }
}
