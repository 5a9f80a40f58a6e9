import Limits

/// Extracts the plain text of HTML, for the search index and for text that is too costly to parse.
///
/// Faster than building a document, and without invisible parts.
enum HTMLText {
  /// - Parameters:
  ///   - limit: the maximum length in bytes.
  ///   - keepsLines: whether lines and paragraphs end with `\n`; otherwise all text is one line.
  ///   - budget: the steps that may be taken; the text ends where they are used up.
  static func text(
    _ html: String, limit: Int, keepsLines: Bool = false, budget: Budget? = nil
  ) -> String {
    var html = html
    let budget = budget ?? Budget(bytes: html.utf8.count)
    return html.withUTF8 {
      Scanner(input: $0, limit: limit, keepsLines: keepsLines, budget: budget).text()
    }
  }

  /// Whether an element may occur in the middle of a word.
  ///
  /// The names of elements are packed into numbers, one byte per letter: comparing these is faster
  /// than hashing them.
  private static func isInline(_ name: UInt64) -> Bool {
    switch name {
    // a b i q s u em rp rt tt
    case 0x61, 0x62, 0x69, 0x71, 0x73, 0x75, 0x656D, 0x7270, 0x7274, 0x7474: true
    // bdi bdo big del dfn ins kbd sub
    case 0x62_6469, 0x62_646F, 0x62_6967, 0x64_656C, 0x64_666E, 0x69_6E73, 0x6B_6264, 0x73_7562:
      true
    // sup var wbr abbr cite code
    case 0x73_7570, 0x76_6172, 0x77_6272, 0x6162_6272, 0x6369_7465, 0x636F_6465: true
    // font mark ruby samp span time
    case 0x666F_6E74, 0x6D61_726B, 0x7275_6279, 0x7361_6D70, 0x7370_616E, 0x7469_6D65: true
    // small strike strong
    case 0x73_6D61_6C6C, 0x7374_7269_6B65, 0x7374_726F_6E67: true
    default: false
    }
  }

  /// Whether the contents of an element are not text.
  private static func isSilent(_ name: UInt64) -> Bool {
    switch name {
    // script style template
    case 0x7363_7269_7074, 0x73_7479_6C65, 0x7465_6D70_6C61_7465: true
    // noscript svg math
    case 0x6E6F_7363_7269_7074, 0x73_7667, 0x6D61_7468: true
    default: false
    }
  }

  private struct Scanner {
    let input: UnsafeBufferPointer<UInt8>
    let limit: Int
    let keepsLines: Bool
    let budget: Budget
    private var output: [UInt8] = []
    private var index = 0

    init(input: UnsafeBufferPointer<UInt8>, limit: Int, keepsLines: Bool, budget: Budget) {
      (self.input, self.limit, self.keepsLines, self.budget) = (input, limit, keepsLines, budget)
      output.reserveCapacity(min(input.count, limit))
    }

    consuming func text() -> String {
      while index < input.count, output.count < limit {
        let start = index
        defer { budget.spend(index - start) }
        if budget.isSpent { break }
        switch input[index] {
        case UInt8(ascii: "<"): skipTag()
        case UInt8(ascii: "&"): appendReference()
        case let byte where byte > 0x20 && byte != 0xAD: appendWords()
        case let byte:
          append(byte)
          index += 1
        }
      }
      if let last = output.last, last <= 0x20 { output.removeLast() }
      return String(outside: output)
    }

    /// Copies words, with one space between them.
    private mutating func appendWords() {
      // Not longer than what there is room for, so that no byte is looked at twice.
      let rest = input[index..<(index + min(input.count - index, limit - output.count))]
      let all = UnsafeBufferPointer(rebasing: rest)
      let end = all.firstIndex(
        of: UInt8(ascii: "<"), UInt8(ascii: "&"), 0xAD, below: 0x20, from: 0)
      let words = UnsafeBufferPointer(rebasing: all[..<end])
      index += end
      if !words.hasTwoSpaces {
        output.append(contentsOf: words)
      } else {
        for byte in words where byte != 0x20 || output.last != 0x20 { output.append(byte) }
      }
    }

    private mutating func append(_ byte: UInt8) {
      // A soft hyphen is invisible, so it does not end a word.
      if byte == 0xAD, output.last == 0xC2 {
        output.removeLast()
      } else if byte > 0x20 {
        output.append(byte)
      } else if byte == 0x0A {
        endLine()
      } else {
        appendSpace()
      }
    }

    private mutating func appendSpace() {
      if let last = output.last, last > 0x20 { output.append(0x20) }
    }

    private mutating func endLine() {
      guard keepsLines else { return appendSpace() }
      if output.last == 0x20 { output.removeLast() }
      if let last = output.last, last != 0x0A { output.append(0x0A) }
    }

    private mutating func appendReference() {
      let name = input[(index + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
      let end = index + 1 + name.count
      let scalar =
        end < input.count && input[end] == UInt8(ascii: ";") ? CharacterReference.scalar(name) : nil
      index = scalar == nil ? index + 1 : end + 1
      for byte in String(scalar ?? "&").utf8 { append(byte) }
    }

    private mutating func skipTag() {
      var start = index + 1
      let isEnd = start < input.count && input[start] == UInt8(ascii: "/")
      if isEnd { start += 1 }
      let isDeclaration = start < input.count && input[start] == UInt8(ascii: "!")
      if isDeclaration, input[start...].starts(with: "!--".utf8), !isEnd {
        return skip(past: "-->")
      }
      var name: UInt64 = 0
      var end = start
      // None of the elements has a name of more than eight letters.
      while end < input.count, end - start < 9, 0x61...0x7A ~= input[end] | 0x20 {
        name = name << 8 | UInt64(input[end] | 0x20)
        end += 1
      }
      // As in a browser, this `<` is a character and not a tag.
      guard end > start || isDeclaration else {
        output.append(input[index])
        index += 1
        return
      }
      if end - start > 8 { name = 0 }
      skipToTagEnd()
      if !isInline(name) { endLine() }
      if !isEnd, isSilent(name) {
        skip(past: "</" + String(decoding: input[start..<end], as: UTF8.self))
        skipToTagEnd()
      }
    }

    /// Skips a tag; a `>` in a quoted value does not end it.
    private mutating func skipToTagEnd() {
      defer { index = min(index, input.count) }
      while index < input.count {
        let mark = input.firstIndex(
          of: UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), from: index)
        index = mark + 1
        guard mark < input.count, input[mark] != UInt8(ascii: ">") else { return }
        if input[mark - 1] == UInt8(ascii: "=") {
          index = input.firstIndex(of: input[mark], from: index) + 1
        }
      }
    }

    /// Skips past a mark, or to the end of the text if it is missing.
    private mutating func skip(past mark: String) {
      let mark = Array(mark.utf8)
      while true {
        // In upper or lower case.
        index = input.firstIndex(of: mark[0], mark[0] ^ 0x20, mark[0], from: index)
        guard index < input.count else { return }
        if input[index...].prefix(mark.count).elementsEqual(mark, by: { $0 | 0x20 == $1 | 0x20 }) {
          index += mark.count
          return
        }
        index += 1
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a space follows another one.
  fileprivate var hasTwoSpaces: Bool {
    // Without an end in the middle, the compiler compares many bytes at a time.
    var found: UInt8 = 0
    for index in indices.dropFirst() {
      found |= (self[index - 1] ^ 0x20 | self[index] ^ 0x20) == 0 ? 1 : 0
    }
    return found > 0
  }
}
