import Foundation

/// What an article must be to be in a list: what a user types as a query.
///
/// A query is words and conditions, which must all be met: `swift unread age<7d`. They are combined with
/// `and`, `or`, `not` and parentheses. The grammar:
///
/// ```text
/// query     = all { "or" all }
/// all       = one { ["and"] one }
/// one       = ("not" | "-") one | "(" query ")" | condition
/// condition = word | '"' words '"'                                   in title, author or text
///           | ("title" | "author" | "text") ":" value                words there
///           | ("feed" | "folder" | "tag" | "link") ":" value
///           | "unread" | "starred" | "muted" | "is:" ("unread" | "read" | "starred" | "muted" | "shared")
///           | "age" comparison number ("h" | "d" | "w" | "y")        since its date
///           | "date" comparison (year-month-day | "today" | "yesterday")
///           | "minutes" comparison number                            of reading time
/// comparison = ":" | "=" | "!=" | "<" | "<=" | ">" | ">="
/// ```
///
/// A value with spaces stands in quotes. A word in quotes is nothing but a word: `"unread"`.
///
/// ```swift
/// let condition = try ArticleCondition("unread and (title:swift or tag:dev) and age<7d")
/// let query = ArticleQuery(where: condition)
/// ```
public indirect enum ArticleCondition: Sendable, Hashable {
  /// Where words are looked for.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    case title, author, text
  }

  case all([ArticleCondition])
  case any([ArticleCondition])
  case not(ArticleCondition)
  /// Has these words, one after the other; nil for anywhere.
  case words(SearchPhrase, in: Part?)
  case isRead
  case isStarred
  /// A rule has muted it. What a query without this condition finds is not muted.
  case isMuted
  /// Several feeds have it.
  case isShared
  /// The title or the address of its feed has this text.
  case feed(String)
  /// Its feed is in this folder or in one within it.
  case folder(FeedFolder)
  /// The user has given this tag to it or to its feed.
  case tag(String)
  /// The user has given this tag to it.
  case tagged(String)
  /// Its address has this text.
  case link(String)
  /// Listed at this time or later.
  case since(Date)
  /// How long it takes to read.
  case minutes(ClosedRange<Int>)
}

extension ArticleCondition {
  /// Reads a query.
  ///
  /// - Parameters:
  ///   - isBeingTyped: whether what is not finished at the end, such as `title:` or `unread and`, is left
  ///     out. It is an error otherwise.
  ///   - now: what an age is counted from.
  ///   - calendar: when days begin.
  /// - Returns: Nil for a query without words and conditions.
  public init?(
    _ text: String, isBeingTyped: Bool = false, now: Date = Date(), calendar: Calendar = .current
  ) throws(QueryError) {
    var parser = QueryParser(text, now: now, calendar: calendar)
    guard let condition = try parser.condition(isBeingTyped: isBeingTyped) else { return nil }
    self = condition
  }

  /// Whether words are looked for anywhere in it, for which the index of the search is needed.
  var hasWords: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.hasWords)
    case .not(let part): part.hasWords
    case .words: true
    default: false
    }
  }

  /// Whether it says anything of muted articles; what it is about else is not muted.
  var namesMuted: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.namesMuted)
    case .not(let part): part.namesMuted
    case .isMuted: true
    default: false
    }
  }

  /// What a search is ranked by, and marks in the articles: the words that every match has.
  ///
  /// The other conditions only say which articles are meant.
  var ranking: (words: SearchExpression?, rest: ArticleCondition?) {
    let parts = if case .all(let parts) = self { parts } else { [self] }
    let words = parts.filter { $0.expression != nil }
    let rest = parts.filter { $0.expression == nil }
    return (
      words.isEmpty ? nil : ArticleCondition.all(words).expression,
      rest.isEmpty ? nil : .all(rest)
    )
  }

  /// In the language of the index; nil unless it is made of nothing but words.
  var expression: SearchExpression? {
    switch self {
    case .words(let phrase, let part): return SearchExpression(phrase, in: part)
    case .all(let parts): return SearchExpression(parts, joinedBy: "AND")
    case .any(let parts): return SearchExpression(parts, joinedBy: "OR")
    default: return nil
    }
  }
}

extension SearchExpression {
  fileprivate init?(_ parts: [ArticleCondition], joinedBy operation: String) {
    let expressions = parts.compactMap(\.expression)
    guard !parts.isEmpty, expressions.count == parts.count else { return nil }
    self.init(expressions, joinedBy: operation)
  }
}
