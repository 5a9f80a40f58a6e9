/// Consecutive words in a text.
public struct SearchPhrase: Sendable, Hashable {
  /// The words in the form of the index.
  let text: String
  /// Whether the last word may be incomplete.
  let isPrefix: Bool

  /// Creates a phrase; nil for a text without words, for which the index would find nothing.
  ///
  /// - Parameter isPrefix: whether the last word is still being typed. In scripts without spaces
  ///   every character is a word.
  init?(_ text: some Sequence<Unicode.Scalar>, isPrefix: Bool = false) {
    let scalars = String.UnicodeScalarView(text)
    guard scalars.contains(where: Self.isWord) else { return nil }
    self.text = SearchText.segmented(String(scalars))
    self.isPrefix = isPrefix && scalars.last.map { !SearchText.isUnspaced($0) } ?? false
  }

  private init(text: String, isPrefix: Bool) {
    self.text = text
    self.isPrefix = isPrefix
  }

  /// Joins phrases to one, of which the last word is complete; nil for no phrases.
  init?(joining phrases: [SearchPhrase]) {
    guard !phrases.isEmpty else { return nil }
    self.init(text: phrases.map(\.text).joined(separator: " "), isPrefix: false)
  }

  /// The same phrase, of which the last word is complete.
  var whole: SearchPhrase { SearchPhrase(text: text, isPrefix: false) }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}

/// A full-text query of the index.
///
/// Words are quoted, so that they never act as operators.
struct SearchExpression: Sendable, Hashable {
  /// The phrases that are marked in the results.
  let phrases: [SearchPhrase]
  let text: String

  init(_ phrase: SearchPhrase, in part: ArticleCondition.Part?) {
    phrases = [phrase]
    let spellings = SearchText.spellings(of: phrase.text)
      .map { "\"\($0)\"" + (phrase.isPrefix ? " *" : "") }
    text =
      Self.column(part)
      + (spellings.count == 1 ? spellings[0] : "(\(spellings.joined(separator: " OR ")))")
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
