import CNcurses

/// Converts styles to those of ncurses: attributes and a numbered colour pair.
@MainActor
struct CursesStyles {
  private struct Colors: Hashable {
    var foreground: Int32
    var background: Int32

    /// The terminal's own, which need no pair.
    static let ofTerminal = Colors(foreground: -1, background: -1)
  }

  /// Whether ncurses has run out of colour pairs; further styles get the default colours.
  private(set) var isExhausted = false
  private let depth: ColorDepth
  private var pairs: [Colors: Int32] = [:]
  private var blanks: [Style: cchar_t] = [:]
  private var last: (style: Style, blank: cchar_t)

  /// Creates the styles of the current ncurses screen.
  init(depth: ColorDepth) {
    self.depth = depth
    last = (.plain, curses_blank(0, 0))
  }

  /// Returns a blank cell of this style, to be given a character.
  mutating func blank(of style: Style) -> cchar_t {
    // Adjacent cells usually share a style, so this saves most of the hashing.
    if style == last.style { return last.blank }
    let blank = blanks[style] ?? make(style)
    last = (style, blank)
    return blank
  }

  /// Whether a frame needs no more pairs than there are, once they are exhausted.
  func haveRoom(for buffer: CellBuffer) -> Bool {
    var needed: Set<Colors> = []
    for y in 0..<buffer.size.height {
      let fits = buffer.withRow(y) { row in
        row.allSatisfy { cell in
          let colors = colors(of: cell.style)
          if colors != Colors.ofTerminal { needed.insert(colors) }
          return needed.count <= pairs.count
        }
      }
      if !fits { return false }
    }
    return true
  }

  private func colors(of style: Style) -> Colors {
    Colors(
      foreground: depth.number(of: style.foreground),
      background: depth.number(of: style.background))
  }

  private mutating func make(_ style: Style) -> cchar_t {
    // A picture may contain every colour: the cache must not grow with them.
    if blanks.count >= 4096 { blanks.removeAll(keepingCapacity: true) }
    let pair = pair(of: colors(of: style))
    let blank = curses_blank(attributes(of: style.attributes), pair)
    blanks[style] = blank
    return blank
  }

  private mutating func pair(of colors: Colors) -> Int32 {
    if colors == Colors.ofTerminal { return 0 }
    if let pair = pairs[colors] { return pair }
    let pair = Int32(pairs.count + 1)
    guard init_extended_pair(pair, colors.foreground, colors.background) == OK else {
      isExhausted = true
      return 0
    }
    pairs[colors] = pair
    return pair
  }

  /// Releases all colour pairs.
  ///
  /// The screen must then be drawn whole, because the pair numbers of its cells get other colours
  /// from now on.
  mutating func reset() {
    reset_color_pairs()
    isExhausted = false
    pairs.removeAll(keepingCapacity: true)
    blanks.removeAll(keepingCapacity: true)
    last = (.plain, curses_blank(0, 0))
  }

  private func attributes(of attributes: Attributes) -> attr_t {
    var result: attr_t = 0
    if attributes.contains(.bold) { result |= curses_bold() }
    if attributes.contains(.dim) { result |= curses_dim() }
    if attributes.contains(.italic) { result |= curses_italic() }
    if attributes.contains(.underline) { result |= curses_underline() }
    if attributes.contains(.reverse) { result |= curses_reverse() }
    return result
  }
}
