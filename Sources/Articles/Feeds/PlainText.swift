import CGumbo

/// Between one line of text and HTML.
enum PlainText {
  /// Longer lines are cut: no list shows more, and a title of megabytes is no title.
  static let lineLimit = 2_000

  /// With every run of white space as one space, and none at the ends; without control characters.
  static func line(_ text: String, limit: Int = lineLimit) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(min(text.utf8.count, limit) + 4)
    for byte in text.utf8 {
      // Only between two characters, never inside one.
      if output.count >= limit, byte & 0xC0 != 0x80 {
        output.append(contentsOf: "…".utf8)
        break
      }
      if isWhiteSpace(byte) {
        if output.last != 0x20, !output.isEmpty { output.append(0x20) }
      } else if byte > 0x20, byte != 0x7F {
        output.append(byte)
      }
    }
    if output.last == 0x20 { output.removeLast() }
    return String(decoding: output, as: UTF8.self)
  }

  /// The text of a title that may hold HTML, such as `a <i>b</i> &amp; c`.
  ///
  /// Only HTML's own elements are taken for tags: a title may well speak of `Array<Int>`.
  static func line(html: String, limit: Int = lineLimit) -> String {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return line(html, limit: limit)
    }
    let input = Array(html.utf8)
    // Found once: looking for it again from every `<` would take quadratic time.
    let lastClose = input.lastIndex(of: UInt8(ascii: ">")) ?? 0
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var index = 0
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "<"):
        if let end = endOfComment(in: input, at: index) {
          index = end
          continue
        }
        if index < lastClose, let end = endOfTag(in: input, at: index) {
          index = endOfHidden(in: input, at: index, after: end) ?? end
          continue
        }
      case UInt8(ascii: "&"):
        let name = input[(index + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        let end = index + 1 + name.count
        if end < input.count, input[end] == UInt8(ascii: ";"), let scalar = scalar(name) {
          output.append(contentsOf: String(scalar).utf8)
          index = end + 1
          continue
        }
      default: break
      }
      output.append(input[index])
      index += 1
    }
    return line(String(decoding: output, as: UTF8.self), limit: limit)
  }

  /// Text as HTML, with a paragraph for each part between blank lines.
  static func html(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    var output = "<p>"
    var isBlankLine = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case "\n":
        output += isBlankLine ? "<p>" : "\n"
        isBlankLine = true
        continue
      case " ", "\t", "\r":
        output.unicodeScalars.append(scalar)
        continue
      default: output.unicodeScalars.append(scalar)
      }
      isBlankLine = false
    }
    return output
  }

  private static func scalar(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    if name.first == UInt8(ascii: "#") {
      return CharacterReference.scalar(numbered: name.dropFirst())
    }
    return name.elementsEqual("apos".utf8) ? "'" : CharacterReference.scalar(named: name)
  }

  private static func endOfTag(in input: [UInt8], at start: Int) -> Int? {
    var index = start + 1
    if index < input.count, input[index] == UInt8(ascii: "/") { index += 1 }
    let name = input[index...].prefix {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
    }
    guard !name.isEmpty, isElement(name) else { return nil }
    index += name.count
    // The end that stands in an attribute is none; in a quote that never ends it is after all.
    var quote: UInt8?
    for position in index..<min(index + tagLimit, input.count) {
      let byte = input[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return position + 1
      }
    }
    guard let end = input[index...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
    return end + 1
  }

  /// How far the end of a tag is looked for with an eye to quotes, so that many quotes that never
  /// end do not take quadratic time.
  private static let tagLimit = 4_096

  private static func endOfComment(in input: [UInt8], at start: Int) -> Int? {
    if input[start...].prefix(9).elementsEqual("<!doctype".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
      return input[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
    }
    guard input[start...].starts(with: "<!--".utf8) else { return nil }
    var index = start + 4
    while index + 2 < input.count {
      if input[index...].starts(with: "-->".utf8) { return index + 3 }
      index += 1
    }
    return input.count
  }

  /// Where an element ends whose text nobody is meant to read.
  private static func endOfHidden(in input: [UInt8], at start: Int, after tag: Int) -> Int? {
    for name in ["script", "style"] {
      let isOpen = input[(start + 1)...].prefix(name.utf8.count).elementsEqual(name.utf8) {
        $0 | 0x20 == $1
      }
      guard isOpen else { continue }
      var index = tag
      while index < input.count {
        if input[index] == UInt8(ascii: "<"), input.count - index > name.utf8.count + 2,
          input[index + 1] == UInt8(ascii: "/"),
          input[(index + 2)...].prefix(name.utf8.count).elementsEqual(
            name.utf8, by: { $0 | 0x20 == $1 })
        {
          return input[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? input.count
        }
        index += 1
      }
      return input.count
    }
    return nil
  }

  private static func isElement(_ name: ArraySlice<UInt8>) -> Bool {
    name.withUnsafeBytes { name in
      gumbo_tagn_enum(name.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(name.count))
        != GUMBO_TAG_UNKNOWN
    }
  }
}

func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || (0x09...0x0D).contains(byte)
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
  func trimmedWhiteSpace() -> SubSequence {
    var start = startIndex
    var end = endIndex
    while start < end, isWhiteSpace(self[start]) { start += 1 }
    while end > start, isWhiteSpace(self[end - 1]) { end -= 1 }
    return self[start..<end]
  }
}

extension String {
  func trimmingWhiteSpace() -> String {
    guard let first = utf8.first, let last = utf8.last, isWhiteSpace(first) || isWhiteSpace(last)
    else { return self }
    return String(decoding: Array(utf8).trimmedWhiteSpace(), as: UTF8.self)
  }
}
