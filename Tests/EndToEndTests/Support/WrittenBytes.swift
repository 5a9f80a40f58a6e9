/// Compares what was written to a terminal with the few sequences that the renderer uses.
struct WrittenBytes {
  /// Changes of modes and queries to the terminal, in order.
  private(set) var switches: [String] = []
  /// Everything that the renderer never writes.
  private(set) var foreign: [String] = []

  /// Moving, erasing, inserting, deleting, repeating and scrolling.
  private static let finals = Set<Character>("HGdABCDJKPX@LMSTbr")
  /// The attributes and colours of the program's themes: without blinking, hidden text and magenta.
  private static let styles: Set<Int> = Set(
    [0, 1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29] + Array(30...34) + [36, 37, 39] + Array(40...44)
      + [46, 47, 49] + Array(90...94) + [96, 97])

  init(_ bytes: some Sequence<UInt8>) {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var isBroken = false
    func next() -> Unicode.Scalar? {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded): return Unicode.UTF8.decode(encoded)
      case .error:
        isBroken = true
        return "\u{FFFD}"
      case .emptyInput: return nil
      }
    }
    while let scalar = next() {
      switch scalar {
      case "\u{1B}": sequence(next)
      // For short moves, ncurses goes back, down or to the left margin.
      case "\u{8}", "\n", "\r": break
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator,
          .paragraphSeparator:
          foreign.append(scalar.escaped(asASCII: true))
        default: break
        }
      }
    }
    if isBroken { foreign.append("broken UTF-8") }
  }

  /// Reads the query of the background, a title, or a notification, none of which can contain
  /// controls.
  private mutating func operatingSystemCommand(_ next: () -> Unicode.Scalar?) {
    var text = ""
    while let scalar = next(), scalar.value >= 0x20, scalar.value != 0x7F {
      text.unicodeScalars.append(scalar)
    }
    let isKnown =
      text == "11;?"
      || ["2;", "9;Argyle: ", "777;notify;Argyle;"].contains {
        text.hasPrefix($0)
      }
    guard isKnown, next() == "\\" else { return foreign.append("OSC \(text)") }
    switches.append("]\(text)")
  }

  private mutating func sequence(_ next: () -> Unicode.Scalar?) {
    var text = ""
    guard let first = next() else { return foreign.append("ESC at the end") }
    text.unicodeScalars.append(first)
    guard first == "[" else {
      if first == "(", next() == "B" { return }
      if first == "]" { return operatingSystemCommand(next) }
      return foreign.append("ESC \(text)")
    }
    while let scalar = next() {
      text.unicodeScalars.append(scalar)
      if scalar.value >= 0x40 { break }
    }
    let inner = text.dropFirst()
    // To write the last cell of the screen, ncurses turns wrapping off.
    if inner == "?7l" || inner == "?7h" { return }
    if inner.first == "?" || inner.last == "t" { return switches.append(text) }
    let numbers = inner.dropLast().split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? 0 : Int($0) }
    let isKnown: (Int?) -> Bool = { $0.map(Self.styles.contains) ?? false }
    let isFine =
      inner.last == "m"
      ? numbers.allSatisfy(isKnown)
      : inner.last.map(Self.finals.contains) == true && numbers.allSatisfy { $0 != nil }
    if !isFine { foreign.append("CSI \(inner)") }
  }
}
