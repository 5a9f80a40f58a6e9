import PseudoTerminal
import Testing

@testable import Terminal

/// The exported text with `^` for ESC.
private func ansi(
  _ width: Int, _ height: Int = 1, draw: (inout CellBuffer) -> Void
) -> String {
  var buffer = CellBuffer(size: Size(width: width, height: height))
  draw(&buffer)
  return ANSIExporter().string(from: buffer)
    .split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "^")
}

@Suite struct ANSIExporterTests {
  @Test func `plain cells are plain text without blanks at the end`() {
    let text = ansi(8, 3) {
      $0.write("a  b", at: Point(x: 0, y: 0))
      $0.write("日本", at: Point(x: 1, y: 2))
    }
    #expect(text == "a  b\n\n 日本")
    #expect(ansi(0, 0) { _ in } == "")
  }

  @Test func `a style is written where it begins and taken back where it ends`() {
    let text = ansi(10) {
      $0.write("ab", at: Point(x: 1, y: 0), style: Style(attributes: .bold))
      $0.write("c", at: Point(x: 3, y: 0))
      $0.write("d", at: Point(x: 4, y: 0), style: Style(foreground: .red, attributes: .italic))
    }
    #expect(text == " ^[0;1mab^[0mc^[0;3;31md^[0m")
  }

  @Test func `all attributes have their codes`() {
    let all: Attributes = [.bold, .dim, .italic, .underline, .reverse, .strikethrough]
    #expect(
      ansi(1) { $0.write("x", at: Point(x: 0, y: 0), style: Style(attributes: all)) }
        == "^[0;1;2;3;4;7;9mx^[0m")
  }

  @Test func `colours are written by their kind`() {
    func written(_ foreground: Color, _ background: Color) -> String {
      ansi(1) {
        $0.write(
          "x", at: Point(x: 0, y: 0), style: Style(foreground: foreground, background: background))
      }
    }
    let orange = Color(red: 255, green: 140, blue: 0)
    #expect(written(.green, .white) == "^[0;32;47mx^[0m")
    #expect(written(.gray, .palette(15)) == "^[0;90;107mx^[0m")
    #expect(written(.palette(16), .palette(255)) == "^[0;38;5;16;48;5;255mx^[0m")
    #expect(written(orange, .default) == "^[0;38;2;255;140;0mx^[0m")
  }

  @Test func `blanks that show something stay at the end of a line`() {
    #expect(
      ansi(4) {
        $0.fill(Rect(x: 1, y: 0, width: 2, height: 1), with: Cell(style: Style(background: .blue)))
      } == " ^[0;44m  ^[0m")
    #expect(
      ansi(2) {
        $0.fill(Rect(x: 0, y: 0, width: 1, height: 1), with: Cell(style: Style(foreground: .blue)))
      } == "")
    #expect(
      ansi(1) {
        $0.fill($0.bounds, with: Cell(style: Style(attributes: .underline)))
      } == "^[0;4m ^[0m")
  }
}

@Suite struct XtermPaletteTests {
  @Test func `the cube and the ramp have their colours`() throws {
    func components(_ index: UInt8) -> [UInt8]? {
      XtermPalette.rgb(of: index).map { [$0.red, $0.green, $0.blue] }
    }
    #expect(components(15) == nil)
    #expect(components(16) == [0, 0, 0])
    #expect(components(208) == [255, 135, 0])
    #expect(components(231) == [255, 255, 255])
    #expect(components(232) == [8, 8, 8])
    #expect(components(255) == [238, 238, 238])
  }

  @Test func `no entry is nearer than the one that is found`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let color = (0..<3).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      func distance(_ index: UInt8) throws -> Int {
        let other = try #require(XtermPalette.rgb(of: index))
        let differences = zip(color, [other.red, other.green, other.blue]).map { Int($0) - Int($1) }
        return differences.reduce(0) { $0 + $1 * $1 }
      }
      let found = XtermPalette.nearest(to: RGB(color[0], color[1], color[2]))
      let least = try (16...255).map { try distance($0) }.min()
      #expect(try distance(found) == least, "\(color)")
    }
  }

  @Test func `each entry is nearest to itself`() throws {
    for index in UInt8(16)...255 {
      let color = try #require(XtermPalette.rgb(of: index))
      #expect(XtermPalette.rgb(of: XtermPalette.nearest(to: color)) == color)
    }
  }
}
