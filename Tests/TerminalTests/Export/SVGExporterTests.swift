import PseudoTerminal
import Testing

@testable import Terminal

/// What is drawn of a row, an element a line.
private func drawn(_ width: Int, draw: (inout CellBuffer) -> Void) -> String {
  var buffer = CellBuffer(size: Size(width: width, height: 1))
  draw(&buffer)
  return SVGRow(buffer.row(0), y: 0, theme: .dark).elements.joined(separator: "\n")
}

private func drawn(_ text: String, style: Style = .plain) -> String {
  drawn(columns(of: text)) { $0.write(text, at: Point(x: 0, y: 0), style: style) }
}

@Suite struct SVGExporterTests {
  @Test func `a buffer is a window with its title and its text`() {
    var buffer = CellBuffer(size: Size(width: 20, height: 2))
    buffer.write("Hello", at: Point(x: 0, y: 0))
    buffer.write("a < b & c", at: Point(x: 2, y: 1), style: Style(background: .blue))
    #expect(
      SVGExporter(title: "a \"b\" & c\u{1B}").string(from: buffer) == """
        <svg xmlns="http://www.w3.org/2000/svg" width="208" height="102" viewBox="0 0 208 102" \
        role="img" font-family="ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', \
        'JetBrains Mono', 'DejaVu Sans Mono', 'Liberation Mono', Consolas, 'Noto Sans Mono', \
        monospace" font-size="15">
        <style>text{white-space:pre}</style>
        <title>a &quot;b&quot; &amp; c</title>
        <rect x="0.5" y="0.5" width="207" height="101" rx="9.5" fill="#171a20" stroke="#323743"/>
        <path d="M1 34.5H207" stroke="#323743"/>
        <circle cx="20" cy="17" r="5.5" fill="#ed6a5f"/>
        <circle cx="39" cy="17" r="5.5" fill="#f4bf50"/>
        <circle cx="58" cy="17" r="5.5" fill="#61c454"/>
        <text x="104" y="22" text-anchor="middle" font-size="13" fill="#8f96a5">a &quot;b&quot; &amp;…</text>
        <g transform="translate(14 48)" shape-rendering="crispEdges" xml:space="preserve">
        <rect x="18" y="20" width="81" height="20" fill="#79aef0"/>
        <text x="0" y="15" textLength="45" lengthAdjust="spacingAndGlyphs" fill="#d8dbe2">Hello</text>
        <text x="18" y="35" textLength="81" lengthAdjust="spacingAndGlyphs" fill="#d8dbe2">\
        a &lt; b &amp; c</text>
        </g>
        </svg>

        """)
  }

  @Test func `a buffer without cells is an empty window`() {
    let svg = SVGExporter().string(from: CellBuffer(size: .zero))
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(svg.hasSuffix("xml:space=\"preserve\">\n</g>\n</svg>\n"))
    #expect(!svg.contains("<title>"))
  }

  @Test func `wide glyphs and symbols are centred in their own columns`() {
    #expect(
      drawn("a日b→") == """
        <text x="0" y="15" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#d8dbe2">a</text>
        <text x="18" y="15" text-anchor="middle" fill="#d8dbe2">日</text>
        <text x="27" y="15" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#d8dbe2">b</text>
        <text x="40.5" y="15" text-anchor="middle" fill="#d8dbe2">→</text>
        """)
  }

  @Test func `attributes become those of the text`() {
    let start = "<text x=\"0\" y=\"15\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\""
    func attributes(_ attributes: Attributes) -> String {
      let text = drawn(
        "x", style: Style(foreground: .red, background: .blue, attributes: attributes))
      return text.hasPrefix(start) ? String(text.dropFirst(start.count)) : text
    }
    #expect(attributes([]) == " fill=\"#ec7f86\">x</text>")
    #expect(attributes(.bold) == " fill=\"#ec7f86\" font-weight=\"bold\">x</text>")
    #expect(attributes(.italic) == " fill=\"#ec7f86\" font-style=\"italic\">x</text>")
    #expect(attributes(.dim) == " fill=\"#ec7f86\" opacity=\"0.6\">x</text>")
    #expect(attributes(.reverse) == " fill=\"#79aef0\">x</text>")
    #expect(
      attributes([.underline, .strikethrough])
        == " fill=\"#ec7f86\" text-decoration=\"underline line-through\">x</text>")
  }

  @Test func `blanks around words are left out unless they are underlined`() {
    #expect(drawn("   ") == "")
    #expect(
      drawn(" a  b ") == """
        <text x="9" y="15" textLength="36" lengthAdjust="spacingAndGlyphs" fill="#d8dbe2">a  b</text>
        """)
    #expect(drawn(" a ", style: Style(attributes: .underline)).contains("> a </text>"))
  }

  @Test func `a background of its own does not end a word`() {
    let text = drawn(4) {
      $0.write("ab", at: Point(x: 0, y: 0))
      $0.write("cd", at: Point(x: 2, y: 0), style: Style(background: .red))
    }
    #expect(text.contains(">abcd</text>"))
  }

  @Test func `backgrounds of one colour are one area`() {
    var buffer = CellBuffer(size: Size(width: 6, height: 4))
    let red = Cell(style: Style(background: .red))
    buffer.fill(Rect(x: 0, y: 0, width: 3, height: 2), with: red)
    buffer.fill(Rect(x: 3, y: 1, width: 2, height: 1), with: Cell(style: Style(background: .blue)))
    buffer.fill(
      Rect(x: 0, y: 3, width: 1, height: 1), with: Cell(style: Style(attributes: .reverse)))
    #expect(
      SVGBackgrounds(buffer, theme: .dark).elements == [
        "<rect x=\"0\" y=\"0\" width=\"27\" height=\"40\" fill=\"#ec7f86\"/>",
        "<rect x=\"27\" y=\"20\" width=\"18\" height=\"20\" fill=\"#79aef0\"/>",
        "<rect x=\"0\" y=\"60\" width=\"9\" height=\"20\" fill=\"#d8dbe2\"/>",
      ])
  }

  @Test func `blocks are areas, and alike ones in a row one area`() {
    #expect(
      drawn("███▌▚") == """
        <rect x="0" y="0" width="27" height="20" fill="#d8dbe2"/>
        <rect x="27" y="0" width="4.5" height="20" fill="#d8dbe2"/>
        <rect x="36" y="0" width="4.5" height="10" fill="#d8dbe2"/>
        <rect x="40.5" y="10" width="4.5" height="10" fill="#d8dbe2"/>
        """)
    #expect(
      drawn("▒", style: Style(attributes: .dim)) == """
        <rect x="0" y="0" width="9" height="20" fill="#d8dbe2" opacity="0.3"/>
        """)
  }

  @Test func `every block covers what its name says`() {
    func areas(_ character: Unicode.Scalar) -> [[Int]]? {
      BlockElements.areas(of: character.value)?.map { [$0.x, $0.y, $0.width, $0.height] }
    }
    #expect(areas("▀") == [[0, 0, 8, 4]])
    #expect(areas("▁") == [[0, 7, 8, 1]])
    #expect(areas("▇") == [[0, 1, 8, 7]])
    #expect(areas("█") == [[0, 0, 8, 8]])
    #expect(areas("▉") == [[0, 0, 7, 8]])
    #expect(areas("▏") == [[0, 0, 1, 8]])
    #expect(areas("▐") == [[4, 0, 4, 8]])
    #expect(areas("▔") == [[0, 0, 8, 1]])
    #expect(areas("▕") == [[7, 0, 1, 8]])
    #expect(areas("▖") == [[0, 4, 4, 4]])
    #expect(areas("▗") == [[4, 4, 4, 4]])
    #expect(areas("▘") == [[0, 0, 4, 4]])
    #expect(areas("▙") == [[0, 0, 4, 4], [0, 4, 4, 4], [4, 4, 4, 4]])
    #expect(areas("▚") == [[0, 0, 4, 4], [4, 4, 4, 4]])
    #expect(areas("▛") == [[0, 0, 4, 4], [4, 0, 4, 4], [0, 4, 4, 4]])
    #expect(areas("▜") == [[0, 0, 4, 4], [4, 0, 4, 4], [4, 4, 4, 4]])
    #expect(areas("▝") == [[4, 0, 4, 4]])
    #expect(areas("▞") == [[4, 0, 4, 4], [0, 4, 4, 4]])
    #expect(areas("▟") == [[4, 0, 4, 4], [0, 4, 4, 4], [4, 4, 4, 4]])
    #expect(
      ["░", "▒", "▓"].map { BlockElements.areas(of: ($0 as Unicode.Scalar).value)?[0].opacity } == [
        0.25, 0.5, 0.75,
      ])
    #expect(areas("■") == nil)
  }

  @Test func `lines are strokes that meet at the edges of their cells`() {
    func path(_ data: String, width: Int = 1, _ more: String = "") -> String {
      """
      <path d="\(data)" fill="none" stroke="#d8dbe2" stroke-width="\(width)" \
      stroke-linecap="square"\(more)/>
      """
    }
    #expect(drawn("───") == path("M0 9.5H27"))
    #expect(drawn("│") == path("M4.5 0V20"))
    #expect(drawn("┤") == path("M0 9.5H4.5M4.5 0V20"))
    #expect(drawn("┏") == path("M4.5 9.5H9M4.5 9.5V20", width: 3))
    #expect(drawn("┝") == path("M4.5 0V20") + "\n" + path("M4.5 9.5H9", width: 3))
    #expect(drawn("╭") == path("M4.5 20V14Q4.5 9.5 9 9.5", " shape-rendering=\"auto\""))
    #expect(drawn("╯") == path("M4.5 0V5Q4.5 9.5 0 9.5", " shape-rendering=\"auto\""))
    #expect(drawn("═").contains("text-anchor=\"middle\""))
  }

  @Test func `no text breaks the markup, and the same cells give the same bytes`() {
    forEachSeed(50) { generator, seed in
      var buffer = CellBuffer(size: Size(width: 30, height: 3))
      for y in 0..<3 { buffer.write(generator.hostileText(length: 30), at: Point(x: 0, y: y)) }
      let exporter = SVGExporter(title: generator.hostileText(length: 5))
      let svg = exporter.string(from: buffer)
      #expect(svg == exporter.string(from: buffer), "seed \(seed)")
      let scalars = svg.unicodeScalars
      #expect(scalars.count { $0 == "<" } == scalars.count { $0 == ">" }, "seed \(seed)")
      #expect(
        scalars.allSatisfy {
          $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
        }, "seed \(seed)")
    }
  }
}
