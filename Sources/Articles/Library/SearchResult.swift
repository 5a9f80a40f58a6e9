/// An article that was found, with the matching parts of its title and text.
public struct SearchResult: Sendable, Hashable, Identifiable {
  /// A text with its matches marked.
  public struct Excerpt: Sendable, Hashable {
    /// A part of the text that is entirely a match or entirely not.
    public struct Part: Sendable, Hashable {
      public let text: String
      /// Whether it matches the search.
      public let isMatch: Bool

      public init(text: String, isMatch: Bool) {
        self.text = text
        self.isMatch = isMatch
      }
    }

    /// The parts; none is empty.
    public private(set) var parts: [Part]

    public init(parts: [Part]) { self.parts = parts }

    /// The text of all parts; not sanitised.
    public var text: String { parts.map(\.text).joined() }
  }

  public let article: Article
  /// The article's title.
  public let title: Excerpt
  /// The part of the article's text with the most matches, or its beginning; empty until it has
  /// been read.
  public internal(set) var snippet: Excerpt

  public var id: Article.ID { article.id }

  public init(article: Article, title: Excerpt, snippet: Excerpt) {
    self.article = article
    self.title = title
    self.snippet = snippet
  }
}

extension SearchResult.Excerpt {
  /// Appends text in the form that the index uses.
  mutating func append(_ text: String, isMatch: Bool) {
    let text = SearchText.joined(text)
    if text.isEmpty { return }
    // In a script without spaces, adjacent characters are separate matches.
    if let last = parts.last, last.isMatch == isMatch {
      parts[parts.count - 1] = Part(text: last.text + text, isMatch: isMatch)
    } else {
      parts.append(Part(text: text, isMatch: isMatch))
    }
  }
}
