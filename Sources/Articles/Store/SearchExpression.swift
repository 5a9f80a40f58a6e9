/// What a person types into a search field, as an expression of the index.
///
/// All of the words must be there; words in quotes must stand together; of the last one the
/// beginning is enough while it is being typed. Nothing that is typed has any other meaning: the
/// words are quoted, so no operator of the index is among them.
struct SearchExpression: Sendable, Hashable {
  /// More words are not looked for.
  static let wordLimit = 24
  /// What lies behind is not looked at, in characters.
  static let lengthLimit = 500

  /// In the language of the index.
  let text: String

  /// Nil when there is nothing to look for.
  init?(_ typed: String) {
    var terms: [String] = []
    var term = String.UnicodeScalarView()
    var isQuoted = false
    func end(isLast: Bool = false) {
      defer { term = String.UnicodeScalarView() }
      guard terms.count < Self.wordLimit, let quoted = Self.quoted(String(term)) else { return }
      let isBeginning = isLast && !isQuoted && term.last.map { !SearchText.isUnspaced($0) } ?? false
      terms.append(isBeginning ? quoted + "*" : quoted)
    }
    for scalar in typed.unicodeScalars.prefix(Self.lengthLimit) {
      if Self.isQuote(scalar) {
        end()
        isQuoted.toggle()
      } else if !isQuoted, scalar.properties.isWhitespace || scalar.value < 0x20 {
        end()
      } else {
        term.append(scalar)
      }
    }
    end(isLast: true)
    guard !terms.isEmpty else { return nil }
    text = terms.joined(separator: " AND ")
  }

  /// Nil when there is no word in it: the index would find nothing at all.
  private static func quoted(_ term: String) -> String? {
    guard term.unicodeScalars.contains(where: isWord) else { return nil }
    return "\"\(SearchText.segmented(term))\""
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\u{201C}" || scalar == "\u{201D}" || scalar == "\u{201E}"
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
