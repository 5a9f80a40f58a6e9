/// A region whose cells the program draws itself, for example a chart.
///
/// It takes all the room it is offered, and one cell when it is measured without a proposal. It is
/// drawn again whenever an observable model that the closure reads changes.
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

  /// Creates a region that `draw` fills, starting from blank cells; plain mode shows `label`
  /// instead.
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
    return [
      LeafNode(context, expands: { _ in true }) { context, region in
        guard !region.isHidden else { return }
        let blank = Cell(style: context.environment.style)
        var cells = CellBuffer(size: region.rect.size, filledWith: blank)
        context.readingToDraw { draw(&cells) }
        region.draw(cells, context.environment)
      }
    ]
  }
}
