/// The names of keys, used in scripts and in the configuration of keys.
extension KeyPress {
  /// The keys that have a name.
  public static let names: [(name: String, key: KeyPress)] = [
    ("enter", .enter), ("esc", .escape), ("space", .space), ("tab", .tab), ("backtab", .backTab),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home),
    ("end", .end), ("pgup", .pageUp), ("pgdn", .pageDown), ("backspace", .backspace),
    ("delete", .delete), ("insert", KeyPress(.insert)),
  ]

  private static let modifiers: [(prefix: String, modifier: Modifiers)] = [
    ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
  ]

  /// Creates a key from its name: `j`, `enter`, `f5`, `ctrl-d` or `Ctrl-D`,
  /// `alt-left`.
  public init?(named name: some StringProtocol) {
    if name.count == 1, let character = name.first {
      self.init(.character(character))
      return
    }
    let lowercased = name.lowercased()
    if let known = Self.names.first(where: { $0.name == lowercased }) {
      self = known.key
      return
    }
    if lowercased.first == "f", let number = Int(lowercased.dropFirst()), 1...20 ~= number {
      self.init(.function(number))
      return
    }
    for (prefix, modifier) in Self.modifiers where lowercased.hasPrefix(prefix) {
      guard let key = KeyPress(named: name.dropFirst(prefix.count)) else { return nil }
      let modifiers = key.modifiers.union(modifier)
      // A terminal sends the same byte for both, and its key is read as the small letter.
      if modifiers.contains(.control), case .character(let letter) = key.key {
        self.init(.character(letter.lowercased().first ?? letter), modifiers: modifiers)
      } else {
        self.init(key.key, modifiers: modifiers)
      }
      return
    }
    return nil
  }

  /// The name from which ``init(named:)`` creates this key.
  public var name: String {
    if let known = Self.names.first(where: { $0.key == self }) { return known.name }
    let prefix = Self.modifiers.filter { modifiers.contains($0.modifier) }.map(\.prefix).joined()
    switch key {
    case .character(let character) where character != " ": return prefix + String(character)
    case .function(let number): return prefix + "f\(number)"
    default:
      let plain = Self.names.first { $0.key == KeyPress(key) }
      return prefix + (plain?.name ?? description)
    }
  }
}
