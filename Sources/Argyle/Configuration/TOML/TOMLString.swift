import Limits

extension TOMLScanner {
  /// Reads a string in quotes: on one line, or on several in triple quotes.
  mutating func readString() throws(TOMLError) -> String {
    let start = line
    guard let quote = peek else { throw error("expected a string") }
    let isBasic = quote == "\""
    let marks = String(repeating: Character(quote), count: 3)
    let isLong = isAt(marks)
    for _ in 0..<(isLong ? 3 : 1) { advance() }
    // A newline right after the opening quotes is not part of the text.
    if isLong { _ = skip("\n") }
    let unended = TOMLError(
      line: start, message: "the string that begins here has no closing \(quote)")
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      if isLong, isAt(marks) {
        for _ in 0..<3 { advance() }
        // Up to two more quotes belong to the text.
        for _ in 0..<2 where skip(quote) { text.append(quote) }
        return String(outside: String(text).utf8)
      }
      advance()
      switch scalar {
      case quote where !isLong: return String(outside: String(text).utf8)
      case "\n" where !isLong: throw unended
      case "\n": text.append(scalar)
      case "\\" where isBasic: try readEscape(isLong: isLong, into: &text)
      default:
        try refuseControl(scalar)
        text.append(scalar)
      }
    }
    throw unended
  }

  private mutating func readEscape(
    isLong: Bool, into text: inout String.UnicodeScalarView
  ) throws(TOMLError) {
    let scalar = advance()
    switch scalar {
    case "b": text.append("\u{8}")
    case "t": text.append("\t")
    case "n": text.append("\n")
    case "f": text.append("\u{C}")
    case "r": text.append("\r")
    case "\"", "\\": if let scalar { text.append(scalar) }
    case "u": text.append(try readScalarValue(digits: 4))
    case "U": text.append(try readScalarValue(digits: 8))
    case " " where isLong, "\t" where isLong, "\n" where isLong:
      try skipFoldedLines(endsLine: scalar == "\n")
    default:
      throw error(
        "after a \\ in a string, one of b t n f r u U \" \\ must follow; in single quotes a \\ is just a \\"
      )
    }
  }

  /// Skips what a `\` at the end of a line joins: the newline, and blanks up to the next word.
  private mutating func skipFoldedLines(endsLine: Bool) throws(TOMLError) {
    var endsLine = endsLine
    while let scalar = peek, scalar == " " || scalar == "\t" || scalar == "\n" {
      endsLine = endsLine || scalar == "\n"
      advance()
    }
    guard endsLine else {
      throw error("a \\ before a space must be the last character of its line")
    }
  }

  private mutating func readScalarValue(digits: Int) throws(TOMLError) -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = peek.flatMap({ Character($0).isASCII ? Character($0).hexDigitValue : nil })
      else { throw error("\\u must be followed by 4 hexadecimal digits, \\U by 8") }
      advance()
      value = value << 4 | UInt32(digit)
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("this is not a Unicode character") }
    return scalar
  }
}
