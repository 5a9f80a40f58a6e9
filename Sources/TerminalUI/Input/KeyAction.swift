/// Something that keys do, by a name under which a user may give it other keys.
///
/// ```swift
/// extension KeyAction {
///   static let star = KeyAction("star", keys: "s", label: "star")
/// }
///
/// struct StarButton: View {
///   @State private var isStarred = false
///   var body: some View {
///     Text(isStarred ? "★" : "☆").focusable()
///       .onKeyPress(action: .star) { isStarred.toggle() }
///   }
/// }
/// ```
public struct KeyAction: Hashable, Sendable {
  /// In lower case, with hyphens between words: `next-unread`.
  public let name: String
  /// What it is bound to as long as nobody chose otherwise, the key to be shown first.
  public let keys: [KeySequence]
  /// Those of the keys that work whatever is chosen.
  public let always: [KeySequence]
  /// What it does, in a word or two: "reload".
  public let label: String

  /// An action with its keys; a key that is to work whatever a user chooses stands in both lists.
  public init(
    _ name: String, keys: KeyPress..., always: [KeyPress] = [], label: String
  ) {
    self.init(name, sequences: keys.map { KeySequence($0) }, always: always, label: label)
  }

  /// An action with keys that are pressed one after another, such as `g g`.
  public init(
    _ name: String, sequences: [KeySequence], always: [KeyPress] = [], label: String
  ) {
    self.name = name
    self.keys = sequences
    self.always = always.map { KeySequence($0) }
    self.label = label
  }

  /// Actions are the same when their names are.
  public static func == (left: KeyAction, right: KeyAction) -> Bool { left.name == right.name }

  /// Takes the name in.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// What the views of this module do by themselves.
extension KeyAction {
  /// Goes, or scrolls, up.
  public static let up = KeyAction("up", keys: "k", .up, always: [.up], label: "up")
  /// Goes, or scrolls, down.
  public static let down = KeyAction("down", keys: "j", .down, always: [.down], label: "down")
  /// Goes to the left, or out.
  public static let left = KeyAction("left", keys: .left, "h", always: [.left], label: "left")
  /// Goes to the right, or in.
  public static let right = KeyAction("right", keys: .right, "l", always: [.right], label: "right")
  /// Up by what the screen holds.
  public static let pageUp = KeyAction(
    "page-up", keys: .pageUp, .control("u"), always: [.pageUp], label: "page up")
  /// Down by what the screen holds.
  public static let pageDown = KeyAction(
    "page-down", keys: .pageDown, .control("d"), always: [.pageDown], label: "page down")
  /// Down by what the screen holds, too, unless the focused control has a meaning for the key.
  public static let readOn = KeyAction("read-on", keys: .space, label: "page down")
  /// To the first row.
  public static let first = KeyAction("first", keys: "g", .home, always: [.home], label: "first")
  /// To the last row.
  public static let last = KeyAction("last", keys: "G", .end, always: [.end], label: "last")
  /// To the next heading of a text.
  public static let nextHeading = KeyAction("next-heading", keys: "}", label: "next heading")
  /// To the heading before.
  public static let previousHeading = KeyAction(
    "previous-heading", keys: "{", label: "previous heading")
  /// Leaves what is shown.
  public static let back = KeyAction("back", keys: .escape, always: [.escape], label: "back")
  /// Closes what lies over the screen.
  public static let close = KeyAction(
    "close", keys: .escape, "q", always: [.escape], label: "close")
  /// Ends a load that shows.
  public static let cancel = KeyAction("cancel", keys: .escape, always: [.escape], label: "cancel")
  /// Loads, loads again, or tries again what has failed.
  public static let reload = KeyAction("reload", keys: "r", label: "reload")
  /// Shows or hides what an engineer would want to know of a failure.
  public static let details = KeyAction("details", keys: "d", label: "details")
  /// Tries the change again whose failure is shown at the bottom.
  public static let retryChange = KeyAction(
    "retry-change", keys: .control("r"), label: "retry change")
  /// Searches in what is shown.
  public static let search = KeyAction("search", keys: "/", label: "search")
  /// Takes the message at the bottom away.
  public static let dismiss = KeyAction("dismiss", keys: .control("x"), label: "dismiss")
  /// Shows the next tab.
  public static let nextTab = KeyAction("next-tab", keys: "]", label: "next tab")
  /// Shows the tab before.
  public static let previousTab = KeyAction("previous-tab", keys: "[", label: "previous tab")
  /// Show the first tab, the second, and so on.
  public static let tabs = "123456789".map {
    KeyAction("tab-\($0)", keys: KeyPress(.character($0)), label: "tab \($0)")
  }
}
