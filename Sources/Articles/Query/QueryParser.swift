import Foundation

/// Why a query cannot be parsed.
public struct QueryError: MessageError, Sendable, Hashable {
  /// What is wrong: one sentence.
  public let what: String
  /// What the user can do about it: one sentence.
  public let advice: String
  /// The part of the query with the error, in Unicode scalars.
  public let place: Range<Int>

  public var message: UserMessage { UserMessage(what: what, advice: advice, isLasting: true) }
}

extension QueryError {
  /// Parses a query that is no longer being typed, and creates its error; nil if it has none.
  public init?(in text: String) {
    do throws(QueryError) {
      guard try ArticleCondition(text) == nil else { return nil }
      self.init(
        what: "There is no word and no condition in it.",
        advice: "Write which articles are meant.", place: 0..<text.unicodeScalars.count)
    } catch {
      self = error
    }
  }
}

/// Parses the grammar of ``ArticleCondition``.
struct QueryParser {
  /// The most words and conditions in a query.
  static let termLimit = 24
  /// The longest query, in Unicode scalars.
  static let lengthLimit = 500

  private let scalars: [Unicode.Scalar]
  private let lastWordIsWhole: Bool
  private let now: Date
  private let days: LocalDays
  private var place = 0
  private var terms = 0
  private var openGroups = 0
  /// The field before the group that is being parsed, which applies to each word in it.
  private var groupField: (name: Name, comparison: Comparison)?
  /// The error if the query ends here, because its end is unfinished; nil if it is complete.
  private var unfinished: QueryError?

  init(_ text: String, lastWordIsWhole: Bool, now: Date, days: LocalDays) {
    scalars = Array(text.unicodeScalars.prefix(Self.lengthLimit + 1))
    self.lastWordIsWhole = lastWordIsWhole
    self.now = now
    self.days = days
  }

  mutating func condition(isBeingTyped: Bool) throws(QueryError) -> ArticleCondition? {
    guard scalars.count <= Self.lengthLimit else {
      throw QueryError(
        what: "The query is longer than \(Self.lengthLimit) characters.", advice: "Shorten it.",
        place: 0..<Self.lengthLimit)
    }
    let condition = try either()
    if !isBeingTyped, let unfinished { throw unfinished }
    return condition
  }

  // MARK: Combinations

  private mutating func either() throws(QueryError) -> ArticleCondition? {
    var parts = [try all()]
    while let word = keyword("or") {
      if isAtEnd { leaveUnfinished("There is nothing after “or”.", word) }
      parts.append(try all())
    }
    return Self.joined(parts.compactMap(\.self), ArticleCondition.any)
  }

  private mutating func all() throws(QueryError) -> ArticleCondition? {
    var parts: [ArticleCondition?] = []
    while !isAtEnd, !isAtGroupEnd, !isAt(keyword: "or") {
      if let word = keyword("and") {
        if isAtEnd { leaveUnfinished("There is nothing after “and”.", word) }
      } else {
        parts.append(try one())
      }
    }
    return Self.joined(parts.compactMap(\.self), ArticleCondition.all)
  }

  private static func joined(
    _ parts: [ArticleCondition], _ combination: ([ArticleCondition]) -> ArticleCondition
  ) -> ArticleCondition? {
    parts.count > 1 ? combination(parts) : parts.first
  }

  private mutating func one() throws(QueryError) -> ArticleCondition? {
    terms += 1
    guard terms <= Self.termLimit else {
      throw QueryError(
        what: "The query has more than \(Self.termLimit) words and conditions.",
        advice: "Remove some.", place: place..<scalars.count)
    }
    if let word = keyword("not") {
      if isAtEnd { leaveUnfinished("There is nothing after “not”.", word) }
      return try negated()
    }
    if scalars[place] == "-", place + 1 < scalars.count, !Self.isSpace(scalars[place + 1]) {
      place += 1
      return try negated()
    }
    if scalars[place] == "(" { return try group() }
    return try term()
  }

