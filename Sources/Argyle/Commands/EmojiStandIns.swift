/// Keeps emoji of several code points (flags, families, skin tones) whole while text for a file or
/// another program is laid out.
///
/// Terminal cells would keep only a part of them.
///
/// A character of two columns stands in for each emoji, which is put back once the lines are laid
/// out.
final class EmojiStandIns {
  /// Rare characters.
  ///
  /// Those that the text itself contains are replaced too, so that stand-ins cannot be confused
  /// with text.
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
    // If the text has more different emoji than there are stand-ins, the rest are cut.
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

  /// Only emoji bypass the cells: characters that change the direction of text are not among these.
  private static func isPartOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
    default: scalar.properties.isEmoji
    }
  }
}
