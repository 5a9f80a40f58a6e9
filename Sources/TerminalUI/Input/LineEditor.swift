/// A line of text with a cursor between its characters, as it is edited by keys.
///
/// A character is what a user perceives as one; `String.limitingCharacters()` limits its number of
/// scalars.
struct LineEditor: Equatable {
  private(set) var characters: [Character]
  /// The number of characters before the cursor.
  private(set) var cursor: Int

  init(_ text: String, cursor: Int) {
    characters = Array(text)
    self.cursor = max(0, min(characters.count, cursor))
  }

  var text: String { String(characters) }

  /// The text before the cursor.
  var head: String { String(characters[..<cursor]) }

  mutating func move(to place: Int) { cursor = max(0, min(characters.count, place)) }

  /// Inserts text as one line: each line end becomes `lineBreak`, a tab a space, and other controls
  /// are removed.
  mutating func insert(_ text: String, lineBreak: String = " ") {
    let head = self.head + Self.line(text, lineBreak)
    let rest = String(characters[cursor...])
    // Counted after joining, because a combining accent belongs to the character before it.
    characters = Array((head + rest).limitingCharacters())
    cursor = min(characters.count, head.count)
  }

  private static func line(_ text: String, _ lineBreak: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
      switch scalar.value {
      case 0x09: line.append(" ")
      case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: line.append(contentsOf: lineBreak.unicodeScalars)
      case 0..<0x20, 0x7F..<0xA0: break
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  mutating func deleteBackward() { remove(max(0, cursor - 1)..<cursor) }

  mutating func deleteForward() { remove(cursor..<min(characters.count, cursor + 1)) }

  /// Deletes the word before the cursor and the spaces after it.
  mutating func deleteWord() {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    remove(start..<cursor)
  }

  mutating func deleteToStart() { remove(0..<cursor) }

  mutating func deleteToEnd() { remove(cursor..<characters.count) }

  private mutating func remove(_ range: Range<Int>) {
    let rest = String(characters[range.upperBound...])
    let head = String(characters[..<range.lowerBound])
    characters = Array(head + rest)
    cursor = min(characters.count, range.lowerBound)
  }
}
