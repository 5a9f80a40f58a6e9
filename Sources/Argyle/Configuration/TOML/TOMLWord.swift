extension TOMLValue.Content {
  /// Reads a word without quotes; nil if it is not a value.
  init?(word: String) {
    switch word {
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "inf", "+inf": self = .number(.infinity)
    case "-inf": self = .number(-.infinity)
    case "nan", "+nan", "-nan": self = .number(.nan)
    default:
      if let integer = Self.integer(word) {
        self = .integer(integer)
      } else if let number = Self.number(word) {
        self = .number(number)
      } else if Self.isDate(word) {
        self = .date(word)
      } else {
        return nil
      }
    }
  }

  /// Whether a word that is not a value is a whole number outside of the range of `Int`.
  static func isOutOfRange(_ word: String) -> Bool {
    let (_, digits) = parted(word[...])
    return integer(word) == nil && hasNoLeadingZero(digits)
      && withoutUnderscores(digits, radix: 10) != nil
  }

  private static func integer(_ word: String) -> Int? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
      let digits = word.dropFirst(2)
      guard digits.first != "+", digits.first != "-" else { return nil }
      return withoutUnderscores(digits, radix: radix).flatMap { Int($0, radix: radix) }
    }
    let (sign, digits) = parted(word[...])
    guard hasNoLeadingZero(digits), let plain = withoutUnderscores(digits, radix: 10) else {
      return nil
    }
    return Int(sign + plain)
  }

  private static func number(_ word: String) -> Double? {
    let parts = word.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts[0].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 || mantissa.count == 2 else { return nil }
    let (sign, whole) = parted(mantissa[0])
    guard hasNoLeadingZero(whole), let whole = withoutUnderscores(whole, radix: 10) else {
      return nil
    }
    var plain = sign + whole
    if mantissa.count == 2 {
      guard let fraction = withoutUnderscores(mantissa[1], radix: 10) else { return nil }
      plain += "." + fraction
    }
    if parts.count == 2 {
      let (sign, digits) = parted(parts[1])
      guard let digits = withoutUnderscores(digits, radix: 10) else { return nil }
      plain += "e" + sign + digits
    }
    return Double(plain)
  }

  private static func parted(_ word: Substring) -> (sign: String, digits: Substring) {
    guard let first = word.first, first == "+" || first == "-" else { return ("", word) }
    return (first == "-" ? "-" : "", word.dropFirst())
  }

  private static func hasNoLeadingZero(_ digits: Substring) -> Bool {
    digits.count == 1 || digits.first != "0"
  }

  /// Removes the underscores between digits; nil if the text has anything else in it.
  private static func withoutUnderscores(_ digits: Substring, radix: Int) -> String? {
    var plain = ""
    var wasDigit = false
    for character in digits {
      if character == "_", wasDigit {
        wasDigit = false
      } else if character.isASCII, let value = character.hexDigitValue, value < radix {
        plain.append(character)
        wasDigit = true
      } else {
        return nil
      }
    }
    return wasDigit ? plain : nil
  }

  /// Whether the word begins like a date or a time of day.
  ///
  /// The rest is not checked, since no setting is a date.
  private static func isDate(_ word: String) -> Bool {
    let shape = word.map { $0.isASCII && $0.isNumber ? "0" : $0 }
    return shape.starts(with: "0000-00-00") || shape.starts(with: "00:00")
  }
}
