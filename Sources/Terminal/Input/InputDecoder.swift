/// Decodes the bytes of a terminal into events: keys, the mouse and pasted text.
///
/// It makes no difference how the bytes are divided into reads, except for Esc, because sequences
/// begin with Esc, too. Only a pause tells the two apart, so the reader calls ``flush(into:)``
/// after ``decisivePause``. Unknown sequences are dropped entirely, and the decoder stores at most
/// one paste.
struct InputDecoder: Sendable {
  private enum State: Equatable {
    case ground
    case escape
    /// After `ESC [`, until the final byte.
    case control
    /// After `ESC [ [`, with which the Linux console begins F1 to F5.
    case linuxFunction
    /// After `ESC O`.
    case single
    /// After `ESC [ M`: three more bytes follow.
    case legacyMouse
    /// In an answer of the terminal; `introducer` is the byte after `ESC`.
    case string(introducer: UInt8, isEmpty: Bool)
    /// After an `ESC` in such an answer.
    case stringEscape(introducer: UInt8)
    case paste
  }

  private static let escape: UInt8 = 0x1B
  private var state = State.ground
  /// Whether another `ESC` preceded the one that began this sequence.
  private var isDoubled = false
  private var isAlt = false
  private var scalar = ScalarAssembler()
  private var sequence: [UInt8] = []
  private var paste = PasteCollector()

  /// After how many milliseconds without input `flush(into:)` is due; `nil` if the bytes so far are
  /// unambiguous.
  var decisivePause: Int? {
    switch state {
    case .ground, .linuxFunction, .legacyMouse: nil
    // With parameters it is a sequence, even on a slow line: the rest of it must not be taken for
    // keys.
    case .control, .single: sequence.isEmpty ? 25 : nil
    case .escape, .string(_, isEmpty: true): 25
    // The rest of the answer must not be taken for keys, even on a slow line.
    case .string, .stringEscape: 500
    // If the end of a paste is lost, every later key would belong to the paste without this limit.
    case .paste: 2000
    }
  }

  /// Decodes bytes and appends the resulting events.
  mutating func decode(_ bytes: some Sequence<UInt8>, into events: inout [InputEvent]) {
    for byte in bytes { decode(byte, into: &events) }
  }

  /// Decodes the bytes after which the terminal has paused.
  ///
  /// Bytes that could have begun a longer sequence are decoded as keys, a paste ends, and an
  /// incomplete answer is dropped.
  mutating func flush(into events: inout [InputEvent]) {
    guard decisivePause != nil else { return }
    switch state {
    case .control: alt(UInt8(ascii: "["), into: &events)
    case .single: alt(UInt8(ascii: "O"), into: &events)
    case .string(let introducer, isEmpty: true): alt(introducer, into: &events)
    case .paste: end(with: .paste(paste.take()), into: &events)
    case .escape, .stringEscape:
      end(into: &events)
      events.append(.key(.escape))
    case .ground, .linuxFunction, .legacyMouse, .string: end(into: &events)
    }
  }

  private mutating func begin(_ state: State) {
    self.state = state
    sequence.removeAll(keepingCapacity: true)
    if state == .ground { isDoubled = false }
  }

  /// Ends a sequence that stands for this event, or for none.
  ///
  /// Of two `ESC`, the first is Alt if the second begins a key; otherwise it is a key of its own.
  private mutating func end(with event: InputEvent? = nil, into events: inout [InputEvent]) {
    if case .key(var key)? = event {
      if isDoubled { key.modifiers.insert(.alt) }
      events.append(.key(key))
    } else {
      if isDoubled { events.append(.key(.escape)) }
      if let event { events.append(event) }
    }
    begin(.ground)
  }

