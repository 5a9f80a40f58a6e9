import GRDB

/// A suggested correction of a search for a word that no article contains.
public struct SearchCorrection: Sendable, Hashable {
  /// The word as typed.
  public let typed: String
  /// The suggested word, which differs by one letter.
  public let word: String
  /// How many articles contain the suggested word.
  public let count: Int
  /// The whole query with the suggested word.
  public let query: String
}

extension Library {
  /// Suggests a correction of a query without results: of its first word that no article contains.
  ///
  /// The suggestion is the word in most articles among those that differ by one letter, which is
  /// missing, added, replaced or swapped with its neighbour. Nil if every word is in some article,
  /// or if no similar word exists.
  ///
  /// - Throws: ``StoreError`` or `CancellationError`.
  public func correction(of text: String) async throws -> SearchCorrection? {
    guard let condition = try? condition(text) else { return nil }
    return try await store.correction(of: text, condition)
  }
}

extension ArticleStore {
  /// Shorter words are similar to too many others.
  private static let shortestCorrected = 4
  /// Longer ones are not words, and each letter takes up to about seventy queries.
  private static let longestCorrected = 24

  func correction(of text: String, _ condition: ArticleCondition) async throws
    -> SearchCorrection?
  {
    let phrases = condition.ranking.words?.phrases ?? []
    let lengths = Self.shortestCorrected...Self.longestCorrected
    let words: [Substring] = text.split { !$0.isLetter && !$0.isNumber }
      .filter { lengths ~= $0.count }
    return try await searcher.read { database, search in
      let count = try database.cachedStatement(
        sql: "SELECT doc FROM searchWord WHERE term = ?")
      for typed in words {
        let word = FoldedText.folded(String(typed))
        guard let phrase = phrases.first(where: { FoldedText.folded($0.text) == word }),
          try !Self.isKnown(word, isPrefix: phrase.isPrefix, database)
        else { continue }
        var best: (word: String, count: Int)?
        for other in Set(Self.neighbours(of: word)).sorted() {
          try search.check()
          let found = try Int.fetchOne(count, arguments: [other]) ?? 0
          if found > best?.count ?? 0 { best = (other, found) }
        }
        guard let best else { return nil }
        let query = text[..<typed.startIndex] + best.word + text[typed.endIndex...]
        return SearchCorrection(
          typed: String(typed), word: best.word, count: best.count, query: String(query))
      }
      return nil
    }
  }

  /// Whether the index contains a word, or one that begins with it.
  private static func isKnown(
    _ word: String, isPrefix: Bool, _ database: Database
  ) throws -> Bool {
    let first = try String.fetchOne(
      database, sql: "SELECT term FROM searchWord WHERE term >= ? ORDER BY term LIMIT 1",
      arguments: [word])
    return isPrefix ? first?.hasPrefix(word) ?? false : first == word
  }

  /// Returns every word that differs by one letter, using the letters of its script.
  private static func neighbours(of word: String) -> [String] {
    let letters = Array(word)
    let alphabet = alphabet(of: letters)
    var words: [String] = []
    for place in 0...letters.count {
      let (head, tail) = (letters[..<place], letters[place...])
      for letter in alphabet { words.append(String(head + [letter] + tail)) }
      guard place < letters.count else { continue }
      words.append(String(head + tail.dropFirst()))
      for letter in alphabet where letter != letters[place] {
        words.append(String(head + [letter] + tail.dropFirst()))
      }
      guard place + 1 < letters.count, letters[place] != letters[place + 1] else { continue }
      var exchanged = letters
      exchanged.swapAt(place, place + 1)
      words.append(String(exchanged))
    }
    return words
  }

  private static let alphabets = [
    "abcdefghijklmnopqrstuvwxyz0123456789", "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
  ]

  /// Returns the letters of the script in which a word begins; for an unknown script, the word's
  /// own letters.
  private static func alphabet(of letters: [Character]) -> [Character] {
    let known = alphabets.first { letters.first.map($0.contains) ?? false }
    return known.map(Array.init) ?? Array(Set(letters))
  }
}
