/// Translates newsboat's queries over feeds to searches of ours.
enum NewsboatQuery {
  /// The longest query that is translated, in bytes.
  private static let lengthLimit = 400

  /// Returns the search that stands for an entry `query:TITLE:EXPRESSION` of newsboat's list; nil when
  /// there is none, or the expression is not one of the simple ones that are translated:
  /// comparisons that are all joined by `and`, or all by `or`.
  static func search(for entry: String) -> String? {
    let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].utf8.count <= lengthLimit else { return nil }
    var tokens = tokens(parts[2])[...]
    var conditions: [String] = []
    var joints: Set<String> = []
    while let condition = condition(&tokens) {
      conditions.append(condition)
      guard let joint = tokens.popFirst() else {
        return joints.count < 2 ? conditions.joined(separator: " \(joints.first ?? "") ") : nil
      }
      guard ["and", "or"].contains(joint) else { return nil }
      joints.insert(joint)
    }
    return nil
  }

  /// Parses the next comparison.
  private static func condition(_ tokens: inout ArraySlice<String>) -> String? {
    guard tokens.count >= 3, let field = tokens.popFirst(), let sign = tokens.popFirst(),
      let value = tokens.popFirst()
    else { return nil }
    switch (field, sign) {
    case ("unread", "="), ("unread", "=="), ("unread", "!="):
      guard ["\"yes\"", "\"no\""].contains(value) else { return nil }
      return (value == "\"yes\"") == (sign != "!=") ? "is:unread" : "is:read"
    case ("tags", "#"): return quoted(value).map { "tag:" + $0 }
    case ("tags", "!#"): return quoted(value).map { "-tag:" + $0 }
    case ("title", "=~"): return quoted(value).map { "title:" + $0 }
    case ("author", "=~"): return quoted(value).map { "author:" + $0 }
    case ("content", "=~"): return quoted(value).map { "text:" + $0 }
    case ("feedtitle", "=~"), ("feedtitle", "="), ("feedtitle", "=="):
      return quoted(value).map { "feed:" + $0 }
    case ("age", "<"), ("age", ">"), ("age", "<="), ("age", ">="):
      return Int(value).map { "age\(sign)\($0)d" }
    default: return nil
    }
  }

  /// Returns a quoted value as our searches have it: in quotes only where they are needed; nil for a
  /// regular expression, and for what does not fit on a line.
  private static func quoted(_ value: String) -> String? {
    guard value.utf8.count > 1, value.first == "\"", value.last == "\"" else { return nil }
    let text = String(value.dropFirst().dropLast())
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_ /&',".unicodeScalars.contains($0)
    }
    guard !text.isEmpty, isPlain else { return nil }
    return text.contains(" ") ? "\"\(text)\"" : text
  }

  /// Splits an expression into words, signs and quoted texts with their quotes.
  private static func tokens(_ text: Substring) -> [String] {
    var tokens: [String] = []
    var rest = text.drop(while: \.isWhitespace)
    while let first = rest.first {
      let end: Substring.Index
      if first == "\"" {
        // Without an end, it is no value that is translated.
        end = rest.dropFirst().firstIndex(of: "\"").map(rest.index(after:)) ?? rest.endIndex
      } else if "=!<>~#".contains(first) {
        end = rest.firstIndex { !"=!<>~#".contains($0) } ?? rest.endIndex
      } else {
        end = rest.firstIndex { $0.isWhitespace || "\"=!<>~#".contains($0) } ?? rest.endIndex
      }
      tokens.append(String(rest[..<end]))
      rest = rest[end...].drop(while: \.isWhitespace)
    }
    return tokens
  }
}
