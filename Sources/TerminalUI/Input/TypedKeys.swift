import Loading

/// What was typed and does nothing yet: a number, and keys of which more have to follow.
///
/// A digit that does something by itself is no number, unless one has begun: `05j` is five rows where `5`
/// chooses a tab. A binding whose keys another begins with, in front of it, cannot be typed: nothing waits
/// to find out what is meant, so no time passes between a key and what it does.
struct TypedKeys: Equatable {
  /// As it was typed; empty for none.
  private(set) var digits = ""
  private(set) var keys: [KeyPress] = []
  /// What is said of keys that do nothing.
  private(set) var complaint: String?
  /// When that has been said for long enough.
  private(set) var end: AnyClock.Instant?

  /// How long it is said what does nothing.
  static let complaintTime = Duration.seconds(2)
  /// More rows than anybody counts.
  private static let longestNumber = 5

  /// The number; nil where there is none, or zero.
  var count: Int? { Int(digits).flatMap { $0 > 0 ? $0 : nil } }

  /// Whether the next key belongs to it.
  var isOpen: Bool { !digits.isEmpty || !keys.isEmpty }

  var isEmpty: Bool { !isOpen && complaint == nil }

  /// What is shown of it.
  var text: String {
    let names = keys.map(\.description).joined(separator: " ")
    return digits.isEmpty || keys.isEmpty ? digits + names : "\(digits) \(names)"
  }

  /// With a further digit, of which those after the fifth are not taken.
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
  /// The digit that it is.
  fileprivate var digit: Character? {
    guard case .character(let character) = key, modifiers.isEmpty, "0"..."9" ~= character else {
      return nil
    }
    return character
  }

  /// Whether somebody who presses it waits for it to do something: an arrow at the end of its way, or
  /// an Esc to be sure, needs no answer.
  fileprivate var isCommand: Bool {
    switch key {
    case .character, .function: modifiers.isEmpty
    default: false
    }
  }
}

extension ViewHost {
  /// Gives a key to the frame that the user sees; `false` where it means nothing there.
  ///
  /// A key that others have to follow, or the digit of a number, waits for them: the footer shows which.
  @discardableResult
  public func press(_ key: KeyPress, in frame: Frame) -> Bool {
    focuses = frame.focuses
    focusWish = nil
    run = nil
    let before = typed
    forgetTyped()
    if before.isOpen, key == .escape { return true }
    // A character is text where a field has the focus, unless keys have begun that no field takes.
    if before.keys.isEmpty {
      if !frame.takesText, let digit = key.digit, takes(digit, after: before, in: frame) {
        type(before.with(digit: digit))
        return true
      }
      if frame.takesText, key.printable != nil { return frame.press(key) }
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

  /// Whether a digit is one of a number here.
  private func takes(_ digit: Character, after typed: TypedKeys, in frame: Frame) -> Bool {
    guard typed.digits.isEmpty else { return true }
    guard case .nothing = frame.meaning(of: [KeyPress(.character(digit))]) else { return false }
    return frame.bindings.contains { $0.counted != nil }
  }
}
