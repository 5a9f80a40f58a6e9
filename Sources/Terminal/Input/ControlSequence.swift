/// A control sequence that a terminal sent: its parameters and its final byte.
///
/// It supports the keys of xterm, tmux, screen, rxvt and the Linux console, which do not conflict.
struct ControlSequence {
  /// Longer sequences have no meaning.
  static let maximumLength = 48
  /// The byte before the parameters that marks a private sequence.
  private let marker: UInt8?
  private let parameters: [Int]
  /// The kind of key event, if the terminal reports it: 1 press, 2 repeat, 3 release.
  private let keyEvent: Int
  private let final: UInt8

  /// Parses a sequence; `nil` if it is too long.
  init?(parameters bytes: [UInt8], final: UInt8) {
    guard bytes.count <= ControlSequence.maximumLength else { return nil }
    let marker = bytes.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    let fields = bytes.dropFirst(marker == nil ? 0 : 1)
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) }
    func number(_ digits: ArraySlice<UInt8>?) -> Int {
      // The limit is beyond any real column and far from an overflow.
      (digits ?? []).reduce(0) { min($0 * 10 + Int($1 & 0x0F), 0xFFFFFF) }
    }
    self.marker = marker
    self.final = final
    parameters = fields.map { number($0.first) }
    keyEvent = fields.count > 1 && fields[1].count > 1 ? number(fields[1][1]) : 1
  }

  private func parameter(_ index: Int) -> Int {
    index < parameters.count ? parameters[index] : 0
  }

  /// Whether pasted text follows.
  var beginsPaste: Bool {
    marker == nil && final == UInt8(ascii: "~") && parameter(0) == 200
  }

  /// The event that the sequence stands for; nil if there is none.
  var event: InputEvent? {
    if marker == UInt8(ascii: "<") {
      guard final == UInt8(ascii: "M") || final == UInt8(ascii: "m") else { return nil }
      return mouse(code: parameter(0), isRelease: final == UInt8(ascii: "m"))
    }
    guard marker == nil, keyEvent != 3 else { return nil }
    switch final {
    case UInt8(ascii: "M"): return mouse(code: parameter(0) - 32, isRelease: false)
    case UInt8(ascii: "~"): return numberedKey(modifiers(parameter(1))).map(InputEvent.key)
    case UInt8(ascii: "$"): return numberedKey(.shift).map(InputEvent.key)
    case UInt8(ascii: "^"): return numberedKey(.control).map(InputEvent.key)
    case UInt8(ascii: "@"): return numberedKey([.shift, .control]).map(InputEvent.key)
    case UInt8(ascii: "u"):
      return KeyPress(code: parameter(0), modifiers: modifiers(parameter(1))).map(InputEvent.key)
    case UInt8(ascii: "I") where parameter(0) == 0: return .focus(true)
    case UInt8(ascii: "O") where parameter(0) == 0: return .focus(false)
    case UInt8(ascii: "Z"): return .key(KeyPress(.tab, modifiers: modifiers(2)))
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return arrow(final - 0x20).map { .key(KeyPress($0, modifiers: .shift)) }
    // With another first parameter, it is a report of the cursor position.
    case UInt8(ascii: "P")...UInt8(ascii: "S") where parameter(0) > 1: return nil
    default: return letterKey.map { .key(KeyPress($0, modifiers: modifiers(parameter(1)))) }
    }
  }

  /// The key, if the sequence began with `ESC O`.
  var singleKey: KeyPress? {
    let modifiers = modifiers(parameters.last ?? 0)
    switch final {
    case UInt8(ascii: "M"): return KeyPress(.enter, modifiers: modifiers)
    case UInt8(ascii: "I"): return KeyPress(.tab, modifiers: modifiers)
    case UInt8(ascii: "X"): return "="
    case UInt8(ascii: " "): return .space
    // The keys of the number pad, in ASCII order.
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      return KeyPress(.character(Character(Unicode.Scalar(final - 0x40))), modifiers: modifiers)
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return arrow(final - 0x20).map { KeyPress($0, modifiers: .control) }
    default: return letterKey.map { KeyPress($0, modifiers: modifiers) }
    }
  }

  private func mouse(code: Int, isRelease: Bool) -> InputEvent? {
    MouseEvent(code: code, column: parameter(1), row: parameter(2), isRelease: isRelease)
      .map(InputEvent.mouse)
  }

  /// Decodes modifiers: 1 plus a bit for each of Shift, Alt, Ctrl and Meta.
  private func modifiers(_ parameter: Int) -> KeyPress.Modifiers {
    let bits = max(0, parameter - 1)
    var result: KeyPress.Modifiers = []
    if bits & 1 != 0 { result.insert(.shift) }
    if bits & 0b1010 != 0 { result.insert(.alt) }
    if bits & 4 != 0 { result.insert(.control) }
    return result
  }

  private func arrow(_ letter: UInt8) -> KeyPress.Key? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }

  private var letterKey: KeyPress.Key? {
    switch final {
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final - UInt8(ascii: "P")) + 1)
    default: arrow(final)
    }
  }

  private func numberedKey(_ modifiers: KeyPress.Modifiers) -> KeyPress? {
    let number = parameter(0)
    let key: KeyPress.Key
    switch number {
    case 1, 7: key = .home
    case 2: key = .insert
    case 3: key = .delete
    case 4, 8: key = .end
    case 5: key = .pageUp
    case 6: key = .pageDown
    case 11...15: key = .function(number - 10)
    case 17...21: key = .function(number - 11)
    case 23...26: key = .function(number - 12)
    case 28, 29: key = .function(number - 13)
    case 31...34: key = .function(number - 14)
    // xterm's encoding of keys without a sequence of their own: the third parameter is the
    // character.
    case 27: return KeyPress(code: parameter(2), modifiers: modifiers)
    default: return nil
    }
    return KeyPress(key, modifiers: modifiers)
  }
}

