/// A line of text with a cursor between its characters, as it is edited by keys.
///
/// A character is what a user perceives as one; `String.limitingCharacters()` limits its number of
/// scalars.
struct LineEditor: Equatable {
  private(set) var characters: [Character]
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// What was deleted last by a key that deletes more than a character.
  private(set) var deleted: String

  init(_ text: String, cursor: Int, deleted: String = "") {
    characters = Array(text)
    self.deleted = deleted
    self.cursor = max(0, min(characters.count, cursor))
  }

  var text: String { String(characters) }

  /// The text before the cursor.
  var head: String { String(characters[..<cursor]) }

  mutating func move(to place: Int) { cursor = max(0, min(characters.count, place)) }

  /// Inserts text as one line: each line end becomes `lineBreak`, a tab a space, and other controls
  /// and what has no glyph are removed.
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
      // They cannot be seen, and an address that was copied with one of them is not found.
      case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: break
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  mutating func deleteBackward() { remove(max(0, cursor - 1)..<cursor) }

  mutating func deleteForward() { remove(cursor..<min(characters.count, cursor + 1)) }

  /// Deletes back to the last space before the cursor that has something else after it.
  mutating func deleteToSpace() { cut(start(of: { !$0.isWhitespace })..<cursor) }

  mutating func moveWordBackward() { cursor = startOfWord }

  mutating func moveWordForward() { cursor = endOfWord }

  mutating func deleteWordBackward() { cut(startOfWord..<cursor) }

  mutating func deleteWordForward() { cut(cursor..<endOfWord) }

  /// Where the word before or at the cursor begins; a word consists of letters and digits.
  private var startOfWord: Int { start(of: \.isOfWord) }

  private var endOfWord: Int {
    let word = characters[cursor...].firstIndex(where: \.isOfWord) ?? characters.count
    return characters[word...].firstIndex { !$0.isOfWord } ?? characters.count
  }

  /// Where the last run of such characters before the cursor begins.
  private func start(of isPart: (Character) -> Bool) -> Int {
    let end = characters[..<cursor].lastIndex(where: isPart) ?? 0
    return characters[..<end].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
  }

  mutating func deleteToStart() { cut(0..<cursor) }

  mutating func deleteToEnd() { cut(cursor..<characters.count) }

  /// Inserts what was deleted last by a key that deletes more than a character.
  mutating func insertDeleted() { insert(deleted) }

  private mutating func cut(_ range: Range<Int>) {
    if !range.isEmpty { deleted = String(characters[range]) }
    remove(range)
  }

  private mutating func remove(_ range: Range<Int>) {
    let rest = String(characters[range.upperBound...])
    let head = String(characters[..<range.lowerBound])
    characters = Array(head + rest)
    cursor = min(characters.count, range.lowerBound)
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isNumber }
}