  private mutating func negated() throws(QueryError) -> ArticleCondition? {
    guard !isAtEnd, !isAtGroupEnd else { return nil }
    return try one().map(ArticleCondition.not)
  }

  private mutating func group() throws(QueryError) -> ArticleCondition? {
    let start = place
    place += 1
    openGroups += 1
    let condition = try either()
    openGroups -= 1
    if isAtEnd {
      leaveUnfinished("The parenthesis is not closed.", start..<start + 1)
    } else {
      place += 1
    }
    return condition
  }

  // MARK: Words and fields

  private mutating func term() throws(QueryError) -> ArticleCondition? {
    let start = place
    if let field = field() { return try condition(of: field, from: start) }
    let value = try value()
    if let groupField { return try condition(groupField.name, groupField.comparison, value) }
    if value.isQuoted || value.text.isEmpty { return try words(value, in: nil) }
    switch value.text.lowercased() {
    case "unread": return .not(.isRead)
    case "starred": return .isStarred
    case "muted": return .isMuted
    default: return try words(value, in: nil)
    }
  }

  private enum Comparison: String {
    case equal = ":"
    case notEqual = "!="
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case greater = ">"
  }

  private enum Name: String, CaseIterable {
    case title, author, text, feed, folder, tag, link, `is`, age, date, minutes

    /// Whether its values are ordered.
    var isMeasured: Bool { self == .age || self == .date || self == .minutes }
  }

  private struct Field {
    let name: String
    let comparison: Comparison
  }

  /// Parses a name and a comparison; nil, without reading anything, when there is none.
  private mutating func field() -> Field? {
    var end = place
    while end < scalars.count, scalars[end].isASCII, scalars[end].properties.isAlphabetic {
      end += 1
    }
    guard end > place else { return nil }
    let name = text(place..<end).lowercased()
    let known = Name(rawValue: name)
    if known?.isMeasured == true { end = skippingSpace(from: end) }
    let signs = text(end..<min(end + 2, scalars.count))
    let comparison: Comparison
    switch (signs.first, signs) {
    case (_, "<="), (_, ">="), (_, "!="):
      guard let known, known.isMeasured || signs == "!=" else { return nil }
      comparison = Comparison(rawValue: signs) ?? .equal
      end += 2
    case ("<", _), (">", _):
      guard known?.isMeasured == true else { return nil }
      comparison = signs.first == "<" ? .less : .greater
      end += 1
    case ("=", _):
      guard known != nil else { return nil }
      comparison = .equal
      end += 1
    case (":", _):
      // `note: this`, `std::string` and `https://example.org` are plain words.
      let isText =
        end + 1 == scalars.count || Self.isSpace(scalars[end + 1]) || scalars[end + 1] == ":"
        || scalars[end + 1] == "/"
      if known == nil, isText { return nil }
      comparison = .equal
      end += 1
    default: return nil
    }
    place = skippingSpace(from: end)
    return Field(name: name, comparison: comparison)
  }

  private struct Value {
    let text: String
    let place: Range<Int>
    var isQuoted = false
    /// Whether the query ends with this value, which then may still be incomplete.
    var isLast = false
  }

