/// Gzip written by hand, so that the tests need no compression library.
enum Gzip {
  /// The bytes as they are, in a gzip file ("stored" blocks).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let size = UInt16(block.count)
      result += [rest.isEmpty ? 1 : 0] + littleEndian(size) + littleEndian(~size) + block
    } while !rest.isEmpty
    return result + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
  }

  /// `count` zero bytes in about a 160th of the space: one literal, then matches of 258 bytes at
  /// distance 1, 13 bits each, in a block of fixed Huffman codes.
  static func zeros(atLeast count: Int) -> [UInt8] {
    let matches = (count + 257) / 258
    var bits = BitWriter()
    bits.write(0b1, count: 1)  // the last block
    bits.write(0b01, count: 2)  // fixed codes
    bits.writeCode(0b0011_0000, count: 8)  // the literal 0
    for _ in 0..<matches {
      bits.writeCode(0b1100_0101, count: 8)  // length 258
      bits.writeCode(0, count: 5)  // distance 1
    }
    bits.writeCode(0, count: 7)  // the end
    let zeros = [UInt8](repeating: 0, count: 1 + matches * 258)
    return header + bits.bytes + littleEndian(checksum(zeros)) + littleEndian(UInt32(zeros.count))
  }

  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  private static func littleEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// CRC-32.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { value, _ in
        let half = value >> 1
        return value & 1 == 1 ? half ^ 0xEDB8_8320 : half
      }
    }
    var checksum = ~UInt32(0)
    for byte in bytes {
      let index = UInt8(truncatingIfNeeded: checksum) ^ byte
      checksum = (checksum >> 8) ^ table[Int(index)]
    }
    return ~checksum
  }
}

/// Deflate's order: numbers from their lowest bit, codes from their highest.
private struct BitWriter {
  var bytes: [UInt8] = []
  private var free = 0

  mutating func write(_ value: Int, count: Int) {
    for bit in 0..<count { append(value >> bit & 1) }
  }

  mutating func writeCode(_ code: Int, count: Int) {
    for bit in (0..<count).reversed() { append(code >> bit & 1) }
  }

  private mutating func append(_ bit: Int) {
    if free == 0 {
      bytes.append(0)
      free = 8
    }
    bytes[bytes.count - 1] |= UInt8(bit) << (8 - free)
    free -= 1
  }
}
