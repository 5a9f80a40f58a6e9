/// The common style of a run of blank cells.
///
/// Blank cells with the same background look the same in every foreground and weight. Giving a run
/// one style avoids sending the terminal style changes that are invisible.
struct Gap {
  // Longer gaps and the ends of rows do not get the style of the word before them, because clearing
  // them takes fewer bytes than writing them.
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
  /// Whether only the background of the cell is visible.
  var isGap: Bool { glyph == .space && !style.attributes.marksBlanks }
}

extension Attributes {
  /// Whether they are visible on a blank, too.
  fileprivate var marksBlanks: Bool {
    !isDisjoint(with: [.underline, .reverse, .strikethrough])
  }
}
