extension ParsedFeed {
  /// The feed with a title for every article that has a text.
  ///
  /// Short messages have none; in a list nobody could tell one "Untitled" from the next.
  var titled: ParsedFeed {
    var feed = self
    for index in articles.indices where articles[index].title.isEmpty {
      feed.articles[index].title = Self.firstWords(of: articles[index].html)
    }
    return feed
  }

  private static let titleLength = 80

  /// As many words as are about a line, and at least a part of the first.
  private static func firstWords(of html: String) -> String {
    // Longer, since characters may take four bytes.
    let text = HTMLText.text(html, limit: titleLength * 4)
    let words = text.unicodeScalars.split(separator: " ")
    var title = String.UnicodeScalarView()
    for word in words {
      if title.isEmpty {
        title.append(contentsOf: word.prefix(titleLength))
      } else if title.count + word.count < titleLength {
        title.append(" ")
        title.append(contentsOf: word)
      } else {
        break
      }
    }
    let isWhole = title.count == text.unicodeScalars.count
    return PlainText.line(isWhole ? String(title) : String(title) + "…")
  }
}
