import PseudoTerminal
import Testing

@testable import Articles

/// Looking for bytes many at a time.
@Suite struct ByteSearchTests {
  @Test(arguments: 0..<200)
  func `it finds what a search of each byte finds`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Few different bytes, those beside the ones that are looked for among them.
    let alphabet: [UInt8] = [
      0x00, 0x1F, 0x20, 0x25, 0x26, 0x27, 0x3B, 0x3C, 0x61, 0x80, 0xEF, 0xFF,
    ]
    let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      Bool.random(using: &generator) ? 0x61 : alphabet.randomElement(using: &generator) ?? 0
    }
    bytes.withUnsafeBufferPointer { buffer in
      for byte in alphabet {
        for start in 0...bytes.count {
          let expected = bytes[start...].firstIndex(of: byte) ?? bytes.count
          #expect(buffer.firstIndex(of: byte, from: start) == expected)
        }
      }
    }
    for limit in [0x00, 0x20, 0x80] as [UInt8] {
      for start in 0...bytes.count {
        for fourth in [nil, 0x61, 0xFF] as [UInt8?] {
          let expected = bytes[start...].firstIndex {
            $0 == 0x26 || $0 == 0x3C || $0 == 0xEF || $0 == fourth || $0 < limit
          }
          let found = bytes.withUnsafeBufferPointer {
            $0.firstIndex(of: 0x26, 0x3C, 0xEF, fourth, below: limit, from: start)
          }
          #expect(found == expected ?? bytes.count)
        }
      }
    }
  }
}
