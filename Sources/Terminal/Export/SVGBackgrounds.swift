/// The areas of one colour behind the text of a buffer, with equal areas in adjacent rows merged.
struct SVGBackgrounds {
  /// SVG elements, from top left to bottom right.
  private(set) var elements: [String] = []

  private struct Span: Hashable {
    var columns: Range<Int>
    var fill: String
  }

  init(_ buffer: CellBuffer, theme: SVGTheme) {
    // Areas that may continue in the next row, with the row in which they begin.
    var open: [Span: Int] = [:]
    var areas: [(rows: Range<Int>, span: Span)] = []
    for y in 0...buffer.size.height {
      let spans = y < buffer.size.height ? Self.spans(buffer.row(y), theme: theme) : []
      for (span, start) in open where !spans.contains(span) {
        areas.append((start..<y, span))
        open[span] = nil
      }
      for span in spans where open[span] == nil { open[span] = y }
    }
    areas.sort {
      ($0.rows.lowerBound, $0.span.columns.lowerBound)
        < ($1.rows.lowerBound, $1.span.columns.lowerBound)
    }
    elements = areas.map { rows, span in
      """
      <rect x="\(span.columns.lowerBound * SVGExporter.cellWidth)" \
      y="\(rows.lowerBound * SVGExporter.cellHeight)" \
      width="\(span.columns.count * SVGExporter.cellWidth)" \
      height="\(rows.count * SVGExporter.cellHeight)" fill="\(span.fill)"/>
      """
    }
  }

  private static func spans(_ row: ArraySlice<Cell>, theme: SVGTheme) -> [Span] {
    var spans: [Span] = []
    for (x, cell) in row.enumerated() {
      let fill = theme.background(of: cell.style)
      guard fill != theme.background else { continue }
      if let last = spans.last, last.columns.upperBound == x, last.fill == fill {
        spans[spans.count - 1].columns = last.columns.lowerBound..<(x + 1)
      } else {
        spans.append(Span(columns: x..<(x + 1), fill: fill))
      }
    }
    return spans
  }
}

extension SVGTheme {
  /// Returns the colour behind a glyph of this style.
  func background(of style: Style) -> String {
    style.attributes.contains(.reverse)
      ? hex(style.foreground, default: foreground) : hex(style.background, default: background)
  }

  /// Returns the colour of a glyph of this style.
  func foreground(of style: Style) -> String {
    style.attributes.contains(.reverse)
      ? hex(style.background, default: background) : hex(style.foreground, default: foreground)
  }
}
