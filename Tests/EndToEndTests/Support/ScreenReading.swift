import PseudoTerminal

extension EmulatedScreen {
  /// The text of the selected row: the cells with a background of their own.
  var selectedText: String {
    let rows = (0..<rows).map { row($0).filter { $0.style.background != .default } }
    let text = rows.first { !$0.isEmpty }?.map(\.text).joined() ?? ""
    return text.trimmingBlanks
  }

  /// The background of the selected row.
  var selectedBackground: EmulatedColor? {
    (0..<rows).lazy.flatMap(row).first { $0.style.background != .default }?.style.background
  }

  /// Whether a frame of the lists or an article is completely drawn.
  ///
  /// The footer comes last, and what has been read from the terminal may end anywhere before it.
  var isWhole: Bool { footer.hasSuffix(" quit") }

  /// Every row as text.
  var allLines: [String] { (0..<rows).map(line) }

  /// The footer, with the keys in force.
  var footer: String { line(rows - 1) }

  /// Whether the rows of a placeholder are drawn: blocks instead of words.
  var showsPlaceholder: Bool { text.contains("▇▇▇") }

  var showsSpinner: Bool { text.contains { Self.spinner.contains($0) } }

  /// Returns the row of a feed in the left pane.
  func feedRow(_ title: String) -> String? {
    allLines.first { $0.hasPrefix(title) }.map { String($0.prefix { $0 != "│" }) }
  }

  /// Whether a feed is shown as being fetched.
  func isFetching(_ title: String) -> Bool {
    feedRow(title)?.contains { Self.spinner.contains($0) } ?? false
  }

  private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
}

extension PseudoTerminal {
  /// Waits until the program says something, and then until `condition` holds of the screen.
  ///
  /// What a key has done is said for four seconds. A loaded machine may take longer until the lists
  /// are read again, so that both are never on the screen together.
  func waitUntil(
    _ what: String, saying words: String, _ condition: (EmulatedScreen) throws -> Bool
  ) throws {
    try waitUntil("it says “\(words)”") { $0.text.contains(words) }
    try waitUntil(what, condition)
  }

  /// Types, and waits as ``waitUntil(_:saying:_:)`` does.
  func send(
    _ text: String, until what: String, saying words: String,
    _ condition: (EmulatedScreen) throws -> Bool
  ) throws {
    send(text)
    try waitUntil(what, saying: words, condition)
  }

  /// Sends the keys that end the program, and waits until it has ended.
  func leave(by keys: String = "q") throws -> Ending {
    send(keys)
    return try waitForExit()
  }
}

extension String {
  var trimmingBlanks: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