extension MouseEvent {
  /// Creates a mouse event from a report: a button with flags, and a position counted from 1.
  init?(code: Int, column: Int, row: Int, isRelease: Bool) {
    guard code >= 0, column > 0, row > 0 else { return nil }
    let location = Point(x: column - 1, y: row - 1)
    // Ignores the flags of Shift, Alt and Ctrl. The remaining flags mean movement (32), the wheel
    // (64) and further buttons (128).
    switch code & ~0b11100 {
    case 0: self.init(isRelease ? .release : .press, at: location)
    case 3: self.init(.release, at: location)
    case 32 where !isRelease: self.init(.drag, at: location)
    case 64 where !isRelease: self.init(.wheelUp, at: location)
    case 65 where !isRelease: self.init(.wheelDown, at: location)
    default: return nil
    }
  }
}

extension Color {
  /// Creates the colour of an answer to OSC 11, such as `11;rgb:1717/1a1a/2020` with one to four
  /// digits per component.
  init?(backgroundReport bytes: [UInt8]) {
    guard bytes.count <= ControlSequence.maximumLength else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = ["11;rgb:", "11;rgba:"].first(where: text.hasPrefix) else { return nil }
    let parts = text.dropFirst(start.count).split(separator: "/").map { digits -> UInt8? in
      guard 1...4 ~= digits.count, let value = UInt32(digits, radix: 16) else { return nil }
      let most = (UInt32(1) << (4 * UInt32(digits.count))) - 1
      return UInt8((value * 255 + most / 2) / most)
    }
    guard parts.count == (start.hasSuffix("a:") ? 4 : 3), let red = parts[0],
      let green = parts[1], let blue = parts[2]
    else { return nil }
    self.init(red: red, green: green, blue: blue)
  }
}

extension KeyPress {
  /// Creates the key of a typed scalar; `nil` for controls that no key sends.
  init?(typed scalar: Unicode.Scalar, modifiers: Modifiers) {
    switch scalar.value {
    case 0x00: self.init(.character(" "), modifiers: modifiers.union(.control))
    case 0x08, 0x7F: self.init(.backspace, modifiers: modifiers)
    // The Linux console sends Alt-Tab for Shift-Tab.
    case 0x09: self.init(.tab, modifiers: modifiers == .alt ? .shift : modifiers)
    case 0x0A, 0x0D: self.init(.enter, modifiers: modifiers)
    case 0x1B: self.init(.escape, modifiers: modifiers)
    case 0x01...0x1A:
      let letter = Character(Unicode.Scalar(UInt8(scalar.value) + 0x60))
      self.init(.character(letter), modifiers: modifiers.union(.control))
    case 0x1C...0x1F:
      let sign = Character(Unicode.Scalar(UInt8(scalar.value) + 0x40))
      self.init(.character(sign), modifiers: modifiers.union(.control))
    case 0x80...0x9F: return nil
    default: self.init(.character(Character(scalar)), modifiers: modifiers)
    }
  }

  /// Creates a key from the number of its character.
  init?(code: Int, modifiers: Modifiers) {
    // Numbers from 0xE000 on are keys without a character, which differ between terminals.
    guard let scalar = Unicode.Scalar(UInt32(code)), !(0xE000...0xF8FF).contains(code), code > 0
    else { return nil }
    self.init(typed: scalar, modifiers: modifiers)
    // The case of a character already shows whether Shift was pressed.
    if case .character = key { self.modifiers.remove(.shift) }
  }
}
