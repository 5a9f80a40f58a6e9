/// A picture that already consists of cells.
public struct Image: PrimitiveView {
  let cells: CellBuffer
  let label: String

  /// Creates an image that shows the cells unchanged; plain mode shows `label` instead.
  public init(_ cells: CellBuffer, label: String = "Picture") {
    self.cells = cells
    self.label = label
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    if context.environment.isPlain {
      return context.resolve(Text(context.environment.accessibilityLabel ?? label))
    }
    return [
      LeafNode(context, size: { _ in cells.size }) { context, region in
        region.draw(cells, context.environment)
      }
    ]
  }
}

extension Region {
  /// Draws the cells unchanged, starting in the upper left corner of the region.
  func draw(_ cells: CellBuffer, _ environment: EnvironmentValues) {
    let origin = rect.origin
    let shown = clip.intersection(Rect(origin: origin, size: cells.size))
    frame.declare(.picture(shown))
    let (glyph, style) = (environment.redactionStyle.glyph, environment.redactedStyle)
    let isRedacted = !environment.redactionReasons.isEmpty
    paint { screen in
      for y in shown.minY..<shown.maxY {
        for x in shown.minX..<shown.maxX {
          let cell =
            isRedacted ? Cell(glyph, style: style) : cells[x - origin.x, y - origin.y]
          screen.put(cell.glyph, at: Point(x: x, y: y), style: cell.style, clip: shown)
        }
      }
    }
  }
}
