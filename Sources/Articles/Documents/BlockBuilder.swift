/// Puts blocks into the containers that are open: quotes, lists, and their items.
struct BlockBuilder {
  private enum Container {
    case document
    case quote
    case list(start: Int?, items: [[Block]])
    case item
  }

  private var open: [(container: Container, blocks: [Block])] = [(.document, [])]

  var depth: Int { open.count - 1 }
  var isInList: Bool {
    if case .list? = open.last?.container { true } else { false }
  }

  mutating func append(_ block: Block) {
    if isInList {
      // Something between two items: it has no place of its own in a list.
      appendItem([block])
    } else {
      open[open.count - 1].blocks.append(block)
    }
  }

  mutating func openQuote() { open.append((.quote, [])) }
  mutating func openList(start: Int?) { open.append((.list(start: start, items: []), [])) }
  mutating func openItem() { open.append((.item, [])) }

  /// Closes the innermost container.
  ///
  /// Nothing is left of an empty one.
  mutating func close() {
    guard open.count > 1, let last = open.popLast() else { return }
    switch last.container {
    case .document: break
    case .quote: if !last.blocks.isEmpty { append(.quote(last.blocks)) }
    case .item: if !last.blocks.isEmpty { appendItem(last.blocks) }
    case .list(let start, let items):
      if !items.isEmpty { append(.list(start: start, items: items)) }
    }
  }

  mutating func finish() -> [Block] {
    while open.count > 1 { close() }
    return open[0].blocks
  }

  private mutating func appendItem(_ blocks: [Block]) {
    guard case .list(let start, var items)? = open.last?.container else { return }
    // Emptied first, so that the items are not copied to get one more.
    open[open.count - 1].container = .document
    items.append(blocks)
    open[open.count - 1].container = .list(start: start, items: items)
  }
}
