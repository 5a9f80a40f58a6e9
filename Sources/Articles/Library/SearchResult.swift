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
    public private(set) var parts: [Part]

    public init(parts: [Part]) { self.parts = parts }

    /// All parts together; not sanitised.
    public var text: String { parts.map(\.text).joined() }
  }

  public let article: Article
  /// The article's title.
  public let title: Excerpt
  /// The place in the article's text that has most of what was searched for, or its beginning; empty
  /// as long as it has not been read yet.
  public internal(set) var snippet: Excerpt

  public var id: Article.ID { article.id }

  public init(article: Article, title: Excerpt, snippet: Excerpt) {
    self.article = article
    self.title = title
    self.snippet = snippet
  }
}

extension SearchResult.Excerpt {
  /// Adds text as the index sees it.
  mutating func append(_ text: String, isMatch: Bool) {
    let text = SearchText.joined(text)
    if text.isEmpty { return }
    // Neighbouring characters of a script without spaces are matches each for itself.
    if let last = parts.last, last.isMatch == isMatch {
      parts[parts.count - 1] = Part(text: last.text + text, isMatch: isMatch)
    } else {
      parts.append(Part(text: text, isMatch: isMatch))
    }
  }
}
