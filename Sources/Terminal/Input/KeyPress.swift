/// A key with its modifiers, as a terminal tells it.
///
/// Literals are the plain character: `"r"`, `"?"`.
public struct KeyPress: Hashable, Sendable {
  /// Which key.
  public var key: Key
  /// What was held down with it.
  public var modifiers: Modifiers

  /// A key, with no modifiers unless told otherwise.
  public init(_ key: Key, modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  /// The keys of a keyboard that a terminal reports.
  public enum Key: Hashable, Sendable {
    /// A printable character, as typed: Shift-r is `R`.
    case character(Character)
    /// An arrow.
    case up, down, left, right
    /// The keys above the arrows.
    case home, end, pageUp, pageDown, insert, delete
    /// The keys with a meaning of their own.
    case enter, escape, tab, backspace
    /// F1 and so on, from 1.
    case function(Int)
  }

  /// Keys that change what another one means.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit a modifier.
    public let rawValue: UInt8

    /// The modifiers whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift; not told for characters, whose case says it.
    public static let shift = Modifiers(rawValue: 1)
    /// Alt, or a preceding Esc, which is what a terminal sends for it.
    public static let alt = Modifiers(rawValue: 2)
    /// Ctrl.
    public static let control = Modifiers(rawValue: 4)
  }

  /// Control and a character: `.control("c")`.
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
  /// The plain character.
  public init(extendedGraphemeClusterLiteral character: Character) {
    self.init(.character(character))
  }
}

extension KeyPress: CustomStringConvertible {
  /// As a footer names it: `r`, `↑`, `Enter`, `Ctrl-Z`.
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
