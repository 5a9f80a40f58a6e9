import Articles

/// An answer of a command as JSON: its members by name, without those that are nil.
struct Answer: Encodable, ExpressibleByDictionaryLiteral {
  private let members: [(String, (any Encodable)?)]

  init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = members
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for case (let name, let value?) in members {
      try container.encode(value, forKey: Name(stringValue: name))
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension UserMessage {
  var answer: Answer { ["what": what, "advice": advice, "detail": detail] }
}

extension Article {
  /// - Parameter snippet: where a search found its words.
  func answer(
    snippet: String? = nil, text: String? = nil, textSource: TextSource? = nil
  ) -> Answer {
    [
      "id": id.rawValue, "feed": feedTitle, "feedID": feedID.rawValue, "alsoIn": alsoIn,
      "title": title, "link": link, "author": author, "published": published, "read": isRead,
      "starred": isStarred, "tags": tags, "readingMinutes": readingMinutes, "snippet": snippet,
      "text": text, "textSource": textSource?.rawValue,
    ]
  }
}
