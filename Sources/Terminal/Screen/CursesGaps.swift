/// Blank cells in a row, which look the same in every style of their background: they get one style, so
/// that the terminal is not told of others, and back again, for what nobody sees.
struct Gap {
  // Only short ones get that of the word before them: the end of a row, and long gaps, are better
  // cleared than written.
  static let widest = 3
  private let style: Style?

  init(around x: Int, in row: UnsafeBufferPointer<Cell>) {
    var (first, end) = (x, x + 1)
    while first > 0, row[first - 1].isGap { first -= 1 }
    while end < row.count, row[end].isGap { end += 1 }
    if first > 0, end < row.count, end - first <= Self.widest {
      let word = row[first - 1].style
      style = word.attributes.marksBlanks ? nil : word
    } else {
      style = row[first..<end].first { $0.style.isPlain }?.style
    }
  }

  func style(of cell: Cell) -> Style? {
    style.flatMap { $0.background == cell.style.background ? $0 : nil }
  }
}

extension Style {
  fileprivate var isPlain: Bool { foreground == .default && attributes.isEmpty }
}

extension Cell {
  /// Whether only its background shows.
  var isGap: Bool { glyph == .space && !style.attributes.marksBlanks }
}

extension Attributes {
  /// Whether a blank shows them too.
  fileprivate var marksBlanks: Bool {
    !isDisjoint(with: [.underline, .reverse, .strikethrough])
  }
}
