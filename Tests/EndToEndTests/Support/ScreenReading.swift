import PseudoTerminal

extension EmulatedScreen {
  /// The text of the selected row: what stands on a background of its own.
  var selectedText: String {
    let rows = (0..<rows).map { row($0).filter { $0.style.background != .default } }
    let text = rows.first { !$0.isEmpty }?.map(\.text).joined() ?? ""
    return text.trimmingBlanks
  }

  /// What the selected row stands on.
  var selectedBackground: EmulatedColor? {
    (0..<rows).lazy.flatMap(row).first { $0.style.background != .default }?.style.background
  }

  /// Whether a frame of the lists, or of an article, is drawn to its end: the footer is the last of
  /// it, and what is read of a terminal may stop anywhere in between.
  var isWhole: Bool { footer.hasSuffix(" quit") }

  /// Every row as text.
  var allLines: [String] { (0..<rows).map(line) }

  /// The keys in force, at the bottom.
  var footer: String { line(rows - 1) }

  /// Whether the rows of a placeholder are drawn: blocks in place of words.
  var showsPlaceholder: Bool { text.contains("▇▇▇") }

  var showsSpinner: Bool { text.contains { Self.spinner.contains($0) } }

  /// The row of a feed in the pane on the left.
  func feedRow(_ title: String) -> String? {
    allLines.first { $0.hasPrefix(title) }.map { String($0.prefix { $0 != "│" }) }
  }

  /// Whether a feed is shown as being fetched.
  func isFetching(_ title: String) -> Bool {
    feedRow(title)?.contains { Self.spinner.contains($0) } ?? false
  }

  private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
}

extension String {
  var trimmingBlanks: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