  private mutating func decode(_ byte: UInt8, into events: inout [InputEvent]) {
    switch state {
    case .ground: ground(byte, into: &events)
    case .escape: afterEscape(byte, into: &events)
    case .control: control(byte, into: &events)
    case .single: single(byte, into: &events)
    case .linuxFunction:
      let key = byte &- UInt8(ascii: "A")
      end(with: key < 5 ? .key(KeyPress(.function(Int(key) + 1))) : nil, into: &events)
      if byte < 0x20 { decode(byte, into: &events) }
    case .legacyMouse: legacyMouse(byte, into: &events)
    case .string: string(byte, into: &events)
    case .stringEscape(let introducer):
      if byte == UInt8(ascii: "\\") { return answer(introducer, into: &events) }
      end(into: &events)
      begin(.escape)
      afterEscape(byte, into: &events)
    case .paste:
      if paste.append(byte) { end(with: .paste(paste.take()), into: &events) }
    }
  }

  private mutating func ground(_ byte: UInt8, into events: inout [InputEvent]) {
    if byte == InputDecoder.escape {
      scalar.reset()
      isAlt = false
      return begin(.escape)
    }
    guard let scalar = scalar.append(byte) else {
      if !self.scalar.isIncomplete { isAlt = false }
      return
    }
    let modifiers: KeyPress.Modifiers = isAlt ? .alt : []
    isAlt = false
    guard let key = KeyPress(typed: scalar, modifiers: modifiers) else { return }
    events.append(.key(key))
  }

  /// Decodes `ESC` and a character as a key with Alt.
  private mutating func alt(_ byte: UInt8, into events: inout [InputEvent]) {
    end(into: &events)
    isAlt = true
    ground(byte, into: &events)
  }

  private mutating func afterEscape(_ byte: UInt8, into events: inout [InputEvent]) {
    switch byte {
    case InputDecoder.escape:
      if isDoubled { events.append(.key(.escape)) }
      isDoubled = true
    case UInt8(ascii: "["): begin(.control)
    case UInt8(ascii: "O"): begin(.single)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      begin(.string(introducer: byte, isEmpty: true))
    default: alt(byte, into: &events)
    }
  }

  /// Handles a byte that no sequence contains: the sequence was cut off, and the byte begins a new
  /// one.
  private mutating func cutOff(by byte: UInt8, into events: inout [InputEvent]) {
    end(into: &events)
    ground(byte, into: &events)
  }

  private mutating func control(_ byte: UInt8, into events: inout [InputEvent]) {
    switch byte {
    case UInt8(ascii: "[") where sequence.isEmpty: begin(.linuxFunction)
    case UInt8(ascii: "M") where sequence.isEmpty: begin(.legacyMouse)
    // Elsewhere this is an intermediate byte, but rxvt uses it as the final byte of keys with
    // Shift.
    case UInt8(ascii: "$") where sequence.allSatisfy { (0x30...0x39).contains($0) }:
      finish(byte, into: &events)
    case 0x20...0x3F: remember(byte)
    case 0x40...0x7E: finish(byte, into: &events)
    default: cutOff(by: byte, into: &events)
    }
  }

  /// Stores a byte of a sequence.
  ///
  /// Bytes of a sequence that is too long to have a meaning are skipped.
  private mutating func remember(_ byte: UInt8) {
    if sequence.count <= ControlSequence.maximumLength { sequence.append(byte) }
  }

  private mutating func finish(_ byte: UInt8, into events: inout [InputEvent]) {
    let sequence = ControlSequence(parameters: sequence, final: byte)
    end(with: sequence?.event, into: &events)
    if sequence?.beginsPaste == true { begin(.paste) }
  }

  private mutating func single(_ byte: UInt8, into events: inout [InputEvent]) {
    switch byte {
    case 0x30...0x3B: remember(byte)
    case 0x20...0x7E:
      let sequence = ControlSequence(parameters: sequence, final: byte)
      end(with: (sequence?.singleKey).map(InputEvent.key), into: &events)
    default: cutOff(by: byte, into: &events)
    }
  }

