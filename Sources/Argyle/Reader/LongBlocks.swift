import Articles

// Paragraphs and code of any length, in pieces that are laid out in the time of a page.

extension Inline {
  /// About how many characters it has; the end of a line costs as much as some.
  var length: Int {
    switch self {
    case .text(let words, _, _): words.utf8.count
    case .picture(let picture, _): picture.alt.utf8.count
    case .lineBreak: 32
    case .anchor: 0
    }
  }

  /// The words of a link are cut where it is longer than any.
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
  /// The runs of a paragraph in pieces of about a length, each of which begins a line: at the ends of
  /// lines, or else at blanks, where the line before is a little shorter than it might be.
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
        // Nowhere else, unless it cannot be helped: a word may be of several runs.
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
  /// The text in pieces of so many lines, or of fewer where those have more than `length` bytes.
  ///
  /// The ends of lines between pieces are in none. A line that is longer by itself is cut.
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

  /// The text cut behind blanks, or the full stops of scripts without them, in pieces of no more
  /// than a length; where there are none, between two characters.
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
