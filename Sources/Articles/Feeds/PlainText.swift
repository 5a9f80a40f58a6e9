import CGumbo
import Limits

/// Converts between one line of plain text and HTML.
enum PlainText {
  /// The longest line, in bytes: no list shows more, and a title of megabytes is not a title.
  static let lineLimit = 2_000

  /// Collapses white space to single spaces, trims it, removes ASCII control characters, and cuts
  /// the line after about `limit` bytes.
  static func line(_ text: String, limit: Int = lineLimit) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(min(text.utf8.count, limit) + 4)
    for byte in text.utf8 {
      // Cut between two characters only, never inside one.
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
    return String(outside: output)
  }

  /// Returns the plain text of a title that may contain HTML, such as `a <i>b</i> &amp; c`.
  ///
  /// Only HTML's own elements count as tags: a title may mention `Array<Int>`.
  static func line(html: String, limit: Int = lineLimit, budget: Budget? = nil) -> String {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return line(html, limit: limit)
    }
    let input = Array(html.utf8)
    var markup = Markup(input, budget: budget ?? Budget(bytes: input.count))
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var index = 0
    while index < input.count, markup.budget.spend(1) {
      switch input[index] {
      case UInt8(ascii: "<"):
        if let end = markup.end(at: index) {
          index = end
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

  /// Converts text to HTML; blank lines separate paragraphs.
  ///
  /// - Parameter keepsLines: whether the ends of other lines are kept, too.
  static func html(_ text: String, keepsLines: Bool = false) -> String {
    guard !text.isEmpty else { return "" }
    var output = "<p>"
    var isBlankLine = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case "\n":
        output += isBlankLine ? "<p>" : keepsLines ? "<br>" : "\n"
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
    name.elementsEqual("apos".utf8) ? "'" : CharacterReference.scalar(name)
  }
}

/// Finds the ends of the tags and comments in a title.
///
/// Each byte that is looked at costs a step, so that a missing end is not searched for again and
/// again.
private struct Markup {
  let input: [UInt8]
  let budget: Budget
  /// The last `>`: no tag can end after it, so nothing is searched for there.
  private let lastClose: Int
  /// Whether a `>` in quotes does not end a tag; false once a quote of some tag has no end.
  private var hasQuotes = true

  init(_ input: [UInt8], budget: Budget) {
    (self.input, self.budget) = (input, budget)
    lastClose = input.lastIndex(of: UInt8(ascii: ">")) ?? 0
    budget.spend(input.count - lastClose)
  }

  /// Returns the end of the markup that begins at a `<`; nil when the `<` is part of the text.
  mutating func end(at start: Int) -> Int? {
    if begins(with: "<!--", at: start) { return end(of: "-->", from: start + 4) }
    guard start < lastClose else { return nil }
    if begins(with: "<!doctype", at: start) { return close(from: start) }
    guard let end = endOfTag(at: start) else { return nil }
    return endOfHidden(at: start, after: end) ?? end
  }

  private mutating func endOfTag(at start: Int) -> Int? {
    var index = start + 1
    if index < input.count, input[index] == UInt8(ascii: "/") { index += 1 }
    let name = input[index...].prefix(Self.nameLimit).prefix {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
    }
    budget.spend(name.count)
    guard !name.isEmpty, isElement(name) else { return nil }
    index += name.count
    guard hasQuotes else { return close(from: index) }
    // A `>` in a quoted attribute does not end the tag, unless the quote is never closed.
    var quote: UInt8?
    for position in index..<input.count {
      budget.spend(1)
      let byte = input[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return position + 1
      }
    }
    hasQuotes = false
    return close(from: index)
  }

  /// No element has a longer name.
  private static let nameLimit = 32

  /// Returns the end of an element whose contents are not readable text.
  private func endOfHidden(at start: Int, after tag: Int) -> Int? {
    for name in ["script", "style"] as [StaticString] where begins(with: name, at: start + 1) {
      var index = tag
      while index < input.count, budget.spend(1) {
        if input[index] == UInt8(ascii: "<"), index + 1 < input.count,
          input[index + 1] == UInt8(ascii: "/"), begins(with: name, at: index + 2)
        {
          return close(from: index) ?? input.count
        }
        index += 1
      }
      return input.count
    }
    return nil
  }

  /// Returns the index after the next `>`.
  private func close(from start: Int) -> Int? {
    let end = input[start...].firstIndex(of: UInt8(ascii: ">"))
    budget.spend((end ?? input.count) - start)
    return end.map { $0 + 1 }
  }

  /// Returns the index after a mark, or the end of the text if it is missing.
  private func end(of mark: StaticString, from start: Int) -> Int {
    var index = start
    while index < input.count, budget.spend(1) {
      if begins(with: mark, at: index) { return index + mark.utf8CodeUnitCount }
      index += 1
    }
    return input.count
  }

  /// Whether the text continues with a mark, ignoring case.
  private func begins(with mark: StaticString, at start: Int) -> Bool {
    guard start + mark.utf8CodeUnitCount <= input.count else { return false }
    return mark.withUTF8Buffer { mark in
      mark.indices.allSatisfy { offset in
        let byte = input[start + offset]
        return byte == mark[offset]
          || 0x61...0x7A ~= mark[offset] && byte == mark[offset] & ~0x20
      }
    }
  }

  private func isElement(_ name: ArraySlice<UInt8>) -> Bool {
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
