/// All glyphs of a styled text in one array, and which run each comes from: what is cut into lines.
struct GlyphFlow {
  /// In order; ends of lines are ``Glyph/lineBreak``, or spaces where lines are not kept.
  private(set) var glyphs: [Glyph] = []
  private(set) var width = 0
  private let runs: [StyledText.Run]
  /// Where each run's glyphs start.
  private var starts: [Int] = []

  /// The glyphs of `text` as lines, tabs widened to stops of four columns.
  ///
  /// A glyph wider than `widest` becomes an ellipsis.
  init(linesOf text: StyledText, widest: Int) {
    runs = text.runs
    var column = 0
    for run in runs {
      starts.append(glyphs.count)
      var source = Glyphs(run.text, keepingBreaks: true)
      while let glyph = source.next() {
        switch glyph {
        case .tab:
          let columns = 4 - column % 4
          glyphs.append(contentsOf: repeatElement(.space, count: columns))
          column += columns
        case .lineBreak:
          glyphs.append(glyph)
          column = 0
        default:
          glyphs.append(Int(glyph.width) > widest ? .ellipsis : glyph)
          column += Int(glyph.width)
        }
      }
    }
  }

  /// The glyphs of `text` on one line, up to the first that reaches beyond `limit` columns.
  init(singleLineOf text: StyledText, limit: Int) {
    runs = text.runs
    for run in runs {
      starts.append(glyphs.count)
      if appendPlain(run.text, limit: limit) { continue }
      var source = Glyphs(run.text)
      while width <= limit, let glyph = source.next() {
        glyphs.append(glyph)
        width += Int(glyph.width)
      }
    }
  }

  /// Appends a text that is nothing but printable ASCII as far as it is looked at, a glyph a byte,
  /// as most are; `false`, and nothing appended, where it is not.
  private mutating func appendPlain(_ text: String, limit: Int) -> Bool {
    let room = limit == .max ? .max : max(0, limit + 1 - width)
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      // What may belong to the last glyph follows it unseen: that one is beyond the limit.
      let bytes = bytes.prefix(room)
      for byte in bytes where byte &- 0x20 >= 0x5F { return false }
      glyphs.reserveCapacity(glyphs.count + bytes.count)
      for byte in bytes { glyphs.append(Glyph(scalar: UInt32(byte), width: 1)) }
      width += bytes.count
      return true
    } ?? false
  }

  /// Adds the glyphs of `range` to a line.
  func append(_ range: Range<Int>, to line: inout StyledLine) {
    guard !range.isEmpty else { return }
    var run = runIndex(of: range.lowerBound)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = run + 1 < starts.count ? min(starts[run + 1], range.upperBound) : range.upperBound
      line.append(glyphs[start..<end], style: runs[run].style, tag: runs[run].tag)
      start = end
      run += 1
    }
  }

  /// Adds an ellipsis to a line, drawn like the glyph at `index`.
  func appendEllipsis(like index: Int, to line: inout StyledLine) {
    let run = runs[runIndex(of: index)]
    line.append(CollectionOfOne(.ellipsis), style: run.style, tag: run.tag)
  }

  /// The last run that starts at or before `index`.
  private func runIndex(of index: Int) -> Int {
    var low = 0
    var high = starts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= index { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
