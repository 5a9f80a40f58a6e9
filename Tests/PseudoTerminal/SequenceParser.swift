/// Cuts what a program writes into characters, controls and sequences.
struct SequenceParser: Sendable {
  /// One thing a program wrote.
  enum Token: Equatable {
    case character(Unicode.Scalar)
    case control(UInt8)
    /// `ESC`, intermediate bytes, and the byte that ended it.
    case escape(String)
    /// `CSI`: the marker (`?`, `>` …), the parameters, the intermediate bytes and the final one.
    case sequence(ControlSequence)
    /// `OSC`, whole.
    case command(String)
    /// What is none of these.
    case garbage(String)
  }

  struct ControlSequence: Equatable {
    var marker = ""
    /// Each with its parts, which colons separate.
    var groups: [[Int]] = []
    var parameters: [Int] { groups.map { $0.first ?? 0 } }
    var final = ""
  }

  private enum State { case ground, escape, sequence, command, commandEscape }
  private var state = State.ground
  private var bytes: [UInt8] = []
  private var missing = 0

  mutating func feed(_ byte: UInt8) -> Token? {
    switch state {
    case .ground: return ground(byte)
    case .escape: return escape(byte)
    case .sequence: return sequence(byte)
    case .command:
      if byte == 0x07 { return finishCommand() }
      if byte == 0x1B { state = .commandEscape } else { bytes.append(byte) }
      return nil
    case .commandEscape: return finishCommand()
    }
  }

  private mutating func ground(_ byte: UInt8) -> Token? {
    if missing > 0, byte & 0xC0 == 0x80 {
      bytes.append(byte)
      missing -= 1
      guard missing == 0 else { return nil }
      return take().unicodeScalars.first.map { .character($0) }
    }
    if missing > 0 {
      missing = 0
      return .garbage("broken UTF-8 before \(byte): \(take())")
    }
    switch byte {
    case 0x1B:
      state = .escape
      return nil
    case 0..<0x20, 0x7F: return .control(byte)
    case 0x20..<0x7F: return .character(Unicode.Scalar(byte))
    case 0xC2..<0xE0: missing = 1
    case 0xE0..<0xF0: missing = 2
    case 0xF0..<0xF5: missing = 3
    default: return .garbage("byte \(byte)")
    }
    bytes = [byte]
    return nil
  }

  private mutating func escape(_ byte: UInt8) -> Token? {
    switch byte {
    case UInt8(ascii: "[") where bytes.isEmpty: state = .sequence
    case UInt8(ascii: "]") where bytes.isEmpty: state = .command
    case 0x20..<0x30: bytes.append(byte)
    // A sequence that begins in the middle of another ends it, as in every terminal.
    case 0x1B: bytes = []
    default:
      bytes.append(byte)
      state = .ground
      return .escape(take())
    }
    return nil
  }

  private mutating func sequence(_ byte: UInt8) -> Token? {
    if byte == 0x1B {
      bytes = []
      state = .escape
      return nil
    }
    bytes.append(byte)
    guard byte >= 0x40 else { return nil }
    state = .ground
    let text = take()
    let marker = text.prefix { "<=>?".contains($0) }
    let parameters = text.dropFirst(marker.count).prefix { $0.isNumber || $0 == ";" || $0 == ":" }
    return .sequence(
      ControlSequence(
        marker: String(marker),
        groups: parameters.split(separator: ";", omittingEmptySubsequences: false).map {
          $0.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        },
        final: String(text.dropFirst(marker.count + parameters.count))))
  }

  private mutating func finishCommand() -> Token {
    state = .ground
    return .command(take())
  }

  private mutating func take() -> String {
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