  private mutating func legacyMouse(_ byte: UInt8, into events: inout [InputEvent]) {
    guard byte >= 0x20 else { return cutOff(by: byte, into: &events) }
    sequence.append(byte)
    guard sequence.count == 3 else { return }
    let event = MouseEvent(
      code: Int(sequence[0]) - 32, column: Int(sequence[1]) - 32, row: Int(sequence[2]) - 32,
      isRelease: false)
    end(with: event.map(InputEvent.mouse), into: &events)
  }

  private mutating func string(_ byte: UInt8, into events: inout [InputEvent]) {
    guard case .string(let introducer, _) = state else { return }
    switch byte {
    case InputDecoder.escape: state = .stringEscape(introducer: introducer)
    case 0x07: answer(introducer, into: &events)
    // CAN and SUB cancel the answer.
    case 0x18, 0x1A: end(into: &events)
    default:
      state = .string(introducer: introducer, isEmpty: false)
      remember(byte)
    }
  }

  /// Handles a complete answer.
  private mutating func answer(_ introducer: UInt8, into events: inout [InputEvent]) {
    let color = introducer == UInt8(ascii: "]") ? Color(backgroundReport: sequence) : nil
    end(with: color.map(InputEvent.background), into: &events)
  }
}

/// Assembles scalars from UTF-8 that arrives byte by byte.
///
/// Invalid UTF-8 is dropped.
struct ScalarAssembler: Sendable {
  private var value: UInt32 = 0
  private var missing = 0
  private var minimum: UInt32 = 0

  /// Whether a scalar has begun.
  var isIncomplete: Bool { missing > 0 }

  /// Discards a scalar that has begun.
  mutating func reset() { missing = 0 }

  /// Returns the scalar that `byte` completes, if it completes one.
  mutating func append(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case 0..<0x80:
      missing = 0
      return Unicode.Scalar(byte)
    case 0x80..<0xC0:
      guard missing > 0 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
      missing -= 1
      // An overlong encoding, a surrogate and a value beyond the last scalar are invalid.
      return missing == 0 && value >= minimum ? Unicode.Scalar(value) : nil
    case 0xC2..<0xE0: begin(UInt32(byte & 0x1F), missing: 1, minimum: 0x80)
    case 0xE0..<0xF0: begin(UInt32(byte & 0x0F), missing: 2, minimum: 0x800)
    case 0xF0..<0xF5: begin(UInt32(byte & 0x07), missing: 3, minimum: 0x10000)
    default: missing = 0
    }
    return nil
  }

  private mutating func begin(_ value: UInt32, missing: Int, minimum: UInt32) {
    (self.value, self.missing, self.minimum) = (value, missing, minimum)
  }
}

/// Collects pasted text, up to the sequence that ends it.
struct PasteCollector: Sendable {
  /// The maximum number of bytes kept of one paste; further bytes are dropped.
  static let limit = 1 << 20
  private static let end = Array("\u{1B}[201~".utf8)
  private var bytes: [UInt8] = []
  private var matched = 0

  /// Appends a byte; returns whether it was the last one of the paste.
  mutating func append(_ byte: UInt8) -> Bool {
    if byte == PasteCollector.end[matched] {
      matched += 1
      return matched == PasteCollector.end.count
    }
    // Only the first byte of the end is an Esc, so the end cannot begin inside a part of itself.
    for byte in PasteCollector.end.prefix(matched) { keep(byte) }
    matched = 0
    if byte == PasteCollector.end[0] { matched = 1 } else { keep(byte) }
    return false
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < PasteCollector.limit { bytes.append(byte) }
  }

  /// Returns the text and clears it; invalid UTF-8 is repaired and the size of characters is
  /// limited.
  mutating func take() -> String {
    defer { self = PasteCollector() }
    if matched < PasteCollector.end.count { bytes += PasteCollector.end.prefix(matched) }
    return String(decoding: bytes, as: UTF8.self).limitingCharacters()
  }
}