  /// Parses a value.
  ///
  /// Parentheses are part of it in pairs, as in `print()`.
  private mutating func value() throws(QueryError) -> Value {
    let start = place
    if place < scalars.count, Self.isQuote(scalars[place]) {
      let end = scalars[(start + 1)...].firstIndex(where: Self.isQuote)
      place = end.map { $0 + 1 } ?? scalars.count
      let quoted = start + 1..<(end ?? scalars.count)
      if end == nil {
        leaveUnfinished("The quotation mark is not closed.", start..<start + 1)
      }
      return Value(text: text(quoted), place: start..<place, isQuoted: true)
    }
    var open: [Int] = []
    while place < scalars.count, !Self.isSpace(scalars[place]), !Self.isQuote(scalars[place]) {
      if scalars[place] == "(" {
        open.append(place)
      } else if scalars[place] == ")", open.popLast() == nil {
        if openGroups > 0 { break }
        throw QueryError(
          what: "Nothing opens this parenthesis.",
          advice: "Remove it, or put what is only text in quotes.", place: place..<place + 1)
      }
      place += 1
    }
    if let first = open.first {
      let error = QueryError(
        what: "The parenthesis is not closed.",
        advice: "Complete the query, or put what is only text in quotes.", place: first..<first + 1)
      guard place == scalars.count else { throw error }
      unfinished = unfinished ?? error
    }
    return Value(
      text: text(start..<place), place: start..<place,
      isLast: place == scalars.count && !lastWordIsWhole)
  }

  private mutating func words(
    _ value: Value, in part: ArticleCondition.Part?
  ) throws(QueryError) -> ArticleCondition? {
    let scalars = value.text.unicodeScalars
    // Signs that belong to a name, as in “C++” or “C#”; the index has only its letters.
    let hasSigns = scalars.last == "+" || scalars.last == "#"
    if let phrase = SearchPhrase(scalars, isPrefix: value.isLast && !value.isQuoted && !hasSigns) {
      let words = ArticleCondition.words(phrase, in: part)
      return hasSigns ? .all([words, .text(value.text, in: part)]) : words
    }
    guard scalars.contains(where: { $0.properties.generalCategory == .otherSymbol })
    else { return nil }
    guard part == nil || part == .title else {
      return try refuse(value, "Emoji and signs are found only in titles.", as: "searched for")
    }
    // With or without the character that asks for the coloured form of a sign.
    return .signs(String(String.UnicodeScalarView(scalars.filter { $0 != "\u{FE0F}" })))
  }

  // MARK: Conditions

  private mutating func condition(
    of field: Field, from start: Int
  ) throws(QueryError) -> ArticleCondition? {
    guard let name = Name(rawValue: field.name) else {
      throw QueryError(
        what: "There is no field “\(field.name)”.",
        advice: "The fields are \(Self.names). Put what is only text in quotes.",
        place: start..<start + field.name.unicodeScalars.count)
    }
    guard !isAtEnd, !isAtGroupEnd else {
      leaveUnfinished("“\(field.name)” has no value.", start..<place)
      return nil
    }
    let isNegated = field.comparison == .notEqual
    let condition: ArticleCondition?
    if scalars[place] == "(" {
      // `!=` applies to the group as a whole.
      condition = try group(of: name, isNegated ? .equal : field.comparison)
      if condition == nil { leaveUnfinished("“\(field.name)” has no value.", start..<place) }
    } else {
      condition = try self.condition(name, field.comparison, try value())
    }
    return isNegated ? condition.map(ArticleCondition.not) : condition
  }

  /// Parses the group after a field, as in `title:(one or two)`.
  private mutating func group(
    of name: Name, _ comparison: Comparison
  ) throws(QueryError) -> ArticleCondition? {
    let outer = groupField
    defer { groupField = outer }
    groupField = (name, comparison)
    return try group()
  }

  private static let names: String = {
    let names = Name.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }()

  private mutating func condition(
    _ name: Name, _ comparison: Comparison, _ value: Value
  ) throws(QueryError) -> ArticleCondition? {
    switch name {
    case .title: return try words(value, in: .title)
    case .author: return try words(value, in: .author)
    case .text: return try words(value, in: .text)
    case .feed: return .feed(value.text)
    case .folder: return FeedFolder(typed: value.text).map(ArticleCondition.folder)
    case .tag: return .tag(value.text)
    case .link: return .link(value.text)
    case .is:
      switch value.text.lowercased() {
      case "unread": return .not(.isRead)
      case "read": return .isRead
      case "starred": return .isStarred
      case "muted": return .isMuted
      case "shared": return .isShared
      default:
        return try refuse(value, "Write is:unread, is:read, is:starred, is:muted or is:shared.")
      }
    case .age: return try age(comparison, value)
    case .date: return try date(comparison, value)
    case .minutes: return try minutes(comparison, value)
    }
  }

