extension PseudoTerminal {
  /// What a program that has ended should not have left on its terminal, in words: nothing, if it
  /// gave back everything, and did so once.
  public var leftovers: [String] {
    var found: [String] = []
    if screen.isAlternate { found.append("the alternate screen") }
    if !screen.isCursorVisible { found.append("a hidden cursor") }
    for mode in screen.privateModes.subtracting([7, 25, 1049]).sorted() {
      found.append("mode \(mode)")
    }
    if screen.style != EmulatedStyle() { found.append("the style \(screen.style)") }
    if screen.region != 0..<screen.rows { found.append("a scroll region") }
    if modes != initialModes { found.append("\(modes) instead of \(initialModes)") }
    let count = String(decoding: output, as: UTF8.self).count(of: "\u{1B}[?1049l")
    if count != 1 { found.append("\(count) returns from the alternate screen") }
    if !screen.unknown.isEmpty { found.append("sequences of no meaning: \(screen.unknown)") }
    return found
  }
}

extension String {
  /// How often `part` occurs.
  fileprivate func count(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
