import Foundation
import PseudoTerminal
import Testing

/// Tests that a feed can put nothing on the terminal but characters inside its own regions.
struct HostileFeedTests {
  /// The screens and the output of a walk through the lists and every article.
  struct Walk {
    var lists: [EmulatedScreen] = []
    var articles: [EmulatedScreen] = []
    /// How many bytes had been written when the first list was complete.
    var start = 0
    var output: [UInt8] = []
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `no control byte and no cell outside its region comes from a feed`(seed: UInt64) throws {
    let plain = try walk { Array(" plain".utf8) }
    var generator = SeededGenerator(seed: seed)
    let hostile = try walk { Hostility.mixture(using: &generator) }

    let written = WrittenBytes(hostile.output)
    #expect(written.foreign == [])
    #expect(written.switches == WrittenBytes(plain.output).switches)
    for (screen, expected) in zip(hostile.lists, plain.lists) {
      #expect(screen.unknown == [])
      #expect(differences(screen, expected, inside: isOfAList(expected)) == [])
    }
    for (screen, expected) in zip(hostile.articles, plain.articles) {
      #expect(screen.unknown == [])
      #expect(differences(screen, expected, inside: isOfAnArticle) == [])
    }
    #expect(hostile.lists.count == plain.lists.count)
    #expect(hostile.articles.count == plain.articles.count)
  }

  /// Checks that the tests above would notice: the same titles, written by a renderer that cleans
  /// nothing.
  @Test func `what is written as it came is noticed, every piece of it`() throws {
    let plain = try walk { Array(" plain".utf8) }
    let kinds = Hostility.allCases.filter { $0 != .marks && $0 != .references }
    for kind in kinds {
      for piece in kind.pieces {
        #expect(try isNoticed([piece], in: plain), "\(kind): \(piece)")
      }
    }
    for seed in 1...100 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let titles = (0..<MarkedFeed.count).map { _ in Hostility.mixture(using: &generator) }
      #expect(try isNoticed(titles, in: plain), "seed \(seed)")
    }
  }

  // MARK: Walking

  /// Reads a whole feed on a terminal, article by article.
  private func walk(filling: () -> [UInt8]) throws -> Walk {
    let home = try Home()
    let file = try home.write(MarkedFeed.bytes(filling: filling), to: "feed.xml")
    #expect(try home.run("feeds", "add", file).ending == .exited(0))
    let terminal = try home.openReader(adding: ["BROWSER": "/bin/true"])
    var walk = Walk()
    for index in 0..<MarkedFeed.count {
      try waitForList(index, unread: MarkedFeed.count - index, terminal)
      if index == 0 { walk.start = terminal.mark }
      walk.lists.append(terminal.screen)
      try terminal.send("\r", until: "article \(index) is open") {
        // The keys of what has been loaded come last.
        hasKeysOfAnArticle($0) && has(MarkedFeed.mark("b", index), $0.text)
      }
      walk.articles.append(terminal.screen)
      try terminal.send("G", until: "its last link is there") {
        hasKeysOfAnArticle($0) && has("/" + MarkedFeed.mark("e", index), $0.text)
      }
      walk.articles.append(terminal.screen)
      terminal.send("\u{1B}")
      try waitForList(index, unread: MarkedFeed.count - index - 1, terminal)
      terminal.send("j")
    }
    // The last address, in the message that says that it was opened.
    try terminal.send("\ro", until: "its address is shown") {
      $0.text.contains("Opening in the browser")
    }
    #expect(try terminal.leave(by: "qq") == .exited(0))
    walk.output = terminal.output
    return walk
  }

  /// Whether a text has a mark, by its scalars: a combining character may follow it.
  private func has(_ mark: String, _ text: String) -> Bool {
    text.unicodeScalars.contains(mark.unicodeScalars)
  }

