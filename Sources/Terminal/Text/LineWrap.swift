extension StyledText {
  /// Returns the text as lines of at most `width` columns; no lines if `width` is below 1.
  ///
  /// Lines break at line ends of the text, at spaces, after hyphens inside words, and between wide
  /// glyphs other than Hangul, except before closing punctuation and after opening brackets. A word
  /// that is wider than a line is cut at the end of the line. Trailing blanks are removed; blanks
  /// that indent a line of the text are kept, unless nothing fits beside them. At a width of 1, a
  /// wide glyph becomes an ellipsis.
  ///
  /// - Parameters:
  ///   - width: how many columns a line has at most.
  ///   - isJustified: whether blanks are widened so that lines end at the edge, except for the last
  ///     line of each paragraph and for lines whose gaps would become too wide.
  ///   - keepsAddresses: whether an address (`https://…`, `mailto:…`) is never cut; a line that
  ///     begins with a longer address is then wider than `width`.
  public func wrapped(
    width: Int, isJustified: Bool = false, keepsAddresses: Bool = false
  ) -> [StyledLine] {
    guard width > 0 else { return [] }
    let flow = GlyphFlow(linesOf: self, widest: width)
    let addresses = flow.glyphs.insidesOfAddresses
    var lines: [StyledLine] = []
    var start = 0
    repeat {
      let end = flow.glyphs[start...].firstIndex(of: .lineBreak) ?? flow.glyphs.endIndex
      var rest = start..<end
      repeat {
        let (range, next) = flow.glyphs.nextLine(
          in: rest, width: width, addresses, keepsAddresses: keepsAddresses)
        var line = StyledLine()
        flow.append(range, to: &line)
        rest = next..<end
        lines.append(isJustified && !rest.isEmpty ? line.justified(width: width) : line)
      } while !rest.isEmpty
      start = end + 1
    } while start <= flow.glyphs.endIndex
    return lines
  }
}

extension [Glyph] {
  /// The indices inside addresses, where no line starts if that can be avoided.
  fileprivate var insidesOfAddresses: Set<Int> {
    var insides: Set<Int> = []
    // Searches only after the last address found, because a long address may contain many colons.
    var index = startIndex
    while let colon = self[index...].firstIndex(where: { $0.scalar == 0x3A }) {
      index = colon + 1
      guard colon > startIndex, index < endIndex, self[colon - 1].isLetter,
        self[index].isOfAddress
      else { continue }
      let scheme = self[..<colon].lastIndex { !$0.isAlphanumeric || $0.isIdeographic }
      let end = self[colon...].firstIndex { !$0.isOfAddress } ?? endIndex
      insides.formUnion((scheme.map { $0 + 1 } ?? startIndex) + 1..<end)
      index = end
    }
    return insides
  }

  /// Returns the first line of `range`, and the index at which the next line starts.
  ///
  /// The line is at most `width` columns wide, unless it is a single unbreakable word.
  fileprivate func nextLine(
    in range: Range<Int>, width: Int, _ addresses: Set<Int>, keepsAddresses: Bool
  ) -> (line: Range<Int>, next: Int) {
    var start = range.lowerBound
    // The index after the last glyph that is not blank.
    var end = start
    var columns = 0
    var lastBreak: (end: Int, next: Int)?
    for index in range {
      let glyph = self[index]
      columns += Int(glyph.width)
      if glyph.isBlank, !glyph.isGlue {
        if end > start { lastBreak = (end, index + 1) }
        continue
      }
      let isInAddress = !addresses.isEmpty && addresses.contains(index)
      let isBreakable = !keepsAddresses || !isInAddress
      if end == index, index > start, !isInAddress, allowsBreak(before: index, notBefore: start) {
        lastBreak = (index, index)
      }
      if columns > width {
        if let lastBreak { return (start..<lastBreak.end, lastBreak.next) }
        if end > start, isBreakable { return (start..<index, index) }
        if end == start {
          // Drops an indent that leaves no room for any glyph.
          start = index
          columns = Int(glyph.width)
        }
      }
      end = index + 1
    }
    return (start..<end, range.upperBound)
  }

  /// Whether a line may break before `index`; neither glyph at the break is a space.
  private func allowsBreak(before index: Int, notBefore start: Int) -> Bool {
    let (left, right) = (self[index - 1], self[index])
    if left.isHyphen {
      return index - 1 > start && self[index - 2].isAlphanumeric && right.isLetter
    }
    return (left.isIdeographic || right.isIdeographic) && !left.opens && !right.closes
      && !left.isGlue && !right.isGlue
  }
}

extension Glyph {
  /// Whether it is invisible.
  var isBlank: Bool {
    switch scalar {
    case 0x20, 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: !hasMarks
    default: false
    }
  }

  /// Whether it is a no-break space.
  fileprivate var isGlue: Bool { scalar == 0xA0 || scalar == 0x2007 || scalar == 0x202F }

  fileprivate var isHyphen: Bool {
    scalar == 0x2D || scalar == 0x2010 || scalar == 0x2013 || scalar == 0x2014
  }

  fileprivate var isLetter: Bool {
    switch scalar {
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0x1FFF, 0x2C00...0xFFFC: true
    default: false
    }
  }

  fileprivate var isAlphanumeric: Bool { 0x30...0x39 ~= scalar || isLetter }

  /// Whether its script uses no spaces between words; Korean uses them, and breaks at them.
  fileprivate var isIdeographic: Bool {
    switch scalar {
    case 0x1100...0x115F, 0xA960...0xA97F, 0xAC00...0xD7A3: false
    default: width == 2
    }
  }

  /// Whether it can be part of an address, which ends before a blank or an ideograph.
  fileprivate var isOfAddress: Bool { self != .lineBreak && !isBlank && !isIdeographic }

  /// Whether it is an opening bracket or quotation mark, which never ends a line.
  fileprivate var opens: Bool {
    switch scalar {
    case 0x28, 0x5B, 0x7B, 0x2018, 0x201C, 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016,
      0x3018, 0x301A, 0x301D, 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F:
      true
    default: false
    }
  }

  /// Whether it never begins a line: closing punctuation, small kana, and marks of repetition or
  /// length.
  fileprivate var closes: Bool {
    switch scalar {
    case 0x21, 0x22, 0x25, 0x27, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x7D, 0x2019, 0x201D,
      0x2025, 0x2026, 0x203C, 0x2047...0x2049, 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D,
      0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301C, 0x301E, 0x301F, 0x303B, 0x3041,
      0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096,
      0x309B...0x309E, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7,
      0x30EE, 0x30F5, 0x30F6, 0x30FB...0x30FE, 0x31F0...0x31FF, 0xFF01, 0xFF05, 0xFF09, 0xFF0C,
      0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF60:
      true
    default: false
    }
  }
}
