import Articles

// Paragraphs and code of any length, in pieces that are laid out in the time of a page.

extension Inline {
  /// About how many characters it has.
  var length: Int {
    switch self {
    case .text(let words, _, _): words.utf8.count
    case .picture(let picture, _): picture.alt.utf8.count
    case .lineBreak, .anchor: 0
    }
  }
}

extension Inline {
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
      switch inline {
      case .lineBreak where length >= limit / 2: end()
      case .text(let words, let style, link: nil) where length + words.utf8.count > limit:
        for part in words.pieces(length: limit) {
          // Nowhere else: a word may be of several runs.
          let isAtBlank = piece.last?.endsWithBlank ?? false
          if isAtBlank, length + part.utf8.count > limit { end() }
          piece.append(.text(String(part), style))
          length += part.utf8.count
        }
      default:
        piece.append(inline)
        length += inline.length
      }
    }
    if !piece.isEmpty { end() }
    return pieces
  }
}

extension String {
  /// The text in pieces of so many lines, without the ends of lines between them.
  func pieces(lines: Int) -> [(text: Substring, lineCount: Int)] {
    var pieces: [(text: Substring, lineCount: Int)] = []
    var (start, count) = (startIndex, 1)
    for index in utf8.indices where utf8[index] == 0x0A {
      if count == lines {
        pieces.append((self[start..<index], count))
        (start, count) = (utf8.index(after: index), 1)
      } else {
        count += 1
      }
    }
    return pieces + [(self[start...], count)]
  }

  /// The text cut behind blanks, or the full stops of scripts without them, in pieces of no more
  /// than a length where there are any.
  fileprivate func pieces(length: Int) -> [Substring] {
    var pieces: [Substring] = []
    var start = startIndex
    var lastEnd: Index?
    for index in unicodeScalars.indices where " 。".unicodeScalars.contains(unicodeScalars[index]) {
      if let end = lastEnd, utf8.distance(from: start, to: index) > length {
        pieces.append(self[start..<end])
        start = end
      }
      lastEnd = unicodeScalars.index(after: index)
    }
    return pieces + [self[start...]]
  }
}
