import TerminalUI

/// Swift code in colours: keywords, string literals, numbers and comments.
struct CodeText: View {
  let code: String

  var body: some View {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    VStack(alignment: .leading) {
      ForEach(0..<lines.count) { Self.text(lines[$0]).lineLimit(1) }
    }
  }

  enum Kind { case keyword, text, number, comment, other }

  private static let keywords: Set<Substring> = [
    "import", "struct", "let", "var", "func", "return", "some", "try", "await", "in", "if", "case",
    "private", "self", "nil", "true", "false",
  ]

  private static func text(_ line: Substring) -> Text {
    parts(of: line).reduce(Text("")) { text, part in
      let words = Text(String(part.text))
      return text
        + {
          switch part.kind {
          case .keyword: words.bold().foregroundStyle(\.accent)
          case .text: words.foregroundStyle(\.code)
          case .number: words.foregroundStyle(\.warning)
          case .comment: words.italic().foregroundStyle(\.secondary)
          case .other: words
          }
        }()
    }
  }

  /// Splits the line into parts, each with the kind that decides its colour.
  static func parts(of line: Substring) -> [(kind: Kind, text: Substring)] {
    var parts: [(kind: Kind, text: Substring)] = []
    var rest = line
    while let first = rest.first {
      let part: Substring
      let kind: Kind
      if first == "\"" {
        (kind, part) = (.text, literal(rest))
      } else if rest.hasPrefix("//") {
        (kind, part) = (.comment, rest)
      } else if first.isLetter || first == "@" {
        part = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" }
        kind = first == "@" || keywords.contains(part) ? .keyword : .other
      } else if first.isNumber {
        (kind, part) = (.number, rest.prefix { $0.isNumber || $0 == "." || $0 == "_" })
      } else {
        (kind, part) = (.other, rest.prefix(1))
      }
      parts.append((kind, part))
      rest = rest[part.endIndex...]
    }
    return parts
  }

  /// Returns the string literal at the start of `line`, including interpolated code.
  private static func literal(_ line: Substring) -> Substring {
    var depth = 0
    var last: Character = " "
    for index in line.indices.dropFirst() {
      switch line[index] {
      case "(" where last == "\\" || depth > 0: depth += 1
      case ")" where depth > 0: depth -= 1
      case "\"" where depth == 0 && last != "\\": return line[...index]
      default: break
      }
      last = line[index]
    }
    return line
  }
}
