import Loading

/// The pending key sequence: a typed number, and keys that further keys have to follow.
///
/// A digit that is bound to an action counts as a number only after another digit: `05j` moves five
/// rows even where `5` selects a tab. A binding cannot be typed if a binding before it has a key
/// that its sequence begins with: nothing waits to find out which one is meant, so keys act without
/// delay.
struct TypedKeys: Equatable {
  /// The digits as they were typed; empty if there is no number.
  private(set) var digits = ""
  private(set) var keys: [KeyPress] = []
  /// The message about keys that do nothing.
  private(set) var complaint: String?
  /// The instant at which the message disappears.
  private(set) var end: AnyClock.Instant?

  /// How long the message about keys that do nothing is shown.
  static let complaintTime = Duration.seconds(2)
  /// The maximum number of digits.
  private static let longestNumber = 5

  /// The number; nil if there is none or it is zero.
  var count: Int? { Int(digits).flatMap { $0 > 0 ? $0 : nil } }

  /// Whether the next key continues it.
  var isOpen: Bool { !digits.isEmpty || !keys.isEmpty }

  var isEmpty: Bool { !isOpen && complaint == nil }

  /// The typed number and keys, as shown to the user.
  var text: String {
    let names = keys.map(\.description).joined(separator: " ")
    return digits.isEmpty || keys.isEmpty ? digits + names : "\(digits) \(names)"
  }

  /// Returns it with a further digit; digits after the fifth are ignored.
  func with(digit: Character) -> TypedKeys {
    TypedKeys(digits: digits.count < Self.longestNumber ? digits + String(digit) : digits)
  }

  func with(_ keys: [KeyPress]) -> TypedKeys { TypedKeys(digits: digits, keys: keys) }

  static func unknown(_ keys: [KeyPress], at now: AnyClock.Instant) -> TypedKeys {
    let names = keys.map(\.description).joined(separator: " ")
    return TypedKeys(
      complaint: "\(names) does nothing here.", end: now.advanced(by: complaintTime))
  }
}

extension KeyPress {
  /// The digit that the key types; nil if it types none.
  fileprivate var digit: Character? {
    guard case .character(let character) = key, modifiers.isEmpty, "0"..."9" ~= character else {
      return nil
    }
    return character
  }

  /// Whether a user who presses the key expects something to happen.
  ///
  /// No message is needed for an arrow key that has reached the end, for an extra Esc, or for
  /// Ctrl-L, which redraws the screen.
  fileprivate var isCommand: Bool {
    switch key {
    case .character, .function: self != .control("l")
    default: false
    }
  }
}

extension ViewHost {
  /// Handles a key in the frame that the user sees; returns `false` if it does nothing there.
  ///
  /// A key that ends a pending sequence counts as handled, even if the sequence does nothing.
  /// A key that others have to follow, or the digit of a number, is kept until they are typed; the
  /// footer shows which keys can follow.
  @discardableResult
  public func press(_ key: KeyPress, in frame: Frame) -> Bool {
    beginInput(in: frame)
    run = nil
    let before = typed
    forgetTyped()
    if before.isOpen, key == .escape { return true }
    // A character is text while a field has the focus, unless it follows a key that the field did
    // not take.
    if before.keys.isEmpty {
      if !frame.takesText, let digit = key.digit, takes(digit, after: before, in: frame) {
        type(before.with(digit: digit))
        return true
      }
      if frame.takesText, let character = key.printable { return frame.insert(String(character)) }
    }
    let keys = before.keys + [key]
    switch frame.meaning(of: keys) {
    case .does(let binding, let sequence):
      frame.perform(binding, sequence, count: before.count)
    case .begins:
      type(before.with(keys))
    case .nothing where !before.keys.isEmpty:
      type(.unknown(keys, at: clock.now))
    case .nothing:
      switch key {
      case .tab: moveFocus(in: frame, by: 1)
      case .backTab: moveFocus(in: frame, by: -1)
      default:
        if key.isCommand { type(.unknown([key], at: clock.now)) }
        return false
      }
    }
    return true
  }

  /// Whether a digit is part of a number here.
  private func takes(_ digit: Character, after typed: TypedKeys, in frame: Frame) -> Bool {
    guard typed.digits.isEmpty else { return true }
    guard case .nothing = frame.meaning(of: [KeyPress(.character(digit))]) else { return false }
    return frame.bindings.contains { $0.counted != nil }
  }
}
