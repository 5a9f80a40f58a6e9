import Limits

/// Adds blocks to the open containers: quotes, lists, and items and definitions in lists.
struct BlockBuilder {
  private enum Container {
    case document
    case quote
    case list(ListMarks, items: [[Block]])
    case item
    /// Becomes a part of the item before it.
    case definition
  }

  private var open: [(container: Container, blocks: [Block])] = [(.document, [])]

  var depth: Int { open.count - 1 }
  var isInList: Bool {
    if case .list? = open.last?.container { true } else { false }
  }

  /// Whether the innermost container is a list of terms.
  var isInTerms: Bool {
    if case .list(.terms, _)? = open.last?.container { true } else { false }
  }

  mutating func append(_ block: Block) {
    if isInList {
      // A block between two items becomes an item of its own.
      appendItem([block])
    } else {
      open[open.count - 1].blocks.append(block)
    }
  }

  mutating func openQuote() { open.append((.quote, [])) }
  mutating func openList(_ marks: ListMarks) { open.append((.list(marks, items: []), [])) }

  /// Opens an item; one with a number of its own begins another list if it is not the next one.
  mutating func openItem(number: Int? = nil) {
    if let number,
      case .list(.numbers(let start, let step, let numerals), let items)? =
        open.last?.container, number != start + step * items.count
    {
      close()
      openList(.numbers(from: number, by: step, as: numerals))
    }
    open.append((.item, []))
  }

  mutating func openDefinition() { open.append((.definition, [])) }

  /// Closes the innermost container.
  ///
  /// An empty container is dropped.
  mutating func close() {
    guard open.count > 1, let last = open.popLast() else { return }
    switch last.container {
    case .document: break
    case .quote: if !last.blocks.isEmpty { append(.quote(last.blocks)) }
    case .item: if !last.blocks.isEmpty { appendItem(last.blocks) }
    case .definition: if !last.blocks.isEmpty { appendItem(last.blocks, isDefinition: true) }
    case .list(let marks, let items):
      if !items.isEmpty { append(.list(marks, items: items)) }
    }
  }

  mutating func finish() -> [Block] {
    while open.count > 1 { close() }
    return open[0].blocks
  }

  private mutating func appendItem(_ blocks: [Block], isDefinition: Bool = false) {
    guard case .list(let marks, var items)? = open.last?.container else { return }
    // Moved out first, so that appending an item does not copy all of them.
    open[open.count - 1].container = .document
    if isDefinition, !items.isEmpty {
      items[items.count - 1] += blocks
    } else {
      items.append(blocks)
    }
    open[open.count - 1].container = .list(marks, items: items)
  }
}

/// The text of a `pre` element.
struct PreformattedText {
  private var text: [UInt8] = []
  private var language: String?

  mutating func append(_ part: some Sequence<UInt8>) {
    text.append(contentsOf: part)
  }

  /// Ends the current line, if it has begun.
  mutating func endLine() {
    if let last = text.last, last != 0x0A { text.append(0x0A) }
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
