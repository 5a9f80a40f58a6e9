extension View {
  /// Places this view in a frame of a fixed size, in cells.
  ///
  /// `.infinity` takes all available room; `nil` keeps the size of the view in that direction.
  public func frame(
    width: Int? = nil, height: Int? = nil, alignment: Alignment = .center
  ) -> some View {
    Modified(self) { context, node in
      FrameNode(
        context, node, width: .init(width), height: .init(height), alignment: alignment)
    }
  }

  /// Places this view in a frame whose size has limits, in cells.
  ///
  /// In a direction with a maximum, the frame takes the room it is offered, within the limits;
  /// `.infinity` takes all of it. Without a maximum, the frame has the size of the view, or the
  /// minimum if that is larger. Where it is asked how large it wants to be, as by a sheet, it has
  /// its ideal size, if there is one.
  public func frame(
    minWidth: Int? = nil, idealWidth: Int? = nil, maxWidth: Int? = nil,
    minHeight: Int? = nil, idealHeight: Int? = nil, maxHeight: Int? = nil,
    alignment: Alignment = .center
  ) -> some View {
    Modified(self) { context, node in
      FrameNode(
        context, node, width: .init(minWidth, idealWidth, maxWidth),
        height: .init(minHeight, idealHeight, maxHeight), alignment: alignment)
    }
  }

  /// Adds blank cells on all sides.
  public func padding(_ length: Int = 1) -> some View {
    padding(EdgeInsets(top: length, leading: length, bottom: length, trailing: length))
  }

  /// Adds blank cells at the given edges.
  public func padding(_ edges: EdgeSet, _ length: Int = 1) -> some View {
    padding(
      EdgeInsets(
        top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
        bottom: edges.contains(.bottom) ? length : 0,
        trailing: edges.contains(.trailing) ? length : 0))
  }

  /// Adds blank cells, a number for each edge.
  public func padding(_ insets: EdgeInsets) -> some View {
    Modified(self) { context, node in InsetNode(context, node, edges: insets) }
  }

  /// Draws a border around this view, with an optional title in its top edge.
  public func border(_ title: String? = nil, color: KeyPath<Theme, Color> = \.separator)
    -> some View
  {
    Modified(self) { context, node in
      let theme = context.environment.theme
      // The colour of separators is too faint for a title, which has to be readable.
      let titleColor = color == \.separator ? \.secondary : color
      return BorderNode(
        context, node, title: title, color: theme[keyPath: color],
        titleStyle: Style(foreground: theme[keyPath: titleColor], attributes: .bold))
    }
  }

  /// Draws a border in a colour around this view, with an optional title in another colour.
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

  /// Creates insets; edges that are not given have none.
  public init(top: Int = 0, leading: Int = 0, bottom: Int = 0, trailing: Int = 0) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }
}

/// A set of edges.
public struct EdgeSet: OptionSet, Hashable, Sendable {
  /// One bit for each edge.
  public let rawValue: Int

  /// Creates the set of edges whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The top edge.
  public static let top = EdgeSet(rawValue: 1)
  /// The left edge.
  public static let leading = EdgeSet(rawValue: 2)
  /// The bottom edge.
  public static let bottom = EdgeSet(rawValue: 4)
  /// The right edge.
  public static let trailing = EdgeSet(rawValue: 8)
  /// The left and the right edge.
  public static let horizontal: EdgeSet = [.leading, .trailing]
  /// The top and the bottom edge.
  public static let vertical: EdgeSet = [.top, .bottom]
  /// All four edges.
  public static let all: EdgeSet = [.horizontal, .vertical]
}

private final class FrameNode: WrapperNode {
  /// The limits of the length in a direction.
  struct Limits {
    let (min, ideal, max): (Int?, Int?, Int?)

    init(_ min: Int?, _ ideal: Int?, _ max: Int?) {
      // An infinite minimum is treated as an infinite maximum, and an infinite ideal as none.
      (self.min, self.max) = min == .infinity ? (nil, .infinity) : (min, max)
      self.ideal = ideal == .infinity ? nil : ideal
    }

    /// Creates the limits of a fixed length: it stays even if it is longer than the room, and the
    /// view around the frame clips it.
    init(_ length: Int?) {
      self = length == .infinity ? Limits(nil, nil, length) : Limits(length, length, length)
    }

    func expands(_ content: Bool) -> Bool {
      max != nil && max == min ? false : max != nil || content
    }

    func clamp(_ length: Int) -> Int { Swift.max(min ?? 0, Swift.min(max ?? .max, length)) }

