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

    /// Takes eight bytes at a time: a word begins where a byte of a word follows one of none.
    private mutating func addPlain(_ text: UnsafeBufferPointer<UInt8>) {
      let bytes = UnsafeRawBufferPointer(text)
      var last: UInt64 = 0
      func add(_ eight: UInt64) {
        // The upper bit of each byte above the space, since none is above 0x7F.
        let inWords = (eight &+ 0x5F5F_5F5F_5F5F_5F5F) & 0x8080_8080_8080_8080
        words += (inWords & ~(inWords << 8 | last)).nonzeroBitCount
        last = inWords >> 56
      }
      var position = 0
      while position + 8 <= bytes.count {
        add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
        position += 8
      }
      add(bytes[position...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
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
