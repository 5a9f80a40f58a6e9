import GRDB

/// Prepares text for the full-text index.
///
/// SQLite's tokenizer separates words at spaces. In scripts without spaces, every character becomes
/// a word of its own, and adjacent characters are then found as a phrase.
enum SearchText {
  /// Separates characters that become words: it is invisible, not part of a word, and removed
  /// before anything is shown.
  static let separator: Unicode.Scalar = "\u{200B}"
  /// How much of a text is indexed, in bytes: a longer text is a whole book, not an article.
  static let lengthLimit = 400_000

  /// The tokenizer of the index, as the schema names it.
  static let tokenizer = [
    "unicode61", "remove_diacritics", "2", "categories", "L* N* Co Mn Mc",
  ]

  static let textFunction = DatabaseFunction("searchText", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map(segmented)
  }

  static let htmlFunction = DatabaseFunction("searchHTML", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map(body)
  }

  /// Returns the searchable form of an article's text.
  static func body(html: String) -> String { segmented(HTMLText.text(html, limit: lengthLimit)) }

  /// Inserts separators between characters of scripts without spaces.
  static func segmented(_ text: String) -> String {
    // A fast path: no such script begins below U+0E00, whose UTF-8 starts with E0. Control
    // characters are replaced, because they later mark the matches.
    guard text.utf8.contains(where: { $0 >= 0xE0 || $0 < 0x20 }) else { return text }
    var output = String.UnicodeScalarView()
    var wasUnspaced = false
    for scalar in text.unicodeScalars {
      let isMark = isMark(scalar)
      let isUnspaced = isMark ? wasUnspaced : isUnspaced(scalar)
      if !isMark, isUnspaced || wasUnspaced { output.append(separator) }
      output.append(scalar.value < 0x20 ? " " : scalar)
      wasUnspaced = isUnspaced
    }
    return String(output)
  }

  /// Removes the separators again.
  static func joined(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != separator }))
  }

  /// Letters that are also written as two or three others; the index has them as they are.
  private static let ligatures = [
    ("ß", "ss"), ("ﬃ", "ffi"), ("ﬄ", "ffl"), ("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"),
  ]

  /// Returns a text with the letters that stand for several others written out.
  static func spelledOut(_ text: String) -> String {
    ligatures.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// Returns how the words of a query may be written in a text: as they are, written out, with each
  /// “ß”, and with every ligature.
  static func spellings(of text: String) -> [String] {
    let plain = spelledOut(text.lowercased())
    let joined = ligatures.dropFirst().reduce(plain) { $0.replacing($1.1, with: $1.0) }
    var spellings = [text]
    for other in [plain] + sharpened(plain) + [joined] where other != text.lowercased() {
      if !spellings.contains(other) { spellings.append(other) }
    }
    return spellings
  }

  /// Returns a text with every choice of its “ss” as “ß”; of more than four, all or none.
  private static func sharpened(_ plain: String) -> [String] {
    let parts = plain.split(separator: "ss", omittingEmptySubsequences: false)
    guard parts.count <= 5 else { return [plain, parts.joined(separator: "ß")] }
    return parts.dropFirst().reduce([String(parts[0])]) { spellings, part in
      spellings.flatMap { ["\($0)ss\(part)", "\($0)ß\(part)"] }
    }
  }

  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Thai and Lao, Myanmar, Khmer.
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
    // Radicals, kana, bopomofo, Korean letters, ideographs.
    case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3031...0x3035, 0x3040...0x31FF, 0x3400...0x4DBF,
      0x4E00...0xA4CF:
      true
    // Korean syllables: words are written together with their particles.
    case 0xAC00...0xD7FF, 0x1100...0x11FF: true
    case 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Whether a character combines with the one before it.
  ///
  /// Uses its own ranges: Unicode's data changes with the standard library, and the index must not.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x3099...0x309A, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
    case 0x0E31, 0x0E34...0x0E3A, 0x0E47...0x0E4E: true
    case 0x0EB1, 0x0EB4...0x0EBC, 0x0EC8...0x0ECE: true
    case 0x102B...0x103E, 0x1056...0x1059, 0x105E...0x1060, 0x1062...0x1064, 0x1067...0x106D,
      0x1071...0x1074, 0x1082...0x108D, 0x108F, 0x109A...0x109D:
      true
    case 0x17B4...0x17D3, 0x17DD: true
    default: false
    }
  }
}