    /// The length to propose to the content.
    func proposal(_ proposed: Int?) -> Int? { (proposed ?? ideal).map(clamp) }

    /// The length of the frame around content of a length.
    func length(proposed: Int?, inner: Int) -> Int {
      guard let proposed else { return clamp(ideal ?? inner) }
      return clamp(max == nil ? inner : proposed)
    }
  }

  private let width: Limits
  private let height: Limits
  private let alignment: Alignment

  init(
    _ context: ViewContext, _ content: Node, width: Limits, height: Limits, alignment: Alignment
  ) {
    (self.width, self.height, self.alignment) = (width, height, alignment)
    super.init(context, content)
  }

  override func expands(_ axis: Axis) -> Bool {
    (axis == .horizontal ? width : height).expands(content.expands(axis))
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let inner = content.size(
      ProposedSize(
        width: width.proposal(proposal.width), height: height.proposal(proposal.height)))
    return Size(
      width: width.length(proposed: proposal.width, inner: inner.width),
      height: height.length(proposed: proposal.height, inner: inner.height))
  }

  override func draw(in region: Region) {
    let size = content.size(ProposedSize(region.rect.size))
    content.draw(in: region.part(alignment.place(size, in: region.rect)))
  }
}

/// A node that leaves room at the edges of its content.
class InsetNode: WrapperNode {
  private let edges: EdgeInsets

  init(_ context: ViewContext, _ content: Node, edges: EdgeInsets) {
    self.edges = edges
    super.init(context, content)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let (across, down) = (edges.leading + edges.trailing, edges.top + edges.bottom)
    let inner = content.size(proposal.inset(horizontal: across, vertical: down))
    return Size(width: inner.width + across, height: inner.height + down)
  }

  override func draw(in region: Region) {
    content.draw(
      in: region.inset(
        left: edges.leading, top: edges.top, right: edges.trailing, bottom: edges.bottom))
  }
}

final class BorderNode: InsetNode {
  private let title: String?
  private let color: Color
  private let titleStyle: Style

  init(
    _ context: ViewContext, _ content: Node, title: String?, color: Color, titleStyle: Style
  ) {
    self.title = title
    self.color = color
    self.titleStyle = titleStyle
    // The room for the lines; in plain mode only the title takes a row.
    super.init(
      context, content,
      edges: context.environment.isPlain
        ? EdgeInsets(top: title == nil ? 0 : 1)
        : EdgeInsets(top: 1, leading: 1, bottom: 1, trailing: 1))
  }

  override func draw(in region: Region) {
    super.draw(in: region)
    let (width, height) = (region.rect.width, region.rect.height)
    guard width >= 2, height >= 2 else { return }
    var style = environment.style
    style.foreground = color
    if !environment.isPlain { drawLines(style, in: region) }
    if let title, width > 6 {
      style.foreground = titleStyle.foreground
      style.attributes.formUnion(titleStyle.attributes)
      // In the line of the border, blanks set it apart.
      let (edge, blank) = environment.isPlain ? (0, "") : (2, " ")
      let gap = StyledText(blank, style: style).truncated(width: 1)
      let text = StyledText(title, style: style).truncated(width: width - 2 * (edge + gap.width))
      let line = region.inset(left: edge, right: edge)
      line.write(gap + text + gap, at: line.rect.origin)
    }
  }

  private static let glyphs = Array(Glyphs("─│╭╮╰╯"))

  private func drawLines(_ style: Style, in region: Region) {
    let (rect, clip, glyphs) = (region.rect, region.clip, Self.glyphs)
    // Filled rather than written glyph by glyph, because on screens full of bordered cells most of
    // the drawing is lines.
    region.paint { cells in
      for y in [rect.minY, rect.maxY - 1] {
        let line = Rect(x: rect.minX, y: y, width: rect.width, height: 1)
        cells.fill(line.intersection(clip), with: Cell(glyphs[0], style: style))
      }
      for x in [rect.minX, rect.maxX - 1] {
        let line = Rect(x: x, y: rect.minY, width: 1, height: rect.height)
        cells.fill(line.intersection(clip), with: Cell(glyphs[1], style: style))
        for y in [rect.minY, rect.maxY - 1] {
          let corner = glyphs[(x == rect.minX ? 2 : 3) + (y == rect.minY ? 0 : 2)]
          cells.put(corner, at: Point(x: x, y: y), style: style, clip: clip)
        }
      }
    }
  }
}

extension View {
  /// Sets the priority with which this view gets room in its stack.
  ///
  /// If there is too little room, views of a higher priority get the room they want before those of
  /// a lower one get any.
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
