import Testing

@testable import Terminal

/// What happens on a screen, as files that move.
@Suite struct MovieTests {
  private func frame(_ rows: String..., style: Style = .plain) -> CellBuffer {
    var cells = CellBuffer(size: Size(width: 8, height: rows.count))
    for (y, row) in rows.enumerated() { cells.write(row, at: Point(x: 0, y: y), style: style) }
    return cells
  }

  @Test func `a recording has a header, and a line for each frame at its time`() {
    var small = CellBuffer(size: Size(width: 3, height: 1))
    small.write("a\"b", at: Point(x: 0, y: 0))
    let cast = CastExporter(title: "argyle").string(from: [
      (.zero, frame("one", "two")), (.milliseconds(1250), small),
    ])
    let e = "\\u001b"
    #expect(
      cast == """
        {"version": 2, "width": 8, "height": 2, "title": "argyle"}
        [0, "o", "\(e)[?25l\(e)[1;1H\(e)[0m\(e)[Kone\(e)[2;1H\(e)[0m\(e)[Ktwo"]
        [1.25, "r", "3x1"]
        [1.25, "o", "\(e)[?25l\(e)[1;1H\(e)[0m\(e)[Ka\\"b"]

        """)
  }

  @Test func `a moving picture draws a row once, and shows it when it is there`() {
    let movie = SVGExporter(title: "argyle").string(
      fromMoving: [
        (.zero, frame("title", "one")), (.seconds(1), frame("title", "two")),
        (.seconds(3), frame("title", "one")),
      ], until: .seconds(4))
    #expect(movie.hasPrefix("<svg ") && movie.hasSuffix("</svg>\n"))
    for row in ["title", "one", "two"] {
      #expect(movie.components(separatedBy: ">\(row)</text>").count == 2)
    }
    #expect(
      movie.contains(
        "@keyframes s0{0%{visibility:visible}25%{visibility:hidden}75%{visibility:visible}}"
          + ".s0{animation:s0 4s step-end infinite}"))
    #expect(
      movie.contains(
        "@keyframes s1{0%{visibility:hidden}25%{visibility:visible}75%{visibility:hidden}}"))
  }

  @Test func `a scene that stands still moves nothing`() {
    let movie = SVGExporter().string(fromMoving: [(.zero, frame("one"))], until: .seconds(4))
    #expect(!movie.contains("keyframes"))
    #expect(movie.contains(">one</text>"))
  }
}
