/// The name in what feeds write of a person: `mail@example.org (Name)`, which is what RSS asks for,
/// `Name (mail@example.org)`, `Name <mail@example.org>`, or the name alone.
enum PersonName {
  static func name(in text: String) -> String {
    for (open, close) in [("(", ")"), ("<", ">")] as [(Character, Character)] {
      guard text.last == close, let start = text.lastIndex(of: open) else { continue }
      let inside = String(text[text.index(after: start)...].dropLast()).trimmingWhiteSpace()
      let outside = String(text[..<start]).trimmingWhiteSpace()
      // Other brackets belong to the name: "Ann (on holiday)".
      if outside.contains("@"), !inside.isEmpty { return inside }
      if inside.contains("@"), !outside.isEmpty { return outside }
    }
    return text
  }
}
