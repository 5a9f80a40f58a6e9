import Foundation

/// The condition for the articles of a list, which users type as a query.
///
/// A query consists of words and conditions, all of which must be met: `swift unread age<7d`. They
/// are combined with `and`, `or`, `not` and parentheses. The grammar:
///
/// ```text
/// query     = all { "or" all }
/// all       = one { ["and"] one }
/// one       = ("not" | "-") one | "(" query ")" | condition
/// condition = word | '"' words '"'                                   in title, author or text
///           | word ("+" | "#") { "+" | "#" }                         with these signs, as `C++`
///           | emoji and other signs                                  in the title
///           | ("title" | "author" | "text") ":" value                words there
///           | ("feed" | "folder" | "tag" | "link") ":" value
///           | "unread" | "starred" | "muted" | "is:" ("unread" | "read" | "starred" | "muted" | "shared")
///           | "age" comparison number ("h" | "d" | "w" | "y")        since its date
///           | "date" comparison (year-month-day | "today" | "yesterday")
///           | "minutes" comparison number                            of reading time
///           | field comparison "(" query ")"                   the field of each word in it
/// comparison = ":" | "=" | "!=" | "<" | "<=" | ">" | ">="
/// ```
///
/// Values with spaces are quoted. A quoted word is only a word and not a condition: `"unread"`.
///
/// ```swift
/// let condition = try ArticleCondition("unread and (title:swift or tag:dev) and age<7d")
/// let query = ArticleQuery(where: condition)
/// ```
public indirect enum ArticleCondition: Sendable, Hashable {
  /// Which part of an article is searched for words.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    case title, author, text
  }

  case all([ArticleCondition])
  case any([ArticleCondition])
  case not(ArticleCondition)
  /// Contains these words in sequence, in this part; nil for any part.
  case words(SearchPhrase, in: Part?)
  /// Its title contains these signs, such as emoji, which the search index lacks.
  case signs(String)
  /// Contains this text with its signs, such as `C++`, in this part; nil for any part.
  ///
  /// Only for articles whose words the index has found: it reads their texts.
  case text(String, in: Part?)
  case isRead
  case isStarred
  /// A rule has muted it.
  ///
  /// A query without this condition finds no muted articles.
  case isMuted
  /// Several feeds carry it.
  case isShared
  /// The title or the address of its feed contains this text.
  case feed(String)
  /// Its feed is in this folder or a subfolder.
  case folder(FeedFolder)
  /// It or its feed has this tag.
  case tag(String)
  /// It has this tag itself.
  case tagged(String)
  /// Its address contains this text.
  case link(String)
  /// Its date, or the time it was first seen if earlier, is this time or later.
  case since(Date)
  /// Its reading time in minutes.
  case minutes(ClosedRange<Int>)
}

extension ArticleCondition {
  /// Parses a query.
  ///
  /// - Parameters:
  ///   - isBeingTyped: whether an unfinished end, such as `title:` or `unread and`, is ignored.
  ///     Otherwise it is an error.
  ///   - lastWordIsWhole: whether the last word is a whole word, like the others. Otherwise it may
  ///     be only the beginning of a word in the article.
  ///   - now: the time to which ages are relative.
  ///   - days: determines when days begin.
  /// - Returns: nil for a query without words and conditions.
  public init?(
    _ text: String, isBeingTyped: Bool = false, lastWordIsWhole: Bool = false, now: Date = Date(),
    days: LocalDays = .local
  ) throws(QueryError) {
    var parser = QueryParser(text, lastWordIsWhole: lastWordIsWhole, now: now, days: days)
    guard let condition = try parser.condition(isBeingTyped: isBeingTyped) else { return nil }
    self = condition
  }

  /// Whether it searches for words, which needs the search index.
  var hasWords: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.hasWords)
    case .not(let part): part.hasWords
    case .words: true
    default: false
    }
  }

  /// Whether it mentions muted articles; otherwise they are excluded.
  var namesMuted: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.namesMuted)
    case .not(let part): part.namesMuted
    case .isMuted: true
    default: false
    }
  }

  /// Whether the matches include articles of removed feeds that have a star or are to be read later.
  ///
  /// They do if they all have a star or a tag, or else a feed that was not removed.
  var includesKept: Bool {
    switch self {
    case .all(let parts): parts.contains(where: \.includesKept)
    case .any(let parts): parts.allSatisfy(\.includesKept)
    case .isStarred, .tag, .tagged: true
    default: false
    }
  }

  /// The words by which results are ranked and which are marked in them, the titles that come
  /// first, and the remaining conditions.
  ///
  /// Results are ranked by the parts that consist only of words: every result matches them.
  var ranking: (words: SearchExpression?, titles: [SearchExpression], rest: ArticleCondition?) {
    let parts = conjuncts
    let words = parts.filter { $0.expression != nil }
    let rest = parts.filter { $0.expression == nil }
    return (
      words.isEmpty ? nil : ArticleCondition.all(words).expression, Self.titles(with: words),
      rest.isEmpty ? nil : .all(rest)
    )
  }

  /// The conditions all of which must be met.
  private var conjuncts: [ArticleCondition] {
    if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }

  /// Returns searches for titles with all of these words, best first: in sequence, and in any order.
  private static func titles(with words: [ArticleCondition]) -> [SearchExpression] {
    let phrases = words.compactMap { word -> SearchPhrase? in
      guard case .words(let phrase, let part) = word, part == nil || part == .title else {
        return nil
      }
      return phrase
    }
    guard let sequence = SearchPhrase(joining: phrases) else { return [] }
    let all = phrases.map { SearchExpression($0.whole, in: .title) }
    return [SearchExpression(sequence, in: .title)]
      + (all.count > 1 ? [SearchExpression(all, joinedBy: "AND")] : [])
  }

  /// The condition as an index query; nil unless it consists only of words.
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
