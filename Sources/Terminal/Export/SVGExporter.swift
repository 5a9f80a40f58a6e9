/// Exports cells as an SVG picture of a terminal window, with real text that can be searched and
/// copied.
///
/// ```swift
/// let svg = SVGExporter(title: "argyle").string(from: buffer)
/// ```
///
/// The same cells always give the same bytes. No font is loaded: each piece of text has a fixed
/// position and length, so that columns line up in whatever font the viewer has.
public struct SVGExporter: Sendable {
  /// The title in the window's title bar.
  public var title: String
  /// The colours.
  public var theme: SVGTheme

  /// Creates an exporter of windows with this title.
  public init(title: String = "", theme: SVGTheme = .dark) {
    self.title = title
    self.theme = theme
  }

  // In pixels. A monospaced font advances by 0.6 of its size: 9 for a size of 15. Whole numbers
  // keep all edges sharp.
  static let cellWidth = 9
  static let cellHeight = 20
  static let baseline = 15
  private static let padding = 14
  private static let barHeight = 34

  /// Returns a picture of all of `buffer`.
  public func string(from buffer: CellBuffer) -> String {
    var body = SVGBackgrounds(buffer, theme: theme).elements
    for y in 0..<buffer.size.height { body += SVGRow(buffer.row(y), y: y, theme: theme).elements }
    return document(of: buffer.size, body: body)
  }

  /// Returns a window of `size` that contains `body`.
  func document(of size: Size, style: String = "", body: [String]) -> String {
    let columns = max(size.width, 12)
    let width = columns * Self.cellWidth + 2 * Self.padding
    let height = size.height * Self.cellHeight + Self.barHeight + 2 * Self.padding
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" \
      font-family="ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', 'JetBrains Mono', \
      'DejaVu Sans Mono', 'Liberation Mono', Consolas, 'Noto Sans Mono', monospace" font-size="15">
      """
    ]
    // Browsers obey `white-space` on the text itself; other viewers obey `xml:space` below.
    lines.append("<style>text{white-space:pre}\(style)</style>")
    lines += window(width: width, height: height, columns: columns)
    lines.append(
      """
      <g transform="translate(\(Self.padding) \(Self.barHeight + Self.padding))" \
      shape-rendering="crispEdges" xml:space="preserve">
      """)
    lines += body + ["</g>", "</svg>", ""]
    return lines.joined(separator: "\n")
  }

  private func window(width: Int, height: Int, columns: Int) -> [String] {
    let middle = Self.barHeight / 2
    let text = StyledText(title)
    // As far from the right edge as the dots reach from the left edge.
    let title = text.truncated(width: columns - 12).text.escapedForXML
    var lines: [String] = []
    if !title.isEmpty {
      lines.append("<title>\(text.truncated(width: .max).text.escapedForXML)</title>")
    }
    lines += [
      """
      <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="9.5" \
      fill="\(theme.background)" stroke="\(theme.edge)"/>
      """,
      "<path d=\"M1 \(Self.barHeight).5H\(width - 1)\" stroke=\"\(theme.edge)\"/>",
    ]
    for (index, dot) in theme.dots.enumerated() {
      lines.append("<circle cx=\"\(20 + 19 * index)\" cy=\"\(middle)\" r=\"5.5\" fill=\"\(dot)\"/>")
    }
    if !title.isEmpty {
      lines.append(
        """
        <text x="\(width / 2)" y="\(middle + 5)" text-anchor="middle" font-size="13" \
        fill="\(theme.title)">\(title)</text>
        """)
    }
    return lines
  }
}

extension String {
  /// The string escaped for use between tags or in double quotes.
  var escapedForXML: String {
    var escaped = ""
    for character in unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
