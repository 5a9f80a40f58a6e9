/// Estimates how long a text takes to read.
enum ReadingTime {
  private static let wordsPerMinute = 230
  /// Chinese and Japanese have no spaces between words, so their characters are counted.
  private static let ideographsPerMinute = 450

  /// Returns the time in minutes, at least 1; nil when there is no text.
  static func minutes(html: String) -> Int? {
    var html = html
    let count = html.withUTF8 { Count($0) }
    guard count.words + count.ideographs > 0 else { return nil }
    let load = count.words * ideographsPerMinute + count.ideographs * wordsPerMinute
    let capacity = wordsPerMinute * ideographsPerMinute
    return max(1, (load + capacity / 2) / capacity)
  }

  /// Counts the words outside of tags.
  ///
  /// It runs for every article that is stored, so tags and the words of plain text are found by
  /// loops that look at many bytes at once.
  private struct Count {
    private(set) var words = 0
    private(set) var ideographs = 0

    init(_ html: UnsafeBufferPointer<UInt8>) {
      var start = 0
      while start < html.count {
        let tag = html.firstIndex(of: UInt8(ascii: "<"), from: start)
        add(UnsafeBufferPointer(rebasing: html[start..<tag]))
        start = html.firstIndex(of: UInt8(ascii: ">"), from: tag) + 1
      }
    }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
      if text.reduce(0, |) < 0x80 { addPlain(text) } else { addMixed(text) }
    }

    private mutating func addPlain(_ text: UnsafeBufferPointer<UInt8>) {
      guard let first = text.first else { return }
      words += first > 0x20 ? 1 : 0
      for index in 1..<text.count {
        words += text[index] > 0x20 && text[index - 1] <= 0x20 ? 1 : 0
      }
    }

    private mutating func addMixed(_ text: UnsafeBufferPointer<UInt8>) {
      var isInWord = false
      for byte in text {
        switch byte {
        case 0...0x20: isInWord = false
        // The lead bytes of U+3000…U+9FFF.
        case 0xE3...0xE9:
          ideographs += 1
          isInWord = false
        case 0x80...0xBF where !isInWord: break
        default:
          if !isInWord { words += 1 }
          isInWord = true
        }
      }
    }
  }
}