  private func waitForList(_ index: Int, unread: Int, _ terminal: PseudoTerminal) throws {
    try terminal.waitUntil("row \(index) of the list is selected") { screen in
      // The two panes are loaded separately, and a row is drawn from left to right.
      screen.isWhole && screen.footer.hasPrefix("Enter open")
        && screen.row(2 + index).last?.style.background != .default
        && has(MarkedFeed.mark("t", index), screen.selectedText)
        && screen.line(6).hasPrefix("Feed")
        // An opened article is counted as read once that is stored, after which no list is read
        // again.
        && [2, 3, 6].allSatisfy { count(in: screen.row($0)) == unread }
    }
  }

  /// Returns the number at the end of a row in the left pane; 0 if there is none.
  private func count(in row: [EmulatedCell]) -> Int {
    let text = row.prefix { $0.text != "│" }.map(\.text).joined()
    return text.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  // MARK: Comparing

  private func differences(
    _ screen: EmulatedScreen, _ expected: EmulatedScreen, inside isInside: (Int, Int) -> Bool
  ) -> [String] {
    (0..<expected.rows).flatMap { y in
      zip(screen.row(y), expected.row(y)).enumerated().compactMap { x, cells in
        guard !isInside(x, y), !looksAlike(cells.0, cells.1) else { return nil }
        return "(\(x), \(y)): \(cells.0.text) instead of \(cells.1.text)"
      }
    }
  }

  /// Compares two cells; the foreground of a blank is ignored, since it depends on the word before
  /// it.
  private func looksAlike(_ cell: EmulatedCell, _ other: EmulatedCell) -> Bool {
    var cells = [cell, other]
    for index in cells.indices where cells[index].text == " " {
      cells[index].style.foreground = .default
      cells[index].style.attributes.subtract([.bold, .dim, .italic])
    }
    return cells[0] == cells[1]
  }

  /// Covers the titles of the articles, up to their dates, and the title of the feed, up to its
  /// count.
  private func isOfAList(_ screen: EmulatedScreen) -> (Int, Int) -> Bool {
    let titles = titleColumn(screen)
    return { x, y in
      (y >= 2 && y < 2 + MarkedFeed.count && x >= titles && x < 75) || (y == 6 && x < titles - 5)
    }
  }

  private func titleColumn(_ screen: EmulatedScreen) -> Int {
    (screen.row(2).firstIndex { $0.text == "│" } ?? 0) + 2
  }

  /// Covers the text, and the footer after its first key; the test has waited for the footer's
  /// keys.
  private func isOfAnArticle(_ x: Int, _ y: Int) -> Bool {
    y > 0 && y < 23 && x >= 2 && x < 78 || y == 23 && x >= 16
  }

  /// Whether the footer has the keys of an article, as far as they fit beside those that scroll a
  /// long line.
  private func hasKeysOfAnArticle(_ screen: EmulatedScreen) -> Bool {
    let keys = screen.footer.components(separatedBy: "  ")
    let own = keys.prefix { $0 != "Esc back" }.filter { $0 != "→ scroll right" }
    return keys.suffix(2) == ["? keys", "F10 quit"] && own.count > 1
      && ["PgDn page down", "f follow a link", "w full text", "o open in browser"]
        .starts(with: own)
  }

  /// Writes raw titles over those of the first list, and returns whether the checks notice.
  private func isNoticed(_ titles: [[UInt8]], in plain: Walk) throws -> Bool {
    let list = try #require(plain.lists.first)
    var output = Array(plain.output[..<plain.start])
    let before = WrittenBytes(output)
    for (index, title) in titles.enumerated() {
      output += Array("\u{1B}[\(index + 3);\(titleColumn(list) + 1)H".utf8) + title
    }
    output += Array("\u{1B}[24;80H".utf8)
    let after = WrittenBytes(output)
    var screen = EmulatedScreen(columns: list.columns, rows: list.rows)
    screen.feed(output)
    return after.foreign != [] || after.switches != before.switches || screen.unknown != []
      || differences(screen, list, inside: isOfAList(list)) != []
  }
}
