import Foundation

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of a byte from `start` on; the number of bytes if there is none.
  @inline(__always)
  func firstIndex(of byte: UInt8, from start: Int) -> Int {
    guard let baseAddress, start < count,
      let found = memchr(baseAddress + start, Int32(byte), count - start)
    else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
  }

  /// Returns the index of the first byte from `start` on that is one of three or four, or below
  /// `limit`, which is at most 0x80; the number of bytes if there is none.
  ///
  /// It looks at eight bytes at a time.
  @inline(__always)
  func firstIndex(
    of one: UInt8, _ two: UInt8, _ three: UInt8, _ four: UInt8? = nil, below limit: UInt8 = 0,
    from start: Int
  ) -> Int {
    let bytes = UnsafeRawBufferPointer(self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let four = four ?? three
    // Sets the highest bit of each byte below the limit, and possibly of bytes after such a one.
    func below(_ limit: UInt8, _ word: UInt64) -> UInt64 {
      (word &- ones &* UInt64(limit)) & ~word
    }
    func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 { below(1, word ^ ones &* UInt64(byte)) }
    var index = start
    while index + 8 <= count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found =
        (equal(one, word) | equal(two, word) | equal(three, word) | equal(four, word)
          | below(limit, word)) & (ones &* 0x80)
      guard found == 0 else { return index + found.trailingZeroBitCount >> 3 }
      index += 8
    }
    while index < count {
      let byte = self[index]
      if byte == one || byte == two || byte == three || byte == four || byte < limit {
        return index
      }
      index += 1
    }
    return index
  }
}
