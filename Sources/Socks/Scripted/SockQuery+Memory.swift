/// Applies queries to socks in memory as SQL does: text is compared by its bytes.
extension SockFilter {
  func includes(_ sock: Sock) -> Bool {
    if let isPaired, isPaired != (sock.pair != nil) { return false }
    if let pattern, !pattern.utf8.elementsEqual(sock.pattern.utf8) { return false }
    if let colour, !colour.utf8.elementsEqual(sock.colour.utf8) { return false }
    return text.isEmpty
      || sock.searchText.utf8.firstRange(of: SearchText.folded(text).utf8) != nil
  }
}

extension SockOrder {
  /// Sorts `socks`, which are in the order in which they were added.
  func sorted(_ socks: [Sock]) -> [Sock] {
    let ascending = socks.enumerated().sorted { left, right in
      if precedes(left.element, right.element) { return true }
      if precedes(right.element, left.element) { return false }
      return left.offset < right.offset
    }.map(\.element)
    return isDescending ? ascending.reversed() : ascending
  }

  private func precedes(_ left: Sock, _ right: Sock) -> Bool {
    switch key {
    case .name: left.sortName.utf8.lexicographicallyPrecedes(right.sortName.utf8)
    case .sogginess: left.sogginess < right.sogginess
    case .pattern: left.pattern.utf8.lexicographicallyPrecedes(right.pattern.utf8)
    case .colour: left.colour.utf8.lexicographicallyPrecedes(right.colour.utf8)
    case .created: left.created < right.created
    case .changed: left.changed < right.changed
    }
  }
}
