/// Reads little-endian numbers from the front of bytes; nil past the end.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    let size = Number.bitWidth / 8
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }
}

extension Array where Element == UInt8 {
  /// Appends a number in little-endian order.
  mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
