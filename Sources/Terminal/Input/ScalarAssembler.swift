/// Scalars from UTF-8 that comes byte by byte.
///
/// What is not UTF-8 is dropped.
struct ScalarAssembler: Sendable {
  private var value: UInt32 = 0
  private var missing = 0
  private var minimum: UInt32 = 0

  /// Whether a scalar has begun.
  var isIncomplete: Bool { missing > 0 }

  /// Forgets a scalar that has begun.
  mutating func reset() { missing = 0 }

  /// The scalar that `byte` completes, if it does.
  mutating func append(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case 0..<0x80:
      missing = 0
      return Unicode.Scalar(byte)
    case 0x80..<0xC0:
      guard missing > 0 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
      missing -= 1
      // Longer than needed, a surrogate or beyond the last one: not a scalar.
      return missing == 0 && value >= minimum ? Unicode.Scalar(value) : nil
    case 0xC2..<0xE0: begin(UInt32(byte & 0x1F), missing: 1, minimum: 0x80)
    case 0xE0..<0xF0: begin(UInt32(byte & 0x0F), missing: 2, minimum: 0x800)
    case 0xF0..<0xF5: begin(UInt32(byte & 0x07), missing: 3, minimum: 0x10000)
    default: missing = 0
    }
    return nil
  }

  private mutating func begin(_ value: UInt32, missing: Int, minimum: UInt32) {
    (self.value, self.missing, self.minimum) = (value, missing, minimum)
  }
}
