/// A key, or several keys pressed one after another, as in `g g`.
///
/// A literal is a single plain character: `"r"`.
public struct KeySequence: Hashable, Sendable {
  /// The key that is pressed first.
  public let first: KeyPress
  /// The keys that are pressed after the first; usually none.
  public let rest: [KeyPress]

  /// Creates a sequence of a first key and the keys after it.
  public init(_ first: KeyPress, _ rest: KeyPress...) { self.init(first, then: rest) }

  init(_ first: KeyPress, then rest: [KeyPress]) {
    self.first = first
    self.rest = rest
  }

  /// All keys in order.
  public var keys: [KeyPress] { [first] + rest }

  /// Whether the sequence is this key alone.
  func isKey(_ key: KeyPress) -> Bool { rest.isEmpty && first == key }

  /// Whether the sequence begins with these keys.
  public func begins(with keys: [KeyPress]) -> Bool {
    keys.first == first && rest.starts(with: keys.dropFirst())
  }

  /// Whether one of the two sequences begins with the other, so that only one of them can be typed.
  public func excludes(_ other: KeySequence) -> Bool {
    first == other.first && zip(rest, other.rest).allSatisfy { $0 == $1 }
  }
}

extension KeySequence: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates a sequence of one plain character.
  public init(extendedGraphemeClusterLiteral character: Character) {
    self.init(KeyPress(.character(character)))
  }
}

extension KeySequence: CustomStringConvertible {
  /// The text that a footer shows: `r`, `g g`, `Ctrl-X s`.
  public var description: String { keys.map(\.description).joined(separator: " ") }
}

extension KeySequence {
  /// Creates a sequence from names separated by spaces, such as `j`, `g g` or `ctrl-x s`.
  public init?(named names: String) {
    // A single space is the space bar, as it is for a single key.
    if names == " " {
      self.init(.space)
      return
    }
    let keys = names.split(separator: " ").map { KeyPress(named: $0) }
    guard let first = keys.first, let first, keys.allSatisfy({ $0 != nil }) else { return nil }
    self.init(first, then: keys.dropFirst().compactMap(\.self))
  }

  /// The names from which ``init(named:)`` creates this sequence.
  public var name: String { keys.map(\.name).joined(separator: " ") }
}
