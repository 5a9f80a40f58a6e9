import Foundation
import PseudoTerminal
import Testing

/// Tests of the screens of loading states, driven by keys and mouse on a real terminal.
struct DemoTests {
  private let home: Home

  init() throws { home = try Home() }

  // MARK: Gallery

  @Test func `r loads the failed cell it is on, and no other`() throws {
    let terminal = try settledGallery()
    let before = terminal.screen.cellTexts
    // The second cell is one of those that fail.
    #expect(before[1].contains("No colour"))
    try terminal.send("\u{1B}[C", until: "the second cell is selected") {
      $0.text.contains("╭─ ▸ 2 ─")
    }
    #expect(terminal.screen.footer.hasPrefix("r retry  R retry all failed"))
    try terminal.send("r", until: "its colour came, and nothing is loading") {
      $0.isSettledGallery && $0.cellText(1).contains("#")
    }
    let after = terminal.screen.cellTexts
    #expect(after.indices.filter { before[$0] != after[$0] } == [1])
  }

  @Test func `a demo writes no file`() throws {
    let terminal = try settledGallery()
    #expect(try terminal.leave() == .exited(0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
  }

  @Test func `R loads every failed cell, and none that is there`() throws {
    let terminal = try settledGallery()
    let before = terminal.screen.cellTexts
    terminal.send("R")
    // One in six fails again at random.
    try terminal.waitUntil("some of the colours came") {
      $0.isSettledGallery && $0.cellTexts != before
    }
    let after = terminal.screen.cellTexts
    for index in before.indices where before[index].contains("#") {
      #expect(after[index] == before[index])
    }
  }

  @Test func `c ends the load of the cell it is on, which waits for r from then on`() throws {
    // Slowed down, so that there are seconds in which to cancel.
    let terminal = try home.openReader(["demo", "gallery", "--speed", "0.1"])
    try terminal.waitUntil("the first cell is loading") {
      $0.line(1).contains("21 loading") && $0.footer.hasPrefix("c cancel")
    }
    try terminal.send("c", until: "it is cancelled") {
      $0.cellText(0).contains("Cancelled") && $0.line(1).contains("20 loading")
    }
    #expect(terminal.screen.footer.hasPrefix("r load"))
  }

  @Test func `a click selects a cell, and the wheel brings cells that then load`() throws {
    let terminal = try settledGallery()
    // In the middle of the fifth cell.
    terminal.click(column: 40, row: 7)
    try terminal.waitUntil("it is selected") { $0.text.contains("╭─ ▸ 5 ─") }
    for _ in 0..<40 { terminal.wheelDown(column: 40, row: 7) }
    try terminal.waitUntil("the last cell has settled") {
      $0.text.contains("╭─ 100 ─") && $0.line(1).contains(" 0 loading") && !$0.showsSpinner
        && !$0.line(1).contains("79 idle") && $0.isWholeDemo
    }
  }

  @Test func `of keys typed faster than frames are drawn none is lost`() throws {
    let terminal = try home.openReader(["demo", "gallery", "--cells", "10000", "--speed", "20"])
    try terminal.waitUntil("the first cell is there") { $0.text.contains("╭─ ▸ 1 ─") }
    // In rows of three, down moves by three cells, and right by one.
    terminal.send(
      String(repeating: "\u{1B}[B", count: 300) + String(repeating: "\u{1B}[C", count: 2))
    try terminal.waitUntil("each of them counted") { $0.text.contains("╭─ ▸ 903 ─") }
    try terminal.send(String(repeating: "\u{1B}[A", count: 300), until: "and back") {
      $0.text.contains("╭─ ▸ 3 ─")
    }
  }

  // MARK: Catalog

