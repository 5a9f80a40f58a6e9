/// Words that stand together in a text.
public struct SearchPhrase: Sendable, Hashable {
  /// As the index sees them.
  let text: String
  /// Whether the beginning of the last word is enough.
  let isPrefix: Bool

  /// Nil for a text without a word, for which the index would find nothing at all.
  ///
  /// - Parameter isPrefix: whether the last word is still being typed. In a script without spaces every
  ///   character is a word.
  init?(_ text: some Sequence<Unicode.Scalar>, isPrefix: Bool = false) {
    let scalars = String.UnicodeScalarView(text)
    guard scalars.contains(where: Self.isWord) else { return nil }
    self.text = SearchText.segmented(String(scalars))
    self.isPrefix = isPrefix && scalars.last.map { !SearchText.isUnspaced($0) } ?? false
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

/// Words to look for, in the language of the index.
///
/// They are quoted, so that nothing in them is an operator there.
struct SearchExpression: Sendable, Hashable {
  /// What is marked in the articles that are found.
  let phrases: [SearchPhrase]
  let text: String

  init(_ phrase: SearchPhrase, in part: ArticleCondition.Part?) {
    phrases = [phrase]
    text = Self.column(part) + "\"\(phrase.text)\"" + (phrase.isPrefix ? " *" : "")
  }

  init(_ expressions: [SearchExpression], joinedBy operation: String) {
    phrases = expressions.flatMap(\.phrases)
    text =
      expressions.count == 1
      ? expressions[0].text
      : expressions.map { "(\($0.text))" }.joined(separator: " \(operation) ")
  }

  private static func column(_ part: ArticleCondition.Part?) -> String {
    switch part {
    case nil: ""
    case .title: "title : "
    case .author: "author : "
    case .text: "body : "
    }
  }
}
