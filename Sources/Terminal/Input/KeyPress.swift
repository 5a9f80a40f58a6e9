/// A key with its modifiers, as a terminal reports it.
///
/// A literal is the plain character: `"r"`, `"?"`.
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// The modifiers that were held down with it.
  public var modifiers: Modifiers

  /// Creates a key press, by default without modifiers.
  public init(_ key: Key, modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  /// The keys of a keyboard that a terminal reports.
  public enum Key: Hashable, Sendable {
    /// A printable character, as typed: Shift-r is `R`.
    case character(Character)
    /// An arrow key.
    case up, down, left, right
    /// A key above the arrow keys.
    case home, end, pageUp, pageDown, insert, delete
    /// A key with a meaning of its own.
    case enter, escape, tab, backspace
    /// A function key: F1 is 1.
    case function(Int)
  }

  /// Modifier keys.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit for each modifier.
    public let rawValue: UInt8

    /// Creates the set of modifiers whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift; not reported for characters, whose case shows it.
    public static let shift = Modifiers(rawValue: 1)
    /// Alt, for which terminals send a preceding Esc.
    public static let alt = Modifiers(rawValue: 2)
    /// Ctrl.
    public static let control = Modifiers(rawValue: 4)
  }

  /// Returns a character with Ctrl: `.control("x")`.
  ///
  /// Ctrl-C, Ctrl-\, Ctrl-Z, Ctrl-S and Ctrl-Q belong to the terminal, and never arrive.
  public static func control(_ character: Character) -> KeyPress {
    KeyPress(.character(character), modifiers: .control)
  }

  /// An arrow key.
  public static let up = KeyPress(.up)
  /// An arrow key.
  public static let down = KeyPress(.down)
  /// An arrow key.
  public static let left = KeyPress(.left)
  /// An arrow key.
  public static let right = KeyPress(.right)
  /// The Home key.
  public static let home = KeyPress(.home)
  /// The End key.
  public static let end = KeyPress(.end)
  /// The Page Up key.
  public static let pageUp = KeyPress(.pageUp)
  /// The Page Down key.
  public static let pageDown = KeyPress(.pageDown)
  /// The Enter key.
  public static let enter = KeyPress(.enter)
  /// The Esc key.
  public static let escape = KeyPress(.escape)
  /// The Tab key.
  public static let tab = KeyPress(.tab)
  /// Shift and Tab.
  public static let backTab = KeyPress(.tab, modifiers: .shift)
  /// The Backspace key.
  public static let backspace = KeyPress(.backspace)
  /// The Delete key.
  public static let delete = KeyPress(.delete)
  /// The space bar.
  public static let space: KeyPress = " "
}

extension KeyPress: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates a key press of the plain character.
  public init(extendedGraphemeClusterLiteral character: Character) {
    self.init(.character(character))
  }
}

extension KeyPress: CustomStringConvertible {
  /// The text that a footer shows: `r`, `↑`, `Enter`, `Ctrl-Z`.
  public var description: String {
    let name =
      switch key {
      case .character(" "): "Space"
      case .character(let character):
        modifiers.contains(.control) ? character.uppercased() : String(character)
      case .up: "↑"
      case .down: "↓"
      case .left: "←"
      case .right: "→"
      case .home: "Home"
      case .end: "End"
      case .pageUp: "PgUp"
      case .pageDown: "PgDn"
      case .insert: "Ins"
      case .delete: "Del"
      case .enter: "Enter"
      case .escape: "Esc"
      case .tab: "Tab"
      case .backspace: "Backspace"
      case .function(let number): "F\(number)"
      }
    var prefix = ""
    if modifiers.contains(.control) { prefix += "Ctrl-" }
    if modifiers.contains(.alt) { prefix += "Alt-" }
    if modifiers.contains(.shift) { prefix += "Shift-" }
    return prefix + name
  }
}
