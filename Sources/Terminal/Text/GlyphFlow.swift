/// The glyphs of a styled text in one array, and the run of each, ready to be cut into lines.
struct GlyphFlow {
  /// The glyphs in order; line ends are ``Glyph/lineBreak``, or spaces if the text is kept on one
  /// line.
  private(set) var glyphs: [Glyph] = []
  private(set) var width = 0
  private let runs: [StyledText.Run]
  /// The index of the first glyph of each run.
  private var starts: [Int] = []

  /// Creates the glyphs of `text` with its line breaks, and expands tabs to stops of four columns.
  ///
  /// A glyph wider than `widest` becomes an ellipsis.
  init(linesOf text: StyledText, widest: Int) {
    runs = text.runs
    var column = 0
    for run in runs {
      starts.append(glyphs.count)
      let start = glyphs.count
      if appendPlain(run.text, limit: .max) {
        column += glyphs.count - start
        continue
      }
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

  /// Creates the glyphs of `text` on one line, up to the first one beyond `limit` columns.
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

  /// Appends a text if its visible part is printable ASCII, one glyph per byte, as most texts are.
  ///
  /// - Returns: `false`, and appends nothing, if the text has other characters.
  private mutating func appendPlain(_ text: String, limit: Int) -> Bool {
    let room = limit == .max ? .max : max(0, limit + 1 - width)
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      // A combining mark after the last byte does not matter, because that glyph is beyond the
      // limit.
      let bytes = bytes.prefix(room)
      for byte in bytes where byte &- 0x20 >= 0x5F { return false }
      // Only once: an array that is told its exact size for each of many runs is copied for each.
      if glyphs.isEmpty { glyphs.reserveCapacity(bytes.count) }
      for byte in bytes { glyphs.append(Glyph(scalar: UInt32(byte), width: 1)) }
      width += bytes.count
      return true
    } ?? false
  }

  /// Appends the glyphs of `range` to a line.
  func append(_ range: Range<Int>, to line: inout StyledLine) {
    guard !range.isEmpty else { return }
    // Most texts have one style and fit: the line then takes the array of glyphs as it is.
    if runs.count == 1, range == glyphs.indices {
      return line.append(glyphs, style: runs[0].style, tag: runs[0].tag)
    }
    var run = runIndex(of: range.lowerBound)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = run + 1 < starts.count ? min(starts[run + 1], range.upperBound) : range.upperBound
      line.append(glyphs[start..<end], style: runs[run].style, tag: runs[run].tag)
      start = end
      run += 1
    }
  }

  /// Appends an ellipsis to a line, in the style of the glyph at `index`.
  func appendEllipsis(like index: Int, to line: inout StyledLine) {
    let run = runs[runIndex(of: index)]
    line.append(CollectionOfOne(.ellipsis), style: run.style, tag: run.tag)
  }

  /// Returns the index of the last run that starts at or before `index`.
  private func runIndex(of index: Int) -> Int {
    starts.partitioningIndex { $0 > index } - 1
  }
}
