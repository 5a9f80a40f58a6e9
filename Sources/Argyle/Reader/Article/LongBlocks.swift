import Articles

// Splits paragraphs and code of any length into pieces, each of which is laid out as quickly as a
// page.

extension Inline {
  /// The approximate length in bytes; a line break counts as several, since it costs as much.
  var length: Int {
    switch self {
    case .text(let words, _, _): words.utf8.count
    case .picture(let picture, _): picture.alt.utf8.count
    case .lineBreak: 32
    case .anchor: 0
    }
  }

  /// Splits the inline; a link is split only if it is longer than any real one.
  fileprivate func pieces(length limit: Int) -> [Inline] {
    guard case .text(let words, let style, let link) = self,
      words.utf8.count > (link == nil ? limit : 4 * limit)
    else { return [self] }
    return words.pieces(length: limit).map { .text(String($0), style, link: link) }
  }

  fileprivate var endsWithBlank: Bool {
    if case .text(let words, _, _) = self { " 。".contains(words.last ?? "x") } else { false }
  }
}

extension [Inline] {
  /// The names of the anchors.
  var anchors: [String] {
    compactMap { if case .anchor(let name) = $0 { name } else { nil } }
  }

  /// Splits a paragraph into pieces of about `limit` bytes, each of which begins a line: at line
  /// breaks, or else at blanks, in which case the line before the blank may be shorter than
  /// necessary.
  func pieces(length limit: Int) -> [[Inline]] {
    guard reduce(0, { $0 + $1.length }) > limit else { return [self] }
    var pieces: [[Inline]] = []
    var piece: [Inline] = []
    var length = 0
    func end() {
      pieces.append(piece)
      (piece, length) = ([], 0)
    }
    for inline in self {
      if case .lineBreak = inline, length >= limit / 2 {
        end()
        continue
      }
      for part in inline.pieces(length: limit) {
        // A piece ends only at a blank, unless it gets far too long: a word may consist of several
        // runs.
        let mayEnd = piece.last?.endsWithBlank ?? false || length > 4 * limit
        if mayEnd, length >= limit / 2, length + part.length > limit { end() }
        piece.append(part)
        length += part.length
      }
    }
    if !piece.isEmpty { end() }
    return pieces
  }
}

extension String {
  /// Splits the text into pieces of `lines` lines, or of fewer if those have more than `length`
  /// bytes.
  ///
  /// The newlines between pieces are dropped. A single line that is longer is split, too.
  func pieces(lines: Int, length: Int) -> [(text: Substring, lineCount: Int)] {
    var pieces: [(text: Substring, lineCount: Int)] = []
    var (start, count) = (startIndex, 0)
    var lineStart = startIndex
    while true {
      let lineEnd = utf8[lineStart...].firstIndex(of: 0x0A) ?? endIndex
      if count == lines || count > 0 && utf8.distance(from: start, to: lineEnd) > length {
        pieces.append((self[start..<utf8.index(before: lineStart)], count))
        (start, count) = (lineStart, 0)
      }
      count += 1
      if utf8.distance(from: start, to: lineEnd) > length {
        pieces += String(self[start..<lineEnd]).pieces(length: length).map {
          (text: $0, lineCount: 1)
        }
        count = 0
      }
      guard lineEnd < endIndex else {
        return count > 0 ? pieces + [(self[start...], count)] : pieces
      }
      lineStart = utf8.index(after: lineEnd)
      if count == 0 { start = lineStart }
    }
  }

  /// Splits the text into pieces of about `length` bytes: after blanks, or after full stops of
  /// scripts without blanks; without either, between two characters.
  fileprivate func pieces(length: Int) -> [Substring] {
    var pieces: [Substring] = []
    var start = startIndex
    while let limit = utf8.index(start, offsetBy: length, limitedBy: endIndex), limit < endIndex {
      let end = endOfLastBlank(in: start..<limit) ?? index(after: limit)
      pieces.append(self[start..<end])
      start = end
    }
    return pieces + [self[start...]]
  }

  private func endOfLastBlank(in range: Range<Index>) -> Index? {
    var end = range.upperBound
    while end > range.lowerBound {
      let last = utf8.index(before: end)
      if utf8[last] == 0x20 { return end }
      if utf8[last] == 0x82, utf8[range.lowerBound..<end].suffix(3).elementsEqual("。".utf8) {
        return end
      }
      end = last
    }
    return nil
  }
}
