/// How the items of a list are marked.
public enum ListMarks: Sendable, Hashable {
  case bullets
  /// The numbers count up, or down if `by` is -1.
  case numbers(from: Int, by: Int = 1, as: Numerals = .decimal)
  /// Each item is a term, followed by its definitions.
  case terms

  /// How the numbers of a list are written; the raw value is the `type` of an `ol` element.
  public enum Numerals: String, CaseIterable, Sendable {
    case decimal = "1"
    case lowerLetters = "a"
    case upperLetters = "A"
    case lowerRoman = "i"
    case upperRoman = "I"

    /// Returns a number as it is written; one that letters or Roman numerals cannot express is
    /// decimal.
    public func text(_ number: Int) -> String {
      switch self {
      case .decimal: "\(number)"
      case .lowerLetters: Self.letters(number) ?? "\(number)"
      case .upperLetters: Self.letters(number)?.uppercased() ?? "\(number)"
      case .lowerRoman: Self.roman(number) ?? "\(number)"
      case .upperRoman: Self.roman(number)?.uppercased() ?? "\(number)"
      }
    }

    /// `a` to `z`, then `aa`, `ab` and so on.
    private static func letters(_ number: Int) -> String? {
      guard number > 0 else { return nil }
      var (rest, letters) = (number, [UInt8]())
      while rest > 0 {
        letters.append(UInt8(ascii: "a") + UInt8((rest - 1) % 26))
        rest = (rest - 1) / 26
      }
      return String(decoding: letters.reversed(), as: UTF8.self)
    }

    private static let romanDigits: KeyValuePairs = [
      "m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10,
      "ix": 9, "v": 5, "iv": 4, "i": 1,
    ]

    private static func roman(_ number: Int) -> String? {
      guard 1..<4000 ~= number else { return nil }
      var (rest, text) = (number, "")
      for (digit, value) in romanDigits {
        text += String(repeating: digit, count: rest / value)
        rest %= value
      }
      return text
    }
  }
}
