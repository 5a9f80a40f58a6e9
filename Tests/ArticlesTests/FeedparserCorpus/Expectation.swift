/// What a case of feedparser's test suite expects, read from the Python expression at its head.
///
/// Of the expression's language this is the part that the cases use to compare values: paths,
/// strings, tuples of numbers, `==`, `and`, `or` and parentheses.
indirect enum Expectation: Equatable {
  enum Value: Equatable {
    case text(String)
    case numbers([Int])
    case nothing
  }

  case equal(path: [String], Value)
  /// Something that is not compared with a value.
  case other
  case all([Expectation])
  case any([Expectation])

  /// Nil when the expression is of a form that is not understood.
  init?(_ source: String) {
    var parser = Parser(source)
    guard let expectation = parser.disjunction(), parser.isAtEnd else { return nil }
    self = expectation
  }

  private struct Parser {
    private var tokens: [Token]
    private var index = 0

    enum Token: Equatable {
      case name(String)
      case text(String)
      case number(Int)
      case symbol(Character)
      case equals
      case bad
    }

    init(_ source: String) {
      tokens = Self.tokens(Array(source))
    }

    var isAtEnd: Bool { index == tokens.count }
    private var current: Token? { index < tokens.count ? tokens[index] : nil }

    private mutating func take(_ token: Token) -> Bool {
      guard current == token else { return false }
      index += 1
      return true
    }

    mutating func disjunction() -> Expectation? {
      list(separatedBy: "or", make: Expectation.any) { $0.conjunction() }
    }

    private mutating func conjunction() -> Expectation? {
      list(separatedBy: "and", make: Expectation.all) { $0.term() }
    }

    private mutating func list(
      separatedBy word: String, make: ([Expectation]) -> Expectation,
      _ part: (inout Parser) -> Expectation?
    ) -> Expectation? {
      guard let first = part(&self) else { return nil }
      var parts = [first]
      while take(.name(word)) {
        guard let next = part(&self) else { return nil }
        parts.append(next)
      }
      return parts.count == 1 ? first : make(parts)
    }

    private mutating func term() -> Expectation? {
      if take(.name("not")) {
        return term() == nil ? nil : .other
      }
      if case .symbol("(")? = current, !startsTuple {
        index += 1
        guard let inner = disjunction(), take(.symbol(")")) else { return nil }
        return inner
      }
      var paths: [[String]] = []
      // `entries[0]['id'] == entries[1]['id'] == 'x'` compares both.
      while let path = path() {
        paths.append(path)
        guard take(.equals) else { return .other }
      }
      guard !paths.isEmpty, let value = value() else { return nil }
      let comparisons = paths.map { Expectation.equal(path: $0, value) }
      return comparisons.count == 1 ? comparisons[0] : .all(comparisons)
    }

    private var startsTuple: Bool {
      guard index + 2 < tokens.count, case .number = tokens[index + 1] else { return false }
      return tokens[index + 2] == .symbol(",")
    }

    /// `entries[0]['title']` and `entries[0].title`.
    private mutating func path() -> [String]? {
      guard case .name(let root)? = current, !["None", "True", "False"].contains(root) else {
        return nil
      }
      index += 1
      var path = [root]
      while true {
        if take(.symbol("[")) {
          switch current {
          case .text(let key)?: path.append(key)
          case .number(let key)?: path.append(String(key))
          default: return nil
          }
          index += 1
          guard take(.symbol("]")) else { return nil }
        } else if take(.symbol(".")) {
          guard case .name(let key)? = current else { return nil }
          index += 1
          path.append(key)
        } else {
          return path
        }
      }
    }

    private mutating func value() -> Value? {
      if take(.name("None")) { return .nothing }
      if case .text(var text)? = current {
        index += 1
        while take(.symbol("+")) {
          guard case .text(let more)? = current else { return nil }
          index += 1
          text += more
        }
        return .text(text)
      }
      guard take(.symbol("(")) else { return nil }
      var numbers: [Int] = []
      while case .number(let number)? = current {
        index += 1
        numbers.append(number)
        _ = take(.symbol(","))
      }
      return take(.symbol(")")) ? .numbers(numbers) : nil
    }

    // MARK: Tokens

    private static func tokens(_ source: [Character]) -> [Token] {
      var tokens: [Token] = []
      var index = 0
      while index < source.count {
        let character = source[index]
        if character.isWhitespace {
          index += 1
        } else if character == "'" || character == "\"" {
          tokens.append(text(source, &index))
        } else if character == "u", index + 1 < source.count, "'\"".contains(source[index + 1]) {
          index += 1
          tokens.append(text(source, &index))
        } else if character.isLetter || character == "_" {
          let start = index
          while index < source.count,
            source[index].isLetter || source[index].isNumber
              || source[index] == "_"
          { index += 1 }
          tokens.append(.name(String(source[start..<index])))
        } else if character.isNumber {
          let start = index
          while index < source.count, source[index].isNumber { index += 1 }
          tokens.append(.number(Int(String(source[start..<index])) ?? 0))
        } else if character == "=", index + 1 < source.count, source[index + 1] == "=" {
          index += 2
          tokens.append(.equals)
        } else {
          index += 1
          tokens.append(.symbol(character))
        }
      }
      return tokens
    }

    private static func text(_ source: [Character], _ index: inout Int) -> Token {
      let quote = source[index]
      index += 1
      var text = ""
      while index < source.count, source[index] != quote {
        guard source[index] == "\\", index + 1 < source.count else {
          text.append(source[index])
          index += 1
          continue
        }
        let escaped = source[index + 1]
        index += 2
        switch escaped {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "r": text.append("\r")
        case "x", "u", "U":
          let count = ["x": 2, "u": 4][escaped] ?? 8
          let digits = String(source[index...].prefix(count))
          guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            return .bad
          }
          text.unicodeScalars.append(scalar)
          index += count
        default: text.append(escaped)
        }
      }
      guard index < source.count else { return .bad }
      index += 1
      return .text(text)
    }
  }
}
