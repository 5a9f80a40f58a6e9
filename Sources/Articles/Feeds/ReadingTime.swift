/// An estimate of how long a text takes to read.
enum ReadingTime {
  private static let wordsPerMinute = 230
  /// Chinese and Japanese are not written in words.
  private static let ideographsPerMinute = 450

  /// At least 1; nil when there is nothing to read.
  static func minutes(html: String) -> Int? {
    var words = 0
    var ideographs = 0
    var isInTag = false
    var isInWord = false
    for byte in html.utf8 {
      if isInTag {
        isInTag = byte != UInt8(ascii: ">")
        continue
      }
      switch byte {
      case UInt8(ascii: "<"):
        isInTag = true
        isInWord = false
      case 0...0x20: isInWord = false
      // The first byte of U+3000…U+9FFF.
      case 0xE3...0xE9:
        ideographs += 1
        isInWord = false
      case 0x80...0xBF where !isInWord: break
      default:
        if !isInWord { words += 1 }
        isInWord = true
      }
    }
    guard words + ideographs > 0 else { return nil }
    let load = words * ideographsPerMinute + ideographs * wordsPerMinute
    let capacity = wordsPerMinute * ideographsPerMinute
    return max(1, (load + capacity / 2) / capacity)
  }
}
