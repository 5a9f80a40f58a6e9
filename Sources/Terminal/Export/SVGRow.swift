/// The text, blocks and lines of one row, which are drawn over its backgrounds.
struct SVGRow {
  /// SVG elements, from left to right.
  private(set) var elements: [String] = []
  private let top: Int
  private let theme: SVGTheme

  /// Adjacent glyphs that are drawn as one element.
  private struct Piece {
    var column: Int
    var glyphs: [Glyph]
    var style: Style

    func continues(with glyph: Glyph, style: Style) -> Bool {
      guard style == self.style, let last = glyphs.last else { return false }
      return last.isLetter && glyph.isLetter || last == glyph && glyph.isSeamless
    }
  }

  init(_ row: ArraySlice<Cell>, y: Int, theme: SVGTheme) {
    top = y * SVGExporter.cellHeight
    self.theme = theme
    var pieces: [Piece] = []
    for (x, cell) in row.enumerated() where cell.glyph.width > 0 {
      var style = cell.style
      // The background is drawn separately, so a change of it does not end a word.
      if !style.attributes.contains(.reverse) { style.background = .default }
      if let last = pieces.last, last.continues(with: cell.glyph, style: style) {
        pieces[pieces.count - 1].glyphs.append(cell.glyph)
      } else {
        pieces.append(Piece(column: x, glyphs: [cell.glyph], style: style))
      }
    }
    for piece in pieces { append(piece) }
  }

  private mutating func append(_ piece: Piece) {
    let first = piece.glyphs[0]
    if first.isLetter {
      appendText(piece)
    } else if let areas = BlockElements.areas(of: first.scalar) {
      for area in areas { append(area, of: piece) }
    } else if let strokes = BoxDrawing.strokes(of: first.scalar) {
      append(strokes, of: piece)
    } else {
      appendCentred(piece)
    }
  }

  /// Appends letters as one text that is exactly as long as its columns.
  private mutating func appendText(_ piece: Piece) {
    var glyphs = piece.glyphs[...]
    if piece.style.attributes.isDisjoint(with: [.underline, .strikethrough]) {
      glyphs = glyphs.drop { $0 == .space }
      while glyphs.last == .space { glyphs.removeLast() }
    }
    guard !glyphs.isEmpty else { return }
    elements.append(
      """
      <text x="\((piece.column + glyphs.startIndex) * SVGExporter.cellWidth)" \
      y="\(top + SVGExporter.baseline)" textLength="\(glyphs.count * SVGExporter.cellWidth)" \
      lengthAdjust="spacingAndGlyphs"\(textAttributes(piece.style))>\
      \(glyphs.map(\.text).joined().escapedForXML)</text>
      """)
  }

  /// Appends a glyph centred in its columns, because its width in the viewer's font is unknown.
  private mutating func appendCentred(_ piece: Piece) {
    let glyph = piece.glyphs[0]
    let middle = Double((2 * piece.column + Int(glyph.width)) * SVGExporter.cellWidth) / 2
    elements.append(
      """
      <text x="\(middle.short)" y="\(top + SVGExporter.baseline)" text-anchor="middle"\
      \(textAttributes(piece.style))>\(glyph.text.escapedForXML)</text>
      """)
  }

  private mutating func append(_ area: BlockElements.Area, of piece: Piece) {
    let x = Double(piece.column) + Double(area.x) / 8
    let width = Double(area.width) / 8 + Double(piece.glyphs.count - 1)
    elements.append(
      """
      <rect x="\((x * Double(SVGExporter.cellWidth)).short)" \
      y="\((Double(top) + Double(area.y * SVGExporter.cellHeight) / 8).short)" \
      width="\((width * Double(SVGExporter.cellWidth)).short)" \
      height="\((Double(area.height * SVGExporter.cellHeight) / 8).short)" \
      fill="\(theme.foreground(of: piece.style))"\(opacity(piece.style, area.opacity))/>
      """)
  }

  private mutating func append(_ strokes: BoxDrawing.Strokes, of piece: Piece) {
    let left = Double(piece.column * SVGExporter.cellWidth)
    let box = (
      left: left, right: left + Double(piece.glyphs.count * SVGExporter.cellWidth),
      top: Double(top), bottom: Double(top + SVGExporter.cellHeight)
    )
    // The lines cross in the middle of the cell, in the middle of a pixel.
    for (width, data) in strokes.paths(in: box, crossingAt: left + 4.5, box.top + 9.5) {
      elements.append(
        """
        <path d="\(data)" fill="none" stroke="\(theme.foreground(of: piece.style))" \
        stroke-width="\(width)" stroke-linecap="square"\
        \(strokes.isRounded ? " shape-rendering=\"auto\"" : "")\(opacity(piece.style, 1))/>
        """)
    }
  }

  private func textAttributes(_ style: Style) -> String {
    var attributes = " fill=\"\(theme.foreground(of: style))\""
    if style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
    if style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
    var lines: [String] = []
    if style.attributes.contains(.underline) { lines.append("underline") }
    if style.attributes.contains(.strikethrough) { lines.append("line-through") }
    if !lines.isEmpty { attributes += " text-decoration=\"\(lines.joined(separator: " "))\"" }
    return attributes + opacity(style, 1)
  }

  private func opacity(_ style: Style, _ opacity: Double) -> String {
    let opacity = opacity * (style.attributes.contains(.dim) ? 0.6 : 1)
    return opacity < 1 ? " opacity=\"\(opacity.short)\"" : ""
  }
}

extension Glyph {
  /// Whether it is Latin, Greek or Cyrillic, which every monospaced font has in one width.
  fileprivate var isLetter: Bool { width == 1 && scalar < 0x530 }

  /// Whether copies of it side by side form one area or line.
  fileprivate var isSeamless: Bool {
    switch scalar {
    case 0x2500, 0x2501, 0x2580...0x2588, 0x2591...0x2594: true
    default: false
    }
  }
}

extension Double {
  /// The number, at least 0, with up to three decimals and no trailing zeros: `4.5`, `18`.
  var short: String {
    let thousandths = Int(max(0, self) * 1000 + 0.5)
    let fraction = thousandths % 1000
    guard fraction != 0 else { return "\(thousandths / 1000)" }
    var digits = String(1000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(thousandths / 1000).\(digits)"
  }
}
