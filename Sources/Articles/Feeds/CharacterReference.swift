import CXML

/// Decodes the text between `&` and `;` in XML or HTML.
enum CharacterReference {
  /// The length of the longest known name.
  static let nameLimit = 8

  /// Returns the character with a name, or with a number after `#`.
  static func scalar<Name: Collection<UInt8>>(_ name: Name) -> Unicode.Scalar? {
    name.first == UInt8(ascii: "#") ? scalar(numbered: name.dropFirst()) : scalar(named: name)
  }

  /// Returns the character with an HTML name such as `nbsp`.
  static func scalar(named name: some Sequence<UInt8>) -> Unicode.Scalar? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: nameLimit + 1) { buffer in
      var count = 0
      for byte in name {
        guard count < nameLimit else { return nil }
        buffer[count] = byte
        count += 1
      }
      buffer[count] = 0
      guard let start = buffer.baseAddress, let entry = htmlEntityLookup(start) else { return nil }
      return Unicode.Scalar(UInt32(entry.pointee.value))
    }
  }

  /// Returns the character with a number, from its digits (`150`, `x2014`); nil when these are
  /// invalid.
  ///
  /// Numbers of characters that XML forbids give U+FFFD; 128…159 are read as windows-1252, as in
  /// every browser.
  static func scalar(numbered digits: some Sequence<UInt8>) -> Unicode.Scalar? {
    var value: UInt32 = 0
    var radix: UInt32 = 10
    var isFirst = true
    var hasDigits = false
    for byte in digits {
      defer { isFirst = false }
      if isFirst, byte | 0x20 == UInt8(ascii: "x") {
        radix = 16
        continue
      }
      guard let digit = hexadecimalValue(byte), digit < radix else { return nil }
      hasDigits = true
      // Prevents an overflow: all numbers above the last character are equally wrong.
      value = min(value * radix + digit, 0x110000)
    }
    guard hasDigits else { return nil }
    if 0x80...0x9F ~= value { return Windows1252.scalar(UInt8(value)) }
    if value < 0x20, value != 9, value != 10, value != 13 { return "\u{FFFD}" }
    if value == 0xFFFE || value == 0xFFFF { return "\u{FFFD}" }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}

/// The encoding that browsers use for "ISO-8859-1".
enum Windows1252 {
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
    return upperControls[Int(byte) - 0x80]
  }

  private static let upperControls: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
