/// Encodes a picture as a PNG file.
///
/// Each row is stored as its difference from the row above, and runs of equal pixels as runs in
/// deflate's fixed code, because pictures of cells consist mostly of both. No library is used,
/// since its versions might give different bytes.
enum PNGFile {
  static func bytes(of pixels: Pixels) -> [UInt8] {
    var header = number(UInt32(pixels.width)) + number(UInt32(pixels.height))
    // Eight bits per component; red, green and blue, without alpha.
    header += [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", compressed(filtered(pixels))) + chunk("IEND", [])
  }

  /// The rows as differences from the row above, each preceded by the number of that filter.
  private static func filtered(_ pixels: Pixels) -> [UInt8] {
    let length = 3 * pixels.width
    var rows: [UInt8] = []
    rows.reserveCapacity((length + 1) * pixels.height)
    for y in 0..<pixels.height {
      rows.append(2)
      let start = y * length
      for x in 0..<length {
        let above = y == 0 ? 0 : pixels.bytes[start + x - length]
        rows.append(pixels.bytes[start + x] &- above)
      }
    }
    return rows
  }

  /// A zlib stream.
  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    // A final block in the fixed code.
    bits.write(1, count: 1)
    bits.write(1, count: 2)
    var place = 0
    while place < bytes.count {
      var run = 0
      if place >= 3 {
        let most = min(258, bytes.count - place)
        while run < most, bytes[place + run] == bytes[place + run - 3] { run += 1 }
      }
      if run >= 3 {
        bits.writeRun(run)
        place += run
      } else {
        bits.writeLiteral(bytes[place])
        place += 1
      }
    }
    bits.writeEnd()
    return [0x78, 0x01] + bits.finish() + number(adler(bytes))
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + data
    return number(UInt32(data.count)) + content + number(checksum(content))
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  private static let checksums: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { value, byte in
      checksums[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8
    }
  }
}

/// Writes bits in the order of deflate: the lowest bit of a byte first, codes from their highest
/// bit.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var byte: UInt8 = 0
  private var count = 0

  mutating func write(_ value: Int, count: Int) {
    for bit in 0..<count { write(bit: value >> bit & 1) }
  }

  private mutating func writeCode(_ code: Int, count: Int) {
    for bit in (0..<count).reversed() { write(bit: code >> bit & 1) }
  }

  private mutating func write(bit: Int) {
    byte |= UInt8(bit) << UInt8(count)
    count += 1
    guard count == 8 else { return }
    bytes.append(byte)
    (byte, count) = (0, 0)
  }

  mutating func writeLiteral(_ literal: UInt8) {
    if literal < 144 {
      writeCode(0x30 + Int(literal), count: 8)
    } else {
      writeCode(0x190 + Int(literal) - 144, count: 9)
    }
  }

  /// Writes a repetition of the bytes three positions before, `length` bytes long (3 to 258).
  mutating func writeRun(_ length: Int) {
    let (symbol, extraBits, extra) = Self.symbol(ofLength: length)
    if symbol < 280 {
      writeCode(symbol - 256, count: 7)
    } else {
      writeCode(0xC0 + symbol - 280, count: 8)
    }
    write(extra, count: extraBits)
    // Code 2, the third of thirty, is the distance of three bytes.
    writeCode(2, count: 5)
  }

  private static func symbol(ofLength length: Int) -> (symbol: Int, extraBits: Int, extra: Int) {
    if length == 258 { return (285, 0, 0) }
    if length < 11 { return (254 + length, 0, 0) }
    // From here on, each group of four symbols has one more extra bit than the previous group.
    var (bits, first, symbol) = (1, 11, 265)
    while length >= first + 4 << bits {
      first += 4 << bits
      symbol += 4
      bits += 1
    }
    return (symbol + (length - first) >> bits, bits, (length - first) & (1 << bits - 1))
  }

  mutating func writeEnd() { writeCode(0, count: 7) }

  mutating func finish() -> [UInt8] {
    if count > 0 { bytes.append(byte) }
    return bytes
  }
}
