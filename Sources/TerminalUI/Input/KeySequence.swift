/// What is pressed to do something: mostly one key, or several one after another, as in `g g`.
///
/// A literal is a single plain character: `"r"`.
public struct KeySequence: Hashable, Sendable {
  /// The key that is pressed first.
  public let first: KeyPress
  /// The keys that are pressed after it; none in most cases.
  public let rest: [KeyPress]

  /// The first key, and those after it.
  public init(_ first: KeyPress, _ rest: KeyPress...) { self.init(first, then: rest) }

  init(_ first: KeyPress, then rest: [KeyPress]) {
    self.first = first
    self.rest = rest
  }

  /// All of the keys.
  public var keys: [KeyPress] { [first] + rest }

  /// Whether it is this key alone.
  func isKey(_ key: KeyPress) -> Bool { rest.isEmpty && first == key }

  /// Whether it is these keys, or goes on after them.
  public func begins(with keys: [KeyPress]) -> Bool {
    keys.first == first && rest.starts(with: keys.dropFirst())
  }

  /// Whether one of two begins with the other: only one of them can be typed.
  public func excludes(_ other: KeySequence) -> Bool {
    first == other.first && zip(rest, other.rest).allSatisfy { $0 == $1 }
  }
}

extension KeySequence: ExpressibleByExtendedGraphemeClusterLiteral {
  /// The plain character.
  public init(extendedGraphemeClusterLiteral character: Character) {
    self.init(KeyPress(.character(character)))
  }
}

extension KeySequence: CustomStringConvertible {
  /// As a footer names it: `r`, `g g`, `Ctrl-X s`.
  public var description: String { keys.map(\.description).joined(separator: " ") }
}

extension KeySequence {
  /// The sequence of some names between spaces: `j`, `g g`, `ctrl-x s`.
  public init?(named names: String) {
    // A space alone is the space bar, as for a single key.
    if names == " " {
      self.init(.space)
      return
    }
    let keys = names.split(separator: " ").map { KeyPress(named: $0) }
    guard let first = keys.first, let first, keys.allSatisfy({ $0 != nil }) else { return nil }
    self.init(first, then: keys.dropFirst().compactMap(\.self))
  }

  /// The names from which ``init(named:)`` makes it.
  public var name: String { keys.map(\.name).joined(separator: " ") }
}
