extension String {
  /// The most scalars that a character of text from outside has: more than any that is written, such
  /// as an emoji of a family or a letter with all its marks.
  public static let scalarsPerCharacter = 32

  /// The text, with what its characters have beyond ``scalarsPerCharacter`` scalars cut off.
  ///
  /// For text from outside, where it comes in: a character may have a million marks, and each
  /// comparison or edit would go through, and sort, all of them.
  public func limitingCharacters() -> String {
    // A scalar has at least one byte, and hardly any text has a character of so many.
    guard contains(where: { $0.utf8.count > Self.scalarsPerCharacter }) else { return self }
    var limited = String.UnicodeScalarView()
    for character in self {
      limited.append(contentsOf: character.unicodeScalars.prefix(Self.scalarsPerCharacter))
    }
    return String(limited)
  }

  /// Whether both have the same scalars: comparing with `==` would normalise both first.
  public func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
