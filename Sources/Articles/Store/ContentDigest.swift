/// A hash of an article's content, which shows whether the article has changed.
///
/// Every article of a feed is hashed at every fetch, so the hash takes eight bytes at a time.
/// Hashes are stored: a different algorithm would make all articles look changed.
struct ContentDigest {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ number: UInt64) {
    // Folded, so that the upper bits, which the product mixes best, affect the lower ones.
    let product = (value ^ number).multipliedFullWidth(by: Self.multiplier)
    value = product.high ^ product.low &+ 1
  }

  mutating func combine(_ text: String?) {
    // Nil has to differ from an empty text.
    guard var text else { return combine(UInt64.max) }
    text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
  }

  private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(UInt64(bytes.count))
    var position = 0
    while position + 8 <= bytes.count {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position += 8
    }
    guard position < bytes.count else { return }
    combine(bytes[position...].reduce(0) { $0 << 8 | UInt64($1) })
  }
}
