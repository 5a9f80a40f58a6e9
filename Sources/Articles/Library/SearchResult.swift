/// An article that was found, and why.
public struct SearchResult: Sendable, Hashable, Identifiable {
  /// A text with the words that were found in it.
  public struct Excerpt: Sendable, Hashable {
    /// A run of it that was looked for as a whole, or not at all.
    public struct Part: Sendable, Hashable {
      public let text: String
      /// Whether it is what was looked for.
      public let isMatch: Bool

      public init(text: String, isMatch: Bool) {
        self.text = text
        self.isMatch = isMatch
      }
    }

    /// None is empty.
    public let parts: [Part]

    public init(parts: [Part]) { self.parts = parts }

    /// All parts together; not sanitised.
    public var text: String { parts.map(\.text).joined() }
  }

  public let article: Article
  /// The article's title.
  public let title: Excerpt
  /// The place in the article's text that has most of what was looked for, or its beginning.
  public let snippet: Excerpt

  public var id: Article.ID { article.id }

  public init(article: Article, title: Excerpt, snippet: Excerpt) {
    self.article = article
    self.title = title
    self.snippet = snippet
  }
}

extension SearchResult.Excerpt {
  /// Where a match begins and ends in the index's answer: no text of an article has these.
  static let (open, close): (Character, Character) = ("\u{2}", "\u{3}")

  /// Reads an answer of the index.
  init(marked text: String) {
    var parts: [Part] = []
    var isMatch = false
    for piece in text.split(omittingEmptySubsequences: false, whereSeparator: Self.isMark) {
      let text = SearchText.joined(String(piece))
      if !text.isEmpty {
        // Neighbouring characters of a script without spaces are matches each for itself.
        if let last = parts.last, last.isMatch == isMatch {
          parts[parts.count - 1] = Part(text: last.text + text, isMatch: isMatch)
        } else {
          parts.append(Part(text: text, isMatch: isMatch))
        }
      }
      isMatch.toggle()
    }
    self.init(parts: parts)
  }

  private static func isMark(_ character: Character) -> Bool {
    character == open || character == close
  }
}
