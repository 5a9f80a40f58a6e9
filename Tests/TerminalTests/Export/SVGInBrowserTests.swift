import Foundation
import Testing

@testable import Terminal

/// Where a real browser puts each glyph, against the cell that it came from.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium on this machine"))
struct SVGInBrowserTests {
  @Test func `every glyph stands in its own cells, the wide ones too`() throws {
    var buffer = CellBuffer(size: Size(width: 44, height: 8))
    for (y, text) in [
      "Plain, wide 全角と半角 and plain again", "네모 칸 · 表 · 🧦🧦 · é · ǹ̈ · →",
      "한a全b☃c🙂d👩‍👩‍👧e", "Ελληνικά, кириллица, ¿qué?", "שלום עולם and مرحبا",
      "┌──┐ ▇▇▇ ▰▱ ✗ ✓ ⠋ …", "a & b < c > \"d\" 'e'", "  indented, 端末だより",
    ].enumerated() {
      let style = Style(background: y.isMultiple(of: 2) ? .default : .blue)
      buffer.write(text, at: Point(x: 0, y: y), style: style)
    }
    var unseen = Set(buffer.glyphPlaces.keys)
    for text in try Browser.texts(in: SVGExporter().string(from: buffer)) {
      for glyph in text.glyphs {
        let width = Double(SVGExporter.cellWidth)
        // Of glyphs that the font has in another width than the columns, the middle is in place.
        let column = text.isCentred ? glyph.middle / width : glyph.start / width
        let place = Point(
          x: Int((text.isCentred ? column - Double(glyph.columns) / 2 : column).rounded()),
          y: (Int(text.y) - SVGExporter.baseline) / SVGExporter.cellHeight)
        #expect(buffer.glyphPlaces[place] == glyph.text)
        let exact = Double(place.x) + (text.isCentred ? Double(glyph.columns) / 2 : 0)
        #expect(abs(column - exact) < 0.1, "\(glyph.text) at \(place)")
        unseen.remove(place)
      }
    }
    #expect(unseen.isEmpty)
  }
}

extension CellBuffer {
  /// What is drawn as text: neither blanks nor what the exporter draws as areas and strokes.
  fileprivate var glyphPlaces: [Point: String] {
    var places: [Point: String] = [:]
    for y in 0..<size.height {
      for (x, cell) in row(y).enumerated() where cell.glyph.width > 0 && cell.glyph != .space {
        let isDrawn =
          BlockElements.areas(of: cell.glyph.scalar) != nil
          || BoxDrawing.strokes(of: cell.glyph.scalar) != nil
        if !isDrawn { places[Point(x: x, y: y)] = cell.glyph.text }
      }
    }
    return places
  }
}

/// One `<text>`, as laid out.
private struct LaidOutText: Decodable {
  struct Glyph {
    let text: String
    let start: Double
    let end: Double
    var middle: Double { (start + end) / 2 }
    var columns: Int { Terminal.columns(of: text) }
  }

  let text: String
  let anchor: String
  let y: Double
  /// Of each UTF-16 unit.
  let starts: [Double]
  let ends: [Double]

  var isCentred: Bool { anchor == "middle" }

  var glyphs: [Glyph] {
    var unit = 0
    return text.compactMap { character in
      let first = unit
      unit += character.utf16.count
      guard character != " " else { return nil }
      return Glyph(
        text: String(character), start: starts[first..<unit].min() ?? 0,
        end: ends[first..<unit].max() ?? 0)
    }
  }
}

private enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private struct NoAnswer: Error {
    let page: String
  }

  /// Where the texts of a picture's cells are.
  static func texts(in svg: String) throws -> [LaidOutText] {
    let folder = NSTemporaryDirectory() + "argyle-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let page = folder + "/page.html"
    try Data((svg + script).utf8).write(to: URL(fileURLWithPath: page))
    let process = Process()
    process.executableURL = path.map { URL(fileURLWithPath: $0) }
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder, "--dump-dom",
      "file://" + page,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let dump = String(decoding: data, as: UTF8.self)
    guard let start = dump.range(of: "<body>"), let end = dump.range(of: "</body>"),
      let json = String(dump[start.upperBound..<end.lowerBound]).removingPercentEncoding
    else { throw NoAnswer(page: dump) }
    return try JSONDecoder().decode([LaidOutText].self, from: Data(json.utf8))
  }

  private static let script = """
    <script>
    const texts = [...document.querySelectorAll("g text")].map(text => {
      const units = [...Array(text.getNumberOfChars()).keys()];
      return {
        text: text.textContent, anchor: text.getAttribute("text-anchor") ?? "start",
        y: +text.getAttribute("y"), starts: units.map(i => text.getStartPositionOfChar(i).x),
        ends: units.map(i => text.getEndPositionOfChar(i).x)
      };
    });
    document.body.textContent = encodeURIComponent(JSON.stringify(texts));
    </script>
    """
}
