/// Exports cells as text with escape sequences for colours and attributes.
///
/// ```swift
/// print(ANSIExporter().string(from: buffer))
/// ```
///
/// Each row becomes a line without invisible trailing blanks. Each line ends in the plain style, so
/// that lines can be cut, sorted and joined. RGB colours need a terminal that supports them.
public struct ANSIExporter: Sendable {
  /// Creates an exporter.
  public init() {}

  /// Returns the rows of `buffer`, separated by newlines.
  public func string(from buffer: CellBuffer) -> String {
    (0..<buffer.size.height).map { line(buffer.row($0)) }.joined(separator: "\n")
  }

  private func line(_ row: ArraySlice<Cell>) -> String {
    let end = row.lastIndex { !$0.isInvisible }.map { $0 + 1 } ?? row.startIndex
    var line = ""
    var style = Style.plain
    for cell in row[..<end] where cell.glyph.width > 0 {
      if cell.style != style {
        style = cell.style
        line += sequence(for: style)
      }
      line += cell.glyph.text
    }
    return style == .plain ? line : line + sequence(for: .plain)
  }

  /// Resets all attributes first, because terminals treat codes such as “not bold” differently.
  private func sequence(for style: Style) -> String {
    var codes = ["0"]
    for (attribute, code) in Self.codes where style.attributes.contains(attribute) {
      codes.append(code)
    }
    codes += parameters(for: style.foreground, base: 30)
    codes += parameters(for: style.background, base: 40)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private func parameters(for color: Color, base: Int) -> [String] {
    switch color.kind {
    case .default: []
    case .palette(let index) where index < 8: ["\(base + Int(index))"]
    case .palette(let index) where index < 16: ["\(base + 60 + Int(index) - 8)"]
    case .palette(let index): ["\(base + 8)", "5", "\(index)"]
    case .rgb(let red, let green, let blue):
      ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
    }
  }

  private static let codes: [(Attributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    (.strikethrough, "9"),
  ]
}

extension Cell {
  /// Whether leaving the cell out at the end of a line changes nothing visible.
  fileprivate var isInvisible: Bool {
    glyph == .space && style.background == .default
      && style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
  }
}
