extension StyledText {
  /// Where a text that is too long is cut.
  public enum Truncation: Hashable, Sendable {
    /// At the end: `The quick…`.
    case tail
    /// In the middle: `The…dog`.
    case middle
    /// At the start: `…lazy dog`.
    case head
  }

  /// Returns the text on one line of at most `width` columns, with an ellipsis where it was cut.
  ///
  /// Line ends and tabs become spaces. Wide glyphs are never split, so the line may be one column
  /// shorter. With `.tail`, only the first `width` columns are examined, however long the text is.
  public func truncated(width: Int, _ truncation: Truncation = .tail) -> StyledLine {
    var line = StyledLine()
    guard width > 0 else { return line }
    let flow = GlyphFlow(singleLineOf: self, limit: truncation == .tail ? width : .max)
    guard flow.width > width else {
      flow.append(flow.glyphs.indices, to: &line)
      return line
    }
    let room = width - 1
    let glyphs = flow.glyphs
    let head =
      switch truncation {
      case .tail: glyphs.prefix(fitting: room)
      case .middle: glyphs.prefix(fitting: (room + 1) / 2)
      case .head: glyphs.prefix(fitting: 0)
      }
    flow.append(head, to: &line)
    flow.appendEllipsis(like: max(head.upperBound - 1, 0), to: &line)
    if truncation != .tail {
      flow.append(glyphs.suffix(fitting: width - line.width), to: &line)
    }
    return line
  }
}

extension [Glyph] {
  /// The longest beginning of at most `columns` that does not end with a blank.
  fileprivate func prefix(fitting columns: Int) -> Range<Int> {
    var room = columns
    var end = 0
    for (index, glyph) in enumerated() {
      room -= Int(glyph.width)
      if room < 0 { break }
      if !glyph.isBlank { end = index + 1 }
    }
    return 0..<end
  }

  /// The longest end of at most `columns` that does not begin with a blank.
  fileprivate func suffix(fitting columns: Int) -> Range<Int> {
    var room = columns
    var start = count
    for (index, glyph) in enumerated().reversed() {
      room -= Int(glyph.width)
      if room < 0 { break }
      if !glyph.isBlank { start = index }
    }
    return start..<count
  }
}
