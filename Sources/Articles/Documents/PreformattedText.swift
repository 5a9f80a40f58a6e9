import Limits

/// The text of a `pre` element.
struct PreformattedText {
  private var text: [UInt8] = []
  private var language: String?

  mutating func append(_ part: some Sequence<UInt8>) {
    text.append(contentsOf: part)
  }

  /// Reads the language from a class used by highlighters: `language-swift`, `lang-swift`,
  /// `highlight-source-c`.
  mutating func noteLanguage(_ classes: String?) {
    guard language == nil, let classes else { return }
    for name in classes.utf8.split(separator: UInt8(ascii: " ")) {
      for prefix in ["language-", "lang-", "highlight-source-"] where name.starts(with: prefix.utf8)
      {
        let rest = name.dropFirst(prefix.utf8.count)
        if 1...40 ~= rest.count { language = String(outside: rest) }
      }
    }
  }

  /// The block of code; nil when it has no visible text.
  var block: Block? {
    var bytes = text[...]
    while let last = bytes.last, isWhiteSpace(last) { bytes.removeLast() }
    // Leading empty lines are dropped, but the indentation of the first line stays.
    var start = bytes.startIndex
    for index in bytes.indices {
      guard isWhiteSpace(bytes[index]) else { break }
      if bytes[index] == 0x0A { start = index + 1 }
    }
    let kept = bytes[start...]
    return kept.isEmpty ? nil : .code(language: language, text: String(outside: kept))
  }
}
