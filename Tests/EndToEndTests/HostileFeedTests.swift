import Foundation
import PseudoTerminal
import Testing

/// Whatever a feed says, it puts nothing on the terminal but characters inside its own regions.
struct HostileFeedTests {
  /// What a walk through the lists and every article left behind.
  struct Walk {
    var lists: [EmulatedScreen] = []
    var articles: [EmulatedScreen] = []
    /// How much had been written when the first list was there.
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

  /// The tests above would notice: the same titles, written by a renderer that cleans nothing.
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
      terminal.send("\r")
      try terminal.waitUntil("article \(index) is open") {
        // Last of all the keys of what has been loaded.
        hasKeysOfAnArticle($0) && $0.text.contains(MarkedFeed.mark("b", index))
      }
      walk.articles.append(terminal.screen)
      terminal.send("G")
      try terminal.waitUntil("its last link is there") {
        hasKeysOfAnArticle($0) && $0.text.contains("/" + MarkedFeed.mark("e", index))
      }
      walk.articles.append(terminal.screen)
      terminal.send("\u{1B}")
      try waitForList(index, unread: MarkedFeed.count - index - 1, terminal)
      terminal.send("j")
    }
    // The last one's address, in the line that says where it was opened.
    terminal.send("\ro")
    try terminal.waitUntil("its address is shown") { $0.text.contains("Opened in the browser") }
    terminal.send("qq")
    #expect(try terminal.waitForExit() == .exited(0))
    walk.output = terminal.output
    return walk
  }

  private func waitForList(_ index: Int, unread: Int, _ terminal: PseudoTerminal) throws {
    try terminal.waitUntil("row \(index) of the list is selected") { screen in
      // The two panes are loaded one by one, and a row is drawn from left to right.
      screen.isWhole && screen.footer.hasPrefix("Enter open")
        && screen.row(2 + index).last?.style.background != .default
        && screen.selectedText.hasPrefix(MarkedFeed.mark("t", index))
        && screen.line(6).hasPrefix("Feed")
        // What was opened is counted once it is on the disk, and no list is read again any more.
        && [2, 3, 6].allSatisfy { count(in: screen.row($0)) == unread }
    }
  }

  /// The number at the end of a row of the left pane; none is 0.
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

  /// A blank has no ink: which colour it would be in goes by the word before it.
  private func looksAlike(_ cell: EmulatedCell, _ other: EmulatedCell) -> Bool {
    var cells = [cell, other]
    for index in cells.indices where cells[index].text == " " {
      cells[index].style.foreground = .default
      cells[index].style.attributes.subtract([.bold, .dim, .italic])
    }
    return cells[0] == cells[1]
  }

  /// The titles of the articles, left of their dates, and that of the feed, left of its count.
  private func isOfAList(_ screen: EmulatedScreen) -> (Int, Int) -> Bool {
    let titles = titleColumn(screen)
    return { x, y in
      (y >= 2 && y < 2 + MarkedFeed.count && x >= titles && x < 75) || (y == 6 && x < titles - 5)
    }
  }

  private func titleColumn(_ screen: EmulatedScreen) -> Int {
    (screen.row(2).firstIndex { $0.text == "│" } ?? 0) + 2
  }

  /// The text, and behind the first key the footer, whose keys have been waited for.
  private func isOfAnArticle(_ x: Int, _ y: Int) -> Bool {
    y > 0 && y < 23 && x >= 2 && x < 78 || y == 23 && x >= 16
  }

  /// Whether the footer has the keys of an article, those that there is room for beside the ones
  /// that bring the rest of a long line.
  private func hasKeysOfAnArticle(_ screen: EmulatedScreen) -> Bool {
    let keys = screen.footer.components(separatedBy: "  ")
    let own = keys.prefix { $0 != "Esc back" }.filter { $0 != "→ scroll right" }
    return keys.suffix(2) == ["? keys", "F10 quit"] && own.count > 1
      && ["PgDn page down", "f follow a link", "w full text", "o open in browser"]
        .starts(with: own)
  }

  /// Writes titles over those of the first list, raw, and looks whether the checks see it.
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
