import Glibc

/// Reads requests from standard input and writes answers to standard output.
enum Wire {
  /// Waits for input; false when nothing arrives within `seconds`.
  ///
  /// The end of the input counts as input.
  static func waits(seconds: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while true {
      switch poll(&input, 1, seconds * 1000) {
      case 0: return false
      case -1 where errno == EINTR: continue
      default: return true
      }
    }
  }

  /// Reads exactly `count` bytes; nil if the other end closes before that.
  static func read(_ count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let read = Glibc.read(STDIN_FILENO, buffer.baseAddress.map { $0 + filled }, count - filled)
        if read > 0 { filled += read } else if read == 0 || errno != EINTR { return }
      }
    }
    return bytes.count == count ? bytes : nil
  }

  /// Writes all of `bytes`; false when the other end is closed.
  static func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written >= 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return false }
    }
    return true
  }
}

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