  @Test func `an option of the catalog changes the live view`() throws {
    let terminal = try settledCatalog()
    try terminal.turn(to: "Errors", times: 2)
    #expect(terminal.screen.optionLine("A failure will").contains("‹ keep the value ›"))
    try terminal.goDown(to: "A failure will")
    try terminal.send("\u{1B}[C", until: "the option is another") {
      $0.optionLine("A failure will").contains("‹ replace it ›")
    }
    try terminal.force("Error")
    try terminal.waitUntil("the failure has taken the screen") {
      $0.text.contains("r to retry") && !$0.text.contains("Grey wool, darned twice")
    }
    #expect(terminal.screen.text.contains("was set"))
    try terminal.send("r", until: "r brought the value back") {
      $0.text.contains("Grey wool, darned twice") && !$0.text.contains("r to retry")
    }
  }

  @Test func `every state of the catalog can be forced`() throws {
    let terminal = try settledCatalog()
    try terminal.turn(to: "Errors", times: 2)
    for (button, sign) in [
      ("Error of the first load", "r to retry"), ("Loaded", "Grey wool, darned twice"),
      ("Reset", "r to load"), ("Loaded", "Grey wool, darned twice"),
    ] {
      try terminal.force(button)
      try terminal.waitUntil("\(button) shows") { $0.text.contains(sign) }
    }
    try terminal.turn(to: "Mutations", times: 5)
    try terminal.force("A change that fails")
    try terminal.waitUntil("a toast tells of the change that was not stored") {
      $0.text.contains("✗ The change was not saved.")
    }
  }

  @Test func `Tab goes round all stops and comes back, and Shift-Tab goes the other way`() throws {
    let terminal = try settledCatalog()
    var stops: [String] = []
    let start = terminal.screen.marks
    repeat {
      let before = terminal.screen.marks
      try terminal.send("\t", until: "the focus moved") { $0.isWholeDemo && $0.marks != before }
      stops.append(terminal.screen.marks)
    } while stops.last != start && stops.count < 20
    #expect(stops.count > 1)
    #expect(Set(stops).count == stops.count)
    for stop in stops.dropLast().reversed() {
      try terminal.send("\u{1B}[Z", until: "the focus moved back") {
        $0.isWholeDemo && $0.marks == stop
      }
    }
  }

  @Test func `the tour goes through the program by itself`() throws {
    let terminal = try home.openReader(["demo", "tour", "--speed", "20"], columns: 100)
    try terminal.waitUntil("the catalog is there") { $0.text.contains("[4 Catalog]") }
  }

  // MARK: Colours

  @Test func `the colours are chosen for the background that the terminal says it has`() throws {
    let terminal = try home.openReader(["demo", "articles", "--speed", "20"])
    try terminal.waitUntil("the articles are there") {
      $0.isWholeDemo && $0.text.contains("How to use Argyle")
    }
    var looks: [[EmulatedStyle]] = [terminal.screen.row(0).map(\.style)]
    for part in ["1717/1a1a/2020", "ffff/ffff/ffff"] {
      try terminal.send("\u{1B}]11;rgb:\(part)\u{1B}\\", until: "the colours are others") {
        $0.isWholeDemo && $0.row(0).map(\.style) != looks.last
      }
      looks.append(terminal.screen.row(0).map(\.style))
    }
    #expect(Set(looks).count == 3)
    // The terminal's answer is not taken for keys.
    #expect(terminal.screen.line(0).contains("[1 Articles]"))
  }

  // MARK: Search

  @Test func `a paste goes into the search as one text on one line`() throws {
    let terminal = try home.openReader(["demo", "search", "--speed", "20"], columns: 100)
    try terminal.waitUntil("the field is there") { $0.text.contains("Search") }
    terminal.send("/")
    terminal.paste("re\u{1B}[31mtry\n\u{202E}")
    try terminal.waitUntil("the text is in the field, and was looked for") {
      $0.line(1).contains("Search re[31mtry") && $0.text.contains(": started because")
    }
    try terminal.send(
      String(repeating: "\u{7F}", count: 20) + "retry", until: "what was typed then was looked for"
    ) {
      $0.line(1).contains("Search retry") && $0.text.contains("Trying again")
    }
    #expect(terminal.screen.unknown == [])
  }