  private mutating func age(
    _ comparison: Comparison, _ value: Value
  ) throws(QueryError) -> ArticleCondition? {
    guard let span = TypedTime.span(value.text) else {
      return try refuse(value, "Write a time span such as 12h, 7d, 2w or 1y.")
    }
    let then = ArticleCondition.since(now.addingTimeInterval(-span))
    switch comparison {
    case .less, .atMost: return then
    case .greater, .atLeast: return .not(then)
    case .equal, .notEqual:
      return try refuse(value, "Write age<\(value.text), or age>\(value.text).")
    }
  }

  private mutating func date(
    _ comparison: Comparison, _ value: Value
  ) throws(QueryError) -> ArticleCondition? {
    guard let number = TypedTime.number(value.text, now: now, days: days)
    else { return try refuse(value, "Write a date such as 2026-11-19, today or yesterday.") }
    let (day, next) = (days.start(of: number), days.start(of: number + 1))
    switch comparison {
    case .less: return .not(.since(day))
    case .atMost: return .not(.since(next))
    case .greater: return .since(next)
    case .atLeast: return .since(day)
    case .equal, .notEqual: return .all([.since(day), .not(.since(next))])
    }
  }

  private mutating func minutes(
    _ comparison: Comparison, _ value: Value
  ) throws(QueryError) -> ArticleCondition? {
    guard let number = Int(value.text), 0...100_000 ~= number else {
      return try refuse(value, "Write a number of minutes.")
    }
    switch comparison {
    case .less: return number > 0 ? .minutes(0...number - 1) : .any([])
    case .atMost: return .minutes(0...number)
    case .greater: return .minutes(number + 1...Int(Int32.max))
    case .atLeast: return .minutes(number...Int(Int32.max))
    case .equal, .notEqual: return .minutes(number...number)
    }
  }

  /// Rejects an invalid value, unless it is the last one and may still be completed.
  private mutating func refuse(
    _ value: Value, _ advice: String, as use: String = "compared"
  ) throws(QueryError) -> ArticleCondition? {
    let error = QueryError(
      what: "“\(UserMessage.cleaned(value.text, limit: 40))” cannot be \(use) here.",
      advice: advice, place: value.place)
    guard value.isLast else { throw error }
    unfinished = unfinished ?? error
    return nil
  }

  // MARK: Characters

  private mutating func leaveUnfinished(_ what: String, _ place: Range<Int>) {
    unfinished =
      unfinished
      ?? QueryError(what: what, advice: "Complete the query, or remove that.", place: place)
  }

  private var isAtEnd: Bool {
    mutating get {
      place = skippingSpace(from: place)
      return place == scalars.count
    }
  }

  private var isAtGroupEnd: Bool {
    openGroups > 0 && place < scalars.count && scalars[place] == ")"
  }

  private func isAt(keyword: String) -> Bool {
    let end = place + keyword.unicodeScalars.count
    guard end <= scalars.count, text(place..<end).lowercased() == keyword else { return false }
    return end == scalars.count || Self.isSpace(scalars[end]) || scalars[end] == "("
      || openGroups > 0 && scalars[end] == ")"
  }

  /// Parses a keyword if it is the next word.
  private mutating func keyword(_ keyword: String) -> Range<Int>? {
    guard !isAtEnd, isAt(keyword: keyword) else { return nil }
    let start = place
    place += keyword.unicodeScalars.count
    return start..<place
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private func skippingSpace(from start: Int) -> Int {
    scalars[start...].firstIndex { !Self.isSpace($0) } ?? scalars.count
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.value < 0x20
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\u{201C}" || scalar == "\u{201D}" || scalar == "\u{201E}"
  }
}
