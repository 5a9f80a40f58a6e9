import PseudoTerminal

extension SeededGenerator {
  /// A picture with a few things changed, as a bad line, a bad disk or a bad person would.
  mutating func mutant(of corpus: [[UInt8]]) -> [UInt8] {
    var picture = corpus.randomElement(using: &self) ?? []
    let isPNG = picture.starts(with: [0x89, 0x50])
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      guard picture.count > 16 else { break }
      let start = Int.random(in: 8..<picture.count, using: &self)
      let end = min(picture.count, start + Int.random(in: 1...64, using: &self))
      switch Int.random(in: 0..<8, using: &self) {
      case 0: picture[start] ^= 1 << UInt8.random(in: 0...7, using: &self)
      case 1: picture[start] = .random(in: .min ... .max, using: &self)
      case 2: picture[start] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
      // Lengths and sizes are numbers of several bytes.
      case 3: for index in start..<min(picture.count, start + 4) { picture[index] = 0xFF }
      case 4: picture.removeSubrange(start..<end)
      case 5: picture.insert(contentsOf: picture[start..<end], at: start)
      case 6: picture.removeLast(Int.random(in: 0..<(picture.count - 12), using: &self))
      default:
        let other = corpus.randomElement(using: &self) ?? []
        let from = Int.random(in: 0..<max(other.count, 1), using: &self)
        picture.replaceSubrange(start..<end, with: other[from..<min(other.count, from + 64)])
      }
    }
    // With wrong checksums, a decoder looks at little behind them.
    return isPNG && Bool.random(using: &self) ? withChecksums(picture) : picture
  }
}

/// A PNG whose chunks have the checksums of what is in them.
private func withChecksums(_ png: [UInt8]) -> [UInt8] {
  var png = png
  var index = 8
  while index + 12 <= png.count {
    let length = png[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
    let end = index + 8 + length
    guard end + 4 <= png.count else { break }
    let sum = checksum(png[(index + 4)..<end])
    for byte in 0..<4 { png[end + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte)) }
    index = end + 4
  }
  return png
}

/// CRC-32 as PNG has it.
private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
  var sum = UInt32.max
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
  }
  return ~sum
}
