/// The text of a `pre` element.
struct PreformattedText {
  private var text = ""
  private var language: String?

  mutating func append(_ part: String) {
    text += part
  }

  /// From the class that highlighters read: `language-swift`, `lang-swift`, `highlight-source-c`.
  mutating func noteLanguage(_ classes: String?) {
    guard language == nil, let classes else { return }
    for name in classes.split(separator: " ") {
      for prefix in ["language-", "lang-", "highlight-source-"] where name.hasPrefix(prefix) {
        let rest = name.dropFirst(prefix.count)
        if !rest.isEmpty, rest.utf8.count <= 40 { language = String(rest) }
      }
    }
  }

  /// Nil when there is nothing to see.
  var block: Block? {
    var bytes = text.utf8[...]
    while let last = bytes.last, isWhiteSpace(last) { bytes.removeLast() }
    // Empty lines in front mean nothing; the indentation of the first line does.
    var start = bytes.startIndex
    for index in bytes.indices {
      guard isWhiteSpace(bytes[index]) else { break }
      if bytes[index] == 0x0A { start = bytes.index(after: index) }
    }
    let kept = bytes[start...]
    return kept.isEmpty ? nil : .code(language: language, text: String(Substring(kept)))
  }
}
