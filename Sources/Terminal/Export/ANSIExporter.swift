/// Cells as text with the escape sequences that give a terminal their colours and attributes.
///
/// ```swift
/// print(ANSIExporter().string(from: buffer))
/// ```
///
/// A row is a line, without blanks that would show nothing at its end, and each line ends in the
/// plain style, so that lines can be cut, sorted and joined.
public struct ANSIExporter: Sendable {
  /// How colours are written.
  public enum Colors: Hashable, Sendable {
    /// As they are: RGB colours need a terminal that knows them.
    case trueColor
    /// RGB colours as the nearest of the 240 that all terminals with 256 colours share.
    case palette256
  }

  /// How colours are written.
  public var colors: Colors

  /// An exporter that writes RGB colours as they are, unless told otherwise.
  public init(colors: Colors = .trueColor) { self.colors = colors }

  /// Everything in `buffer`: its rows with a newline between them.
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

  /// Starts from nothing each time: what a terminal makes of "not bold" is not the same everywhere.
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
      switch colors {
      case .trueColor: ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
      case .palette256:
        ["\(base + 8)", "5", "\(XtermPalette.nearest(red: red, green: green, blue: blue))"]
      }
    }
  }

  private static let codes: [(Attributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    (.strikethrough, "9"),
  ]
}

extension Cell {
  /// Whether leaving it out at the end of a line changes nothing that is seen.
  fileprivate var isInvisible: Bool {
    glyph == .space && style.background == .default
      && style.attributes.isDisjoint(with: [.underline, .reverse, .strikethrough])
  }
}
