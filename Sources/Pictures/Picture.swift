public import Terminal

/// A picture as cells, ready for a view: `Image(picture.cells, label: picture.label)`.
public struct Picture: Hashable, Sendable {
  /// The cells to draw, never more than the requested space.
  public let cells: CellBuffer
  /// The description of the picture.
  public let label: String
  /// Whether the cells contain a description in place of the picture.
  public let isText: Bool

  init(cells: CellBuffer, label: String, isText: Bool = false) {
    (self.cells, self.label, self.isText) = (cells, label, isText)
  }

  /// Returns a line such as `[picture: a grey sock]`, for where pictures cannot be shown, cut to
  /// `width`.
  public static func text(_ label: String, width: Int) -> Picture {
    // The label may come from a web page and have any length.
    let words = String(label.prefix(max(0, width)))
    let line = words.isEmpty ? "[picture]" : "[picture: \(words)]"
    let glyphs = Array(Glyphs(line).prefix(max(0, width)))
    var cells = CellBuffer(
      size: Size(width: min(width, glyphs.reduce(0) { $0 + Int($1.width) }), height: 1))
    cells.write(line, at: Point(x: 0, y: 0))
    return Picture(cells: cells, label: label, isText: true)
  }
}
