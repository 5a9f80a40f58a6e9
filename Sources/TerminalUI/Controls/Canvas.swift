/// Cells that a program draws by itself: a chart, say.
///
/// It takes all the room it is offered, and one cell where it is asked what it would like. What the
/// closure reads of observable models is drawn again when it changes.
///
/// ```swift
/// Canvas(label: "Unread articles of a week") { cells in
///   for (x, height) in heights.enumerated() {
///     let bar = Rect(x: x, y: cells.size.height - height, width: 1, height: height)
///     cells.fill(bar, with: Cell(style: Style(background: .cyan)))
///   }
/// }
/// ```
public struct Canvas: PlacedView {
  let label: String
  let draw: @MainActor (inout CellBuffer) -> Void

  /// A region that `draw` is given as blank cells; where drawings cannot be seen it is called `label`.
  public init(
    label: String = "Drawing", draw: @escaping @MainActor (_ cells: inout CellBuffer) -> Void
  ) {
    self.label = label
    self.draw = draw
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    if context.environment.isPlain {
      return context.resolve(Text(context.environment.accessibilityLabel ?? label))
    }
    return [CanvasNode(context, draw)]
  }
}

private final class CanvasNode: RoomNode {
  private let drawCells: @MainActor (inout CellBuffer) -> Void

  init(_ context: ViewContext, _ drawCells: @escaping @MainActor (inout CellBuffer) -> Void) {
    self.drawCells = drawCells
    super.init(context)
  }

  override func draw(in region: Region) {
    guard !region.isHidden else { return }
    var cells = CellBuffer(size: region.rect.size, filledWith: Cell(style: environment.style))
    context.readingToDraw { drawCells(&cells) }
    region.draw(cells, environment)
  }
}
