import CXML
import Limits

/// Converts the bytes of a document to UTF-8.
///
/// The encoding that a document or a server declares is often wrong, so it is considered last: a
/// byte order mark comes first, then the pattern of UTF-16 or UTF-32, then text that is valid UTF-8
/// but not ASCII (which hardly happens by accident), then the server's declaration, then the
/// document's.
///
/// If these are wrong too, or there are none, or UTF-8 and windows-1252 are declared, the text is
/// UTF-8 with mistakes, of which each becomes U+FFFD, or windows-1252: whichever is more likely.
///
/// The number of consecutive combining marks is limited to ``Marks/limit``.
enum SourceText {
  static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    Marks.limited(withoutOrderMarks(decoded(bytes, charset: charset)))
  }

  /// Removes byte order marks before the text, also behind white space: programs that join files
  /// leave more than one, and not only at the very start.
  private static func withoutOrderMarks(_ text: [UInt8]) -> [UInt8] {
    let start = text.prefix { isWhiteSpace($0) || orderMark.contains($0) }
    guard start.contains(orderMark[0]) else { return text }
    var rest = start
    var space: [UInt8] = []
    while let byte = rest.first {
      if rest.starts(with: orderMark) {
        rest = rest.dropFirst(orderMark.count)
      } else if isWhiteSpace(byte) {
        space.append(byte)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return space + text[rest.startIndex...]
  }

  private static let orderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func decoded(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    if bytes.starts(with: orderMark) { return repaired(Array(bytes.dropFirst(3))) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || startsMarkup(bytes, [1, 0, 0, 0]) {
      return converted(bytes, from: "UTF-32LE") ?? repaired(bytes)
    }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) || startsMarkup(bytes, [0, 0, 0, 1]) {
      return converted(bytes, from: "UTF-32BE") ?? repaired(bytes)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || startsMarkup(bytes, [1, 0]) {
      return converted(bytes, from: "UTF-16LE") ?? repaired(bytes)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || startsMarkup(bytes, [0, 1]) {
      return converted(bytes, from: "UTF-16BE") ?? repaired(bytes)
    }

    let names = [charset, declaredEncoding(bytes)].compactMap { $0 }
      .filter { $0.utf8.count <= nameLimit }.map(EncodingLabels.encoding)
    // Japanese and Chinese mail encodings, and UTF-7, encode other characters as ASCII.
    let isDisguised = names.contains(where: isSevenBit) && bytes.allSatisfy { $0 < 0x80 }
    if !isDisguised, isValid(bytes) { return bytes }
    // Many servers declare latin-1 for everything: it does not count against a document's UTF-8.
    let isUTF8Declared = names.contains("UTF-8")
    for name in names where name != "UTF-8" && !(isUTF8Declared && name == "WINDOWS-1252") {
      if let text = converted(bytes, from: name) { return text }
    }
    return isMostlyUTF8(bytes) ? repaired(bytes) : fromWindows1252(bytes)
  }

  /// Whether the text begins with a character that feeds begin with, in units of several bytes; 1
  /// in the pattern stands for the byte of that character.
  private static func startsMarkup(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    [UInt8(ascii: "<"), UInt8(ascii: "{")].contains { byte in
      bytes.starts(with: pattern.map { $0 * byte })
    }
  }

  /// No encoding has a longer name.
  private static let nameLimit = 40

  /// Returns the value of `encoding="…"` in the XML declaration.
  static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(300), as: UTF8.self)
    guard let start = head.utf8.firstIndex(of: UInt8(ascii: "<")),
      head[start...].hasPrefix("<?xml"),
      let end = head[start...].firstIndex(of: ">"),
      let name = head[start..<end].firstRange(of: "encoding")
    else { return nil }
    let value = head[name.upperBound..<end].drop { $0 == "=" || $0 == " " }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  private static func isSevenBit(_ name: String) -> Bool {
    name.hasPrefix("ISO-2022") || name == "HZ-GB-2312" || name == "UTF-7"
  }

  /// Whether the bytes are valid UTF-8 as Unicode defines it: no surrogates, no overlong forms.
  ///
  /// The standard library can only tell by making a string, which copies the whole document.
  static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index < bytes.count {
        if index + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          index += 8
        } else if bytes[index] < 0x80 {
          index += 1
        } else {
          guard let count = lengthOfCharacter(in: bytes, at: index) else { return false }
          index += count
        }
      }
      return true
    }
  }

  /// Whether bytes that are not valid UTF-8 are more likely UTF-8 with mistakes than windows-1252.
  ///
  /// They are if they have at least as many characters of several bytes, which windows-1252 hardly has
  /// by accident, as mistakes. Invalid bytes in a row are one mistake. A sign or an emoji that was cut
  /// after two bytes or more is none: many texts are cut by their length in bytes.
  private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var (index, characters, mistakes) = (0, 0, 0)
      var isInMistake = false
      while index < bytes.count {
        let length = bytes[index] < 0x80 ? 1 : lengthOfCharacter(in: bytes, at: index)
        let cut = length == nil ? lengthOfCutCharacter(in: bytes, at: index) : nil
        let isMistake = length == nil && cut == nil
        if isMistake, !isInMistake { mistakes += 1 }
        isInMistake = isMistake
        if let length, length > 1 { characters += 1 }
        index += length ?? cut ?? 1
      }
      return characters >= mistakes
    }
  }

  /// Returns how many bytes of a sign such as “…” or of an emoji at its beginning are there, at least
  /// two; nil when they are fewer, or are not the beginning of one.
  ///
  /// Of letters they could be two of windows-1252: in “fiancé’s”, the last two.
  private static func lengthOfCutCharacter(
    in bytes: UnsafeRawBufferPointer, at start: Int
  ) -> Int? {
    guard [0xE2, 0xF0].contains(bytes[start]),
      let (count, second) = form(ofCharacterBeginningWith: bytes[start]), start + 1 < bytes.count,
      second.contains(bytes[start + 1])
    else { return nil }
    let rest = bytes[(start + 2)..<min(start + count, bytes.count)]
    return 2 + rest.prefix { $0 & 0xC0 == 0x80 }.count
  }

  /// Returns the length of a character that is not ASCII; nil when it is invalid.
  private static func lengthOfCharacter(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
    guard let (count, second) = form(ofCharacterBeginningWith: bytes[start]) else { return nil }
    guard start + count <= bytes.count, second.contains(bytes[start + 1]) else { return nil }
    for index in start + 2..<start + count where bytes[index] & 0xC0 != 0x80 { return nil }
    return count
  }

  /// Returns the length of a character that is not ASCII, and which second bytes it may have; further
  /// bytes are 0x80...0xBF.
  private static func form(
    ofCharacterBeginningWith byte: UInt8
  ) -> (count: Int, second: ClosedRange<UInt8>)? {
    switch byte {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: nil
    }
  }

  /// Replaces invalid UTF-8 with U+FFFD.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    isValid(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  private static func fromWindows1252(_ bytes: [UInt8]) -> [UInt8] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map(Windows1252.scalar))
    return Array(String(text).utf8)
  }

  /// Converts from a named encoding; nil when the system does not know it.
  private static func converted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    if name == "WINDOWS-1252" { return fromWindows1252(bytes) }
    // The name comes from outside and becomes part of a file name in the C library.
    let isPlain = name.utf8.allSatisfy {
      0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || $0 == 0x2D || $0 == 0x5F
    }
    guard isPlain, 1...nameLimit ~= name.utf8.count else { return nil }
    let converter = iconv_open("UTF-8", name)
    guard let converter, converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }

    let leads = EncodingLabels.leads[name] ?? []
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var input = bytes
    input.withUnsafeMutableBytes { input in
      var source = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var sourceLeft = input.count
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { chunk in
        while sourceLeft > 0 {
          var target = chunk.baseAddress
          var targetLeft = chunk.count
          let result = iconv(converter, &source, &sourceLeft, &target, &targetLeft)
          let written = chunk.count - targetLeft
          output.append(contentsOf: UnsafeRawBufferPointer(chunk)[..<written])
          // If the buffer was full, the next round continues; any other failure is an invalid byte,
          // which is replaced.
          if result == -1, written < chunk.count / 2, sourceLeft > 0, let bad = source {
            let rest = UnsafeRawBufferPointer(start: bad, count: sourceLeft)
            // The euro of GBK, which GB18030 has elsewhere; pages use both.
            let isEuro = rest[0] == 0x80 && name == "GB18030"
            output.append(contentsOf: (isEuro ? "€" : "\u{FFFD}").utf8)
            // Half a character would be joined with the next byte, and so would all that follow.
            // ASCII is never part of one: it may end an element.
            let whole = leads.first { $0.bytes.contains(rest[0]) }?.length ?? 1
            let isWhole = rest.count >= whole && rest.prefix(whole).allSatisfy { $0 >= 0x80 }
            source = bad.advanced(by: isWhole ? whole : 1)
            sourceLeft -= isWhole ? whole : 1
          }
        }
      }
    }
    if output.starts(with: [0xEF, 0xBB, 0xBF]) { output.removeFirst(3) }
    return isValid(output) ? output : repaired(output)
  }
}

/// Converts the bytes of a web page to UTF-8.
enum PageSource {
  /// - Parameter charset: the encoding that the server declares; nil to use the page's declaration.
  static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    SourceText.utf8(bytes, charset: charset ?? declaredCharset(bytes))
  }

  /// How far browsers look for the declaration, in bytes.
  private static let headLength = 4_096

  /// Returns the encoding of `<meta charset="…">`, or of its longer form.
  static func declaredCharset(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(headLength), as: UTF8.self).lowercased()
    guard let mark = head.firstRange(of: "charset=") else { return nil }
    let value = head[mark.upperBound...].drop { "\"' ".contains($0) }
      .prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
    return value.isEmpty ? nil : String(value)
  }
}