  // MARK: Opening

  private func settledGallery() throws -> PseudoTerminal {
    let terminal = try home.openReader(["demo", "gallery", "--speed", "20"])
    try terminal.waitUntil("the cells on the screen have settled") { $0.isSettledGallery }
    return terminal
  }

  private func settledCatalog() throws -> PseudoTerminal {
    let terminal = try home.openReader(
      ["demo", "catalog", "--speed", "20"], columns: 100, rows: 34)
    try terminal.waitUntil("the first load is over") {
      $0.isWholeDemo && $0.text.contains("Grey wool, darned twice")
        && $0.text.contains("#1: finished")
    }
    return terminal
  }
}

extension EmulatedScreen {
  fileprivate var isWholeDemo: Bool { footer.hasSuffix("? keys  q quit") }

  fileprivate var isSettledGallery: Bool {
    isWholeDemo && line(1).contains(" 0 loading") && !showsSpinner
      && cellTexts.count == 21
      && cellTexts.allSatisfy { $0.contains("#") || $0.contains("No colour") }
  }

  /// The text of each cell of the gallery on the screen, three per row.
  fileprivate var cellTexts: [String] {
    (0..<rows).filter { line($0).hasPrefix("│") }.flatMap { row in
      // There is a blank between two cells.
      line(row).split(separator: "│").enumerated().filter { $0.offset.isMultiple(of: 2) }
        .map { String($0.element).trimmingBlanks }
    }
  }

  /// The text of one cell; empty if it is not drawn.
  fileprivate func cellText(_ index: Int) -> String {
    let texts = cellTexts
    return texts.indices.contains(index) ? texts[index] : ""
  }

  /// Whether the first row of the pane is selected.
  fileprivate var isFirstSelected: Bool {
    guard let row = (0..<rows).first(where: { line($0).contains("─ States ─") }) else {
      return false
    }
    return line(row + 1).contains(selectedText.trimmingBlanks)
  }

  fileprivate func optionLine(_ name: String) -> String {
    allLines.first { $0.contains(name) } ?? ""
  }

  /// The positions of marked cells: the selection, a focused border, the cursor; and the footer.
  fileprivate var marks: String {
    (0..<rows).flatMap { y in
      row(y).enumerated().filter { $0.element.style.background != .default }
        .map { "\(y):\($0.offset)" }
    }.joined(separator: " ") + footer
  }
}

extension PseudoTerminal {
  fileprivate func click(column: Int, row: Int) {
    send("\u{1B}[<0;\(column);\(row)M\u{1B}[<0;\(column);\(row)m")
  }

  fileprivate func wheelDown(column: Int, row: Int) { send("\u{1B}[<65;\(column);\(row)M") }

  fileprivate func goDown(to name: String) throws {
    for _ in 0..<30 where !screen.selectedText.contains(name) {
      let before = screen.selectedText
      try send("\u{1B}[B", until: "the selection moved on") {
        $0.selectedText != before && $0.isWholeDemo
      }
    }
    guard screen.selectedText.contains(name) else {
      throw Missing(name: name, screen: screen.text)
    }
  }

  /// Goes to the page with a name, a number of pages further in the catalog.
  fileprivate func turn(to page: String, times: Int) throws {
    try send(String(repeating: "n", count: times), until: "the page is there") {
      $0.isWholeDemo && $0.text.contains("─ \(page) ─")
    }
  }

  /// Forces a state of the catalog, and returns to the options.
  fileprivate func force(_ name: String) throws {
    try send("\t", until: "the focus is on the states") {
      $0.isWholeDemo && $0.footer.contains("Enter force")
    }
    try send("g", until: "the first is selected") {
      $0.isWholeDemo && $0.isFirstSelected
    }
    try goDown(to: name)
    try send("\r\u{1B}[Z", until: "the focus is back on the options") {
      $0.isWholeDemo && $0.footer.contains("Enter next")
    }
  }

  fileprivate struct Missing: Error {
    let name: String
    let screen: String
  }
}
