/// Limits how many combining marks may follow each other in outside text.
///
/// Comparing or hashing a `String`, or iterating over its characters, normalises it, which takes
/// quadratic time in a run of combining marks: 400 KB of them took 35 s. With at most ``limit`` in
/// a row, as in Unicode's Stream-Safe Text Format, no text is slower than any other. Every outside
/// text goes through here once its escapes and character references are decoded.
public enum Marks {
  /// How many marks, joiners and other invisible characters may follow one character.
  public static let limit = 30

  /// Returns the bytes of a text without the marks beyond the limit; nil when there are none.
  public static func limited(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var index = endOfASCII(in: bytes, from: 0)
    guard index < bytes.count else { return nil }
    var output: [UInt8]?
    var kept = 0
    var run = 0
    while index < bytes.count {
      let byte = bytes[index]
      // No mark has a lower lead byte.
      guard byte >= 0xCC else {
        // ASCII, or a continuation byte of a character that is not a mark.
        run = 0
        index = byte < 0x80 ? endOfASCII(in: bytes, from: index) : index + 1
        continue
      }
      let length = min(byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4, bytes.count - index)
      if isMark(scalar(bytes, at: index, length: length)) {
        run += 1
        if run > limit {
          if output == nil {
            output = []
            output?.reserveCapacity(bytes.count)
          }
          output?.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[kept..<index]))
          kept = index + length
        }
      } else {
        run = 0
      }
      index += length
    }
    output?.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[kept...]))
    return output
  }

  /// Returns the index of the first byte that is not ASCII, looking at eight bytes at a time.
  private static func endOfASCII(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let words = UnsafeRawBufferPointer(bytes)
    var index = start
    while index + 8 <= bytes.count,
      words.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }

  /// Returns the bytes of a text without the marks beyond the limit.
  public static func limited(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { limited($0) } ?? bytes
  }

  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int
  ) -> UInt32 {
    var value = UInt32(bytes[index]) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for offset in 1..<max(1, length) { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return value
  }

  /// Whether a character is a mark, that is, combines with the one before it.
  private static func isMark(_ value: UInt32) -> Bool {
    switch value {
    // Blocks without marks, which most text consists of: looking up the category takes longer.
    case 0..<0x300, 0x370...0x482, 0x2010...0x2027, 0x3100...0xA66E, 0xAC00...0xFB1D,
      0x1F000...0x1FAFF:
      return false
    default: break
    }
    guard let scalar = Unicode.Scalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }
}

extension String {
  /// Decodes outside text, with at most ``Marks/limit`` marks in a row; invalid UTF-8 is replaced.
  public init(outside bytes: UnsafeBufferPointer<UInt8>) {
    if let limited = Marks.limited(bytes) {
      self.init(decoding: limited, as: UTF8.self)
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }

  /// Decodes outside text that ends with a zero byte, as C libraries return it.
  public init(outside text: UnsafePointer<UInt8>) {
    var count = 0
    while text[count] != 0 { count += 1 }
    self.init(outside: UnsafeBufferPointer(start: text, count: count))
  }

  /// Decodes outside text, with at most ``Marks/limit`` marks in a row; invalid UTF-8 is replaced.
  public init(outside bytes: some Collection<UInt8>) {
    let text = bytes.withContiguousStorageIfAvailable { String(outside: $0) }
    self = text ?? Array(bytes).withUnsafeBufferPointer { String(outside: $0) }
  }
}
