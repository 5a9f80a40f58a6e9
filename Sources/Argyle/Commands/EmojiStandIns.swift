/// Keeps emoji of several characters (flags, families, skin tones) whole while text is laid out that
/// goes to a file or to a program: a terminal's cells would keep only the first of the characters.
///
/// Each gets a character of two columns in its place, and is put back when the lines are ready.
final class EmojiStandIns {
  /// Rare characters; those of the text itself are replaced too, so that each can be told apart.
  private static let characters: ClosedRange<UInt32> = 0x2A000...0x2A6DF

  private var standIns: [Character: Character] = [:]
  private var originals: [Character: Character] = [:]

  func replace(in text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value >= 0x200D }) else { return text }
    return String(text.map { Self.isCut($0) ? standIn(for: $0) : $0 })
  }

  func restore(in text: String) -> String {
    originals.isEmpty ? text : String(text.map { originals[$0] ?? $0 })
  }

  private func standIn(for original: Character) -> Character {
    if let known = standIns[original] { return known }
    let next = Self.characters.lowerBound + UInt32(standIns.count)
    // Of a text with thousands of different ones the others are cut.
    guard Self.characters.contains(next), let scalar = Unicode.Scalar(next) else { return original }
    standIns[original] = Character(scalar)
    originals[Character(scalar)] = original
    return Character(scalar)
  }

  private static func isCut(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return false }
    if characters.contains(first.value) { return true }
    return scalars.count > 1 && first.properties.isEmoji && scalars.allSatisfy(isPartOfEmoji)
  }

  /// Nothing else gets past the cells: a mark that turns the direction of a line is none of these.
  private static func isPartOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
    default: scalar.properties.isEmoji
    }
  }
}
