extension View {
  /// Draws another view in front of this one, in the same region.
  ///
  /// If this view consists of several, they are stacked from top to bottom.
  public func overlay<Overlay: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Overlay
  ) -> some View {
    layered(content(), .overlay, alignment, isInFront: true)
  }

  /// Draws another view behind this one, in the same region.
  ///
  /// If this view consists of several, they are stacked from top to bottom.
  public func background<Background: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Background
  ) -> some View {
    layered(content(), .background, alignment, isInFront: false)
  }

  private func layered(
    _ other: some View, _ role: ViewPath.StaticRole, _ alignment: Alignment, isInFront: Bool
  ) -> Modified<Self> {
    Modified(self, role: .content, isJoined: true) { context, node in
      let other = context.child(.role(role)).node(other)
      return DrawnNode(context, node) { _, content, region in
        let size = other.size(ProposedSize(region.rect.size))
        let place = region.part(alignment.place(size, in: region.rect))
        if !isInFront { other.draw(in: place) }
        content.draw(in: region)
        if isInFront { other.draw(in: place) }
      }
    }
  }

  /// Fills the cells behind this view with a colour.
  public func background(_ color: Color) -> some View {
    transformEnvironment { $0.style.background = color }.background { color }
  }
}

/// A colour is a view that fills its region.
extension Color: View {
  /// A colour has no body: it draws itself.
  public var body: Never { preconditionFailure("a colour draws itself and has no body") }
}

extension Color: PrimitiveView {
  func makeNodes(_ context: ViewContext) -> [Node] {
    [LeafNode(context, expands: { _ in true }) { $1.fill(Style(background: self)) }]
  }
}

/// A line across its stack: vertical in an ``HStack``, otherwise horizontal.
public struct Divider: PrimitiveView {
  let axis: Axis?

  /// Creates a line in a direction; by default, across the stack.
  public init(_ axis: Axis? = nil) { self.axis = axis }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let axis = axis ?? context.environment.stackAxis.other
    return [
      LeafNode(
        context, expands: { $0 == axis },
        size: { Size(axis, main: $0[axis] ?? 1, cross: min(1, $0[axis.other] ?? 1)) }
      ) { context, region in
        guard !context.environment.isPlain else { return }
        var style = context.environment.style
        style.foreground = context.environment.theme.separator
        if axis == .horizontal {
          region.write(String(repeating: "─", count: region.rect.width), style: style)
        } else {
          for y in 0..<region.rect.height { region.write("│", y: y, style: style) }
        }
      }
    ]
  }
}

/// A view whose content depends on the size of its region.
public struct GeometryReader<Content: View>: PrimitiveView {
  let content: (Size) -> Content

  /// Creates a reader; `content` is given the size of the region, which is all the available room.
  public init(@ViewBuilder content: @escaping (Size) -> Content) { self.content = content }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content))
    context.owner.element?.hold(inner.path)
    return [GeometryNode(context) { size in inner.hosted { content(size) } }]
  }
}

private final class GeometryNode: Node {
  private let make: (Size) -> Node
  private var made: (size: Size, node: Node)?

  init(_ context: ViewContext, make: @escaping (Size) -> Node) {
    self.make = make
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: proposal.width ?? 1, height: proposal.height ?? 1)
  }

  override func draw(in region: Region) {
    let node =
      made.flatMap { $0.size == region.rect.size ? $0.node : nil } ?? make(region.rect.size)
    made = (region.rect.size, node)
    let size = node.size(ProposedSize(region.rect.size))
    node.draw(in: region.part(Rect(origin: region.rect.origin, size: size)))
  }
}
