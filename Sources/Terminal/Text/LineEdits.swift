extension StyledLine {
  /// Joins two lines.
  public static func + (left: StyledLine, right: StyledLine) -> StyledLine {
    var line = left
    line.append(right)
    return line
  }

  /// Appends a line.
  public mutating func append(_ line: StyledLine) {
    for run in line.runs { append(run.glyphs, style: run.style, tag: run.tag) }
  }

  /// Appends blanks.
  public mutating func append(blanks: Int) {
    append(repeatElement(Glyph.space, count: max(0, blanks)), style: .plain, tag: nil)
  }

  /// Returns the same glyphs with changed styles.
  public func restyled(_ change: (inout Style) -> Void) -> StyledLine {
    var line = StyledLine()
    for run in runs {
      var style = run.style
      change(&style)
      line.append(run.glyphs, style: style, tag: run.tag)
    }
    return line
  }

  /// Returns the line without the first `columns`, which are scrolled away to the left.
  ///
  /// If a wide glyph is cut, a blank replaces its second half.
  ///
  /// - Parameters:
  ///   - columns: how many columns to leave out.
  ///   - width: how many columns to return; a wide glyph that begins in the last of them is kept
  ///     whole. Glyphs beyond them cost no time.
  public func dropping(columns: Int, keeping width: Int = .max) -> StyledLine {
    guard columns > 0 || width < self.width else { return self }
    var line = StyledLine()
    var left = max(0, columns)
    for run in runs where line.width < width {
      var start = 0
      while left > 0, start < run.glyphs.count {
        left -= Int(run.glyphs[start].width)
        start += 1
      }
      if left < 0 {
        line.append(CollectionOfOne(Glyph.space), style: run.style, tag: run.tag)
        left = 0
      }
      var room = width - line.width
      let glyphs = run.glyphs[start...].prefix { glyph in
        defer { room -= Int(glyph.width) }
        return room > 0
      }
      line.append(glyphs, style: run.style, tag: run.tag)
    }
    return line
  }

  /// Returns the line with its inner blanks widened so that it ends at `width`.
  ///
  /// The line is unchanged if each gap would get more than two extra columns. A remainder goes to
  /// the first gaps.
  func justified(width: Int) -> StyledLine {
    let missing = width - self.width
    let glyphs = runs.flatMap(\.glyphs)
    let indent = glyphs.prefix(while: \.isBlank).count
    let gaps = glyphs.dropFirst(indent).count { $0.scalar == 0x20 && !$0.hasMarks }
    guard missing > 0, gaps > 0, missing <= gaps * 2 else { return self }
    var line = StyledLine()
    var (index, gap) = (0, 0)
    for run in runs {
      var widened: [Glyph] = []
      for glyph in run.glyphs {
        widened.append(glyph)
        if index >= indent, glyph.scalar == 0x20, !glyph.hasMarks {
          let more = missing / gaps + (gap < missing % gaps ? 1 : 0)
          widened += Array(repeating: .space, count: more)
          gap += 1
        }
        index += 1
      }
      line.append(widened, style: run.style, tag: run.tag)
    }
    return line
  }

  /// Returns the tag of the text in a column.
  public func tag(atColumn column: Int) -> Int? {
    guard column >= 0 else { return nil }
    var end = 0
    for run in runs {
      end += run.width
      if column < end { return run.tag }
    }
    return nil
  }

  /// Returns the line with an ellipsis at its end, in at most `width` columns, to show that text
  /// follows.
  package func ellipsized(width: Int) -> StyledLine {
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
