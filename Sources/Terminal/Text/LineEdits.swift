extension StyledLine {
  /// Two lines, one after the other.
  public static func + (left: StyledLine, right: StyledLine) -> StyledLine {
    var line = left
    for run in right.runs { line.append(run.glyphs, style: run.style, tag: run.tag) }
    return line
  }

  /// The same glyphs, drawn otherwise.
  public func restyled(_ change: (inout Style) -> Void) -> StyledLine {
    var line = StyledLine()
    for run in runs {
      var style = run.style
      change(&style)
      line.append(run.glyphs, style: style, tag: run.tag)
    }
    return line
  }

  /// The line with an ellipsis at its end, in at most `width` columns: more follows that is not
  /// shown.
  public func ellipsized(width: Int) -> StyledLine {
    var line = StyledLine()
    var room = width - 1
    for run in runs {
      let glyphs = run.glyphs.prefix { glyph in
        room -= Int(glyph.width)
        return room >= 0
      }
      line.append(glyphs, style: run.style, tag: run.tag)
      if room < 0 { break }
    }
    guard width > 0, let last = runs.last else { return line }
    line.append(CollectionOfOne(Glyph.ellipsis), style: last.style, tag: last.tag)
    return line
  }
}
