/// What the user types into a search field, as an expression of the index.
///
/// All of the words must be there; words in quotes must stand together; of the last one the
/// beginning is enough while it is being typed. Nothing that is typed has any other meaning: the
/// words are quoted, so no operator of the index is among them.
struct SearchExpression: Sendable, Hashable {
  /// More words are not looked for.
  static let wordLimit = 24
  /// What lies behind is not looked at, in characters.
  static let lengthLimit = 500

  /// Words that stand together.
  struct Phrase: Sendable, Hashable {
    /// As the index sees them.
    let text: String
    /// Whether the beginning of the last word is enough.
    let isPrefix: Bool
  }

  let phrases: [Phrase]
  /// In the language of the index.
  let text: String

  /// Nil when there is nothing to look for.
  init?(_ typed: String) {
    var phrases: [Phrase] = []
    var term = String.UnicodeScalarView()
    var isQuoted = false
    func end(isLast: Bool = false) {
      defer { term = String.UnicodeScalarView() }
      // Without a word in it, the index would find nothing at all.
      guard phrases.count < Self.wordLimit, term.contains(where: Self.isWord) else { return }
      let isPrefix = isLast && !isQuoted && term.last.map { !SearchText.isUnspaced($0) } ?? false
      phrases.append(Phrase(text: SearchText.segmented(String(term)), isPrefix: isPrefix))
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
    guard !phrases.isEmpty else { return nil }
    self.phrases = phrases
    text = phrases.map { "\"\($0.text)\"" + ($0.isPrefix ? "*" : "") }
      .joined(separator: " AND ")
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
