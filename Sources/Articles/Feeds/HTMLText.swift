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

  /// Elements that may occur in the middle of a word.
  private static let inline = names(
    """
    a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q rp rt ruby s samp small span \
    strike strong sub sup time tt u var wbr
    """)
  /// Elements whose contents are not text.
  private static let silent = names("script style template noscript svg math")

  /// A list, because comparing all of these numbers is faster than hashing one.
  private static func names(_ list: String) -> [UInt64] {
    list.utf8.split(separator: UInt8(ascii: " ")).map(packed)
  }

  /// Packs the name of an element into a number, in lower case; 0 for a name of more than eight
  /// letters, which none of these elements has.
  private static func packed(_ letters: some Collection<UInt8>) -> UInt64 {
    letters.count > 8 ? 0 : letters.reduce(0) { $0 << 8 | UInt64($1 | 0x20) }
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

    /// Copies bytes that need no change: those of words, and single spaces.
    private mutating func appendWords() {
      let start = index
      let end = start + min(input.count - start, limit - output.count)
      while index < end {
        switch input[index] {
        case UInt8(ascii: "<"), UInt8(ascii: "&"), 0xAD: break
        case 0x21...: index += 1; continue
        case 0x20 where input[index - 1] > 0x20: index += 1; continue
        default: break
        }
        break
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: input[start..<index]))
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
      let letters = input[start...].prefix(9).prefix { 0x61...0x7A ~= $0 | 0x20 }
      // As in a browser, this `<` is a character and not a tag.
      guard !letters.isEmpty || isDeclaration else {
        output.append(input[index])
        index += 1
        return
      }
      let name = packed(letters)
      skipToTagEnd()
      if !inline.contains(name) { endLine() }
      if !isEnd, silent.contains(name) {
        skip(past: "</" + String(decoding: letters, as: UTF8.self))
        skipToTagEnd()
      }
    }

    /// Skips a tag; a `>` in a quoted value does not end it.
    private mutating func skipToTagEnd() {
      var quote: UInt8?
      while index < input.count {
        let byte = input[index]
        index += 1
        switch (quote, byte) {
        case (nil, UInt8(ascii: ">")): return
        case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")):
          if input[index - 2] == UInt8(ascii: "=") { quote = byte }
        case (let open?, byte) where open == byte: quote = nil
        default: break
        }
      }
    }

    /// Skips past a mark, or to the end of the text if it is missing.
    private mutating func skip(past mark: String) {
      let mark = Array(mark.utf8)
      while index < input.count {
        if input[index] | 0x20 == mark[0] | 0x20,
          input[index...].prefix(mark.count).elementsEqual(mark, by: { $0 | 0x20 == $1 | 0x20 })
        {
          index += mark.count
          return
        }
        index += 1
      }
    }
  }
}
