/// Extracts the name from a feed's description of a person: `mail@example.org (Name)` as RSS
/// specifies, `Name (mail@example.org)`, `Name <mail@example.org>`, or only the name.
enum PersonName {
  static func name(in text: String) -> String {
    for (open, close) in [("(", ")"), ("<", ">")] as [(Character, Character)] {
      guard text.last == close, let start = text.lastIndex(of: open) else { continue }
      let inside = String(text[text.index(after: start)...].dropLast()).trimmingWhiteSpace()
      let outside = String(text[..<start]).trimmingWhiteSpace()
      // Other parentheses belong to the name: "Ann (on holiday)".
      if outside.contains("@"), !inside.isEmpty { return inside }
      if inside.contains("@"), !outside.isEmpty { return outside }
    }
    return text
  }
}
