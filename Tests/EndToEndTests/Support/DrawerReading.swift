import PseudoTerminal

extension Home {
  /// Opens the program and goes to the drawer.
  func openDrawer(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
    let terminal = try openReader(columns: columns, rows: rows)
    try terminal.waitUntil("the articles are there") { $0.isWhole }
    try terminal.send("2", until: "the drawer is open") { $0.isDrawer }
    return terminal
  }
}

extension EmulatedScreen {
  /// Whether the list of socks is drawn.
  var isDrawer: Bool {
    isWhole && footer.hasPrefix("Enter open  + soggier") && !listedSogginess.isEmpty
  }

  /// Returns the row of a sock in the list.
  func row(of name: String) -> String? {
    // Without the scroll bar.
    allLines.first { $0.hasPrefix(name) }?.split(separator: "▐").first.map {
      "\($0)".trimmingBlanks
    }
  }

  /// The sogginess in each row of the list, by name.
  var listedSogginess: [String: Int] {
    var listed: [String: Int] = [:]
    for line in allLines {
      guard let bar = line.firstIndex(where: { "▰▱".contains($0) }) else { continue }
      // The colour is before the bar.
      let name = String(line[..<bar].filter { !"▆·".contains($0) }).trimmingBlanks
      let number = line[bar...].drop { "▰▱ ".contains($0) }.prefix { $0.isNumber }
      listed[name] = Int(number)
    }
    return listed
  }
}

extension PseudoTerminal {
  /// Moves the selection down to a sock.
  func select(_ name: String) throws {
    for _ in 0..<60 where !screen.selectedText.hasPrefix(name) {
      let before = screen.selectedText
      try send("j", until: "the selection moved on") { $0.selectedText != before && $0.isWhole }
    }
    try waitUntil("\(name) is selected") { $0.selectedText.hasPrefix(name) }
  }
}

extension String {
  /// The string without combining strokes, with which a terminal without another way strikes text
  /// through.
  var unstruck: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{336}" }))
  }
}
