import PseudoTerminal

@testable import Terminal

/// The first cell where a terminal does not show what it should, in words; `nil` where there is none.
@MainActor
func firstDifference(
  of screen: EmulatedScreen, from buffer: CellBuffer, by painter: CursesPainter
) -> String? {
  for y in 0..<buffer.size.height {
    let row = screen.row(y)
    for x in 0..<buffer.size.width {
      let expected = expectedCell(buffer[x, y], depth: painter.depth)
      guard visible(row[x]) != visible(expected) else { continue }
      // Not every terminal can draw a wide character at the end of its last row.
      let isCorner =
        !painter.drawsWideCorner && y + 1 == buffer.size.height && x + 3 >= buffer.size.width
      if isCorner, row[x].text == (expected.text.isEmpty ? " " : "▯") { continue }
      // The right half of a wide character has no look of its own.
      if row[x].text.isEmpty, expected.text.isEmpty { continue }
      return "at (\(x), \(y)) \(row[x]) instead of \(expected)\n\(screen.text)\n---\n\(buffer.text)"
    }
  }
  return nil
}

private func expectedCell(_ cell: Cell, depth: ColorDepth) -> EmulatedCell {
  func color(_ color: Color) -> EmulatedColor {
    let number = Int(depth.number(of: color))
    if number < 0 { return .default }
    guard depth == .direct, number > 7 else { return .palette(number) }
    return .rgb(number >> 16, number >> 8 & 0xFF, number & 0xFF)
  }
  let attributes: [(Attributes, EmulatedStyle.Attribute)] = [
    (.bold, .bold), (.dim, .dim), (.italic, .italic), (.underline, .underline),
    (.reverse, .reverse),
  ]
  let style = EmulatedStyle(
    foreground: color(cell.style.foreground), background: color(cell.style.background),
    attributes: Set(attributes.filter { cell.style.attributes.contains($0.0) }.map(\.1)))
  let base = cell.glyph.scalars.first
  let isMeasuredAlike = base.map { columnWidth($0) == Int(cell.glyph.width) } ?? true
  return EmulatedCell(text: isMeasuredAlike ? cell.glyph.text : "▯", style: style)
}

/// What an eye can tell of a cell: of a blank one the background and what is drawn across it.
private func visible(_ cell: EmulatedCell) -> EmulatedCell {
  var cell = cell
  guard cell.text == " " else { return cell }
  cell.style.attributes.formIntersection([.underline, .reverse])
  if cell.style.attributes.isEmpty { cell.style.foreground = .default }
  return cell
}

extension CursesPainter {
  /// The bytes that turn what was painted last into `buffer`.
  func paint(_ buffer: CellBuffer, cursor: Point?, damage: Damage? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    paint(buffer, cursor: cursor, damage: damage) { bytes = Array($0) }
    return bytes
  }
}

extension CellBuffer {
  /// The rows that differ from those of a buffer of the same size.
  func damage(since last: CellBuffer) -> Damage {
    var damage = Damage(size: size)
    for y in 0..<size.height where row(y) != last.row(y) {
      damage.insert(Rect(x: 0, y: y, width: size.width, height: 1))
    }
    return damage
  }
}
