/// Something that keys do, with a name by which the user can assign other keys to it.
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
  /// The name, in lower case with hyphens between words: `next-unread`.
  public let name: String
  /// The default keys, beginning with the one to show.
  public let keys: [KeySequence]
  /// The keys that work even if the user has chosen others.
  public let always: [KeySequence]
  /// A label of a word or two, such as “reload”.
  public let label: String

  /// Creates an action; a key that always works has to be in both lists.
  public init(
    _ name: String, keys: KeyPress..., always: [KeyPress] = [], label: String
  ) {
    self.init(name, sequences: keys.map { KeySequence($0) }, always: always, label: label)
  }

  /// Creates an action with key sequences, such as `g g`.
  public init(
    _ name: String, sequences: [KeySequence], always: [KeyPress] = [], label: String
  ) {
    self.name = name
    self.keys = sequences
    self.always = always.map { KeySequence($0) }
    self.label = label
  }

  /// Actions are equal if their names are.
  public static func == (left: KeyAction, right: KeyAction) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// The actions of the views in this module.
extension KeyAction {
  /// Moves or scrolls up.
  public static let up = KeyAction("up", keys: "k", .up, always: [.up], label: "up")
  /// Moves or scrolls down.
  public static let down = KeyAction("down", keys: "j", .down, always: [.down], label: "down")
  /// Moves to the left, or goes back.
  public static let left = KeyAction("left", keys: .left, "h", always: [.left], label: "left")
  /// Moves to the right, or opens the selection.
  public static let right = KeyAction("right", keys: .right, "l", always: [.right], label: "right")
  /// Moves or scrolls up by one page.
  public static let pageUp = KeyAction(
    "page-up", keys: .pageUp, .control("u"), .control("b"), always: [.pageUp], label: "page up")
  /// Moves or scrolls down by one page.
  public static let pageDown = KeyAction(
    "page-down", keys: .pageDown, .control("d"), always: [.pageDown], label: "page down")
  /// Moves or scrolls down by one page, unless the focused control uses the key itself.
  public static let readOn = KeyAction(
    "read-on", keys: .space, .control("f"), label: "page down")
  /// Goes to the first row.
  public static let first = KeyAction("first", keys: "g", .home, always: [.home], label: "first")
  /// Goes to the last row.
  public static let last = KeyAction("last", keys: "G", .end, always: [.end], label: "last")
  /// Goes to the next heading of a text.
  public static let nextHeading = KeyAction("next-heading", keys: "}", label: "next heading")
  /// Goes to the previous heading of a text.
  public static let previousHeading = KeyAction(
    "previous-heading", keys: "{", label: "previous heading")
  /// Leaves the current view.
  public static let back = KeyAction("back", keys: .escape, always: [.escape], label: "back")
  /// Closes a sheet.
  public static let close = KeyAction(
    "close", keys: .escape, "q", always: [.escape], label: "close")
  /// Cancels a visible load.
  public static let cancel = KeyAction("cancel", keys: .escape, always: [.escape], label: "cancel")
  /// Loads, reloads, or retries a failed load.
  public static let reload = KeyAction("reload", keys: "r", label: "reload")
  /// Shows or hides the technical details of an error.
  public static let details = KeyAction("details", keys: "d", label: "details")
  /// Retries the failed change that is shown at the bottom.
  public static let retryChange = KeyAction(
    "retry-change", keys: .control("r"), label: "retry change")
  /// Searches the current view.
  public static let search = KeyAction("search", keys: "/", label: "search")
  /// Dismisses the message at the bottom.
  public static let dismiss = KeyAction("dismiss", keys: .control("x"), label: "dismiss")
  /// Selects the next tab.
  public static let nextTab = KeyAction("next-tab", keys: "]", label: "next tab")
  /// Selects the previous tab.
  public static let previousTab = KeyAction("previous-tab", keys: "[", label: "previous tab")
  /// Select the first tab, the second, and so on.
  public static let tabs = "123456789".map {
    KeyAction("tab-\($0)", keys: KeyPress(.character($0)), label: "tab \($0)")
  }
}
