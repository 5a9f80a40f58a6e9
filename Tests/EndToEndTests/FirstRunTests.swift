import Foundation
import PseudoTerminal
import Testing

@testable import Argyle
@testable import Articles

/// Tests of the first minutes of a user who has just installed the program and has no network.
struct FirstRunTests {
  private let home: Home
  private let titles: [String]

  init() throws {
    home = try Home()
    titles = try BundledFeed(Assets.handbook).articles.map(\.title)
  }

  @Test(arguments: [
    (80, 24, "xterm-256color"), (80, 24, "tmux-256color"), (200, 50, "tmux-256color"),
    (20, 5, "xterm-256color"),
  ])
  func `the handbook is there, can be read, and is left again`(
    columns: Int, rows: Int, terminalType: String
  ) throws {
    let terminal = try home.openReader(columns: columns, rows: rows, terminalType: terminalType)
    try terminal.waitUntil("the handbook's list is there") { isSelected(0, $0) }
    #expect(terminal.screen.footer.hasSuffix("? keys  q quit"))
    terminal.send("\r")
    let start = titles[0].prefix(10)
    try terminal.waitUntil("the article is open") {
      // The footer is last: beside the lists, the article gets the focus once its text is there.
      $0.isWhole && $0.text.contains(start) && $0.text.contains("elcome")
        && (columns < 40 || $0.footer.contains("Esc"))
    }
    terminal.send("\u{1B}")
    // Beside an article, the list was always visible: it is the footer that changes back.
    try terminal.waitUntil("the list is back") {
      isSelected(0, $0) && !$0.footer.contains("Esc")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(terminal.screen.unknown == [])
    #expect(terminal.screen.text.trimmingBlanks.allSatisfy { $0 == "\n" })
  }

  @Test func `every key that moves the selection moves it`() throws {
    let terminal = try home.openReader(columns: 80, rows: 9)
    try terminal.waitUntil("the list is there") { isSelected(0, $0) }
    let last = titles.count - 1
    // The list shows six rows, so a page is five.
    let steps: [(key: String, row: Int)] = [
      ("j", 1), ("j", 2), ("k", 1), ("\u{1B}[B", 2), ("\u{1B}OB", 3), ("\u{1B}[A", 2),
      ("\u{1B}OA", 1), ("\u{1B}[6~", 6), ("\u{4}", 11), ("\u{1B}[5~", 6), ("\u{15}", 1),
      ("G", last), ("g", 0), ("\u{1B}[F", last), ("\u{1B}[H", 0), ("\u{1B}OF", last),
      ("\u{1B}OH", 0), ("k", 0), ("\u{1B}[4~", last), ("j", last), ("\u{1B}[1~", 0),
    ]
    for (key, row) in steps {
      try terminal.send(key, until: "\(key.debugDescription) selected row \(row)") {
        isSelected(row, $0)
      }
    }
  }

  @Test func `every key that moves through an article moves through it`() throws {
    let terminal = try home.openReader()
    try terminal.waitUntil("the list is there") { isSelected(0, $0) }
    try terminal.send("\r", until: "the article and its picture are there") {
      $0.isWhole && $0.footer.contains("Esc back") && $0.text.contains("elcome")
        && $0.line(22).contains("▀▀▀") && $0.line(22) == $0.line(21)
    }
    let top = terminal.screen.text
    for (there, back) in [
      ("j", "k"), ("\u{1B}[B", "\u{1B}[A"), ("\u{1B}[6~", "\u{1B}[5~"), (" ", "\u{15}"),
      ("G", "g"), ("\u{1B}[F", "\u{1B}[H"),
    ] {
      try terminal.send(there, until: "\(there.debugDescription) moved the text") { $0.text != top }
      try terminal.send(back, until: "\(back.debugDescription) moved it back") { $0.text == top }
    }
  }

  @Test func `the question mark shows every key, and Esc takes the list away`() throws {
    let terminal = try home.openReader()
    // Feeds and articles are loaded separately.
    try terminal.waitUntil("the feeds and the list are there") {
      isSelected(0, $0) && $0.text.contains("16 articles") && $0.text.contains("no feeds yet")
    }
    let before = terminal.screen.text
    try terminal.send("?", until: "the keys are there") {
      $0.text.contains("╭─ Keys") && $0.footer.contains("Esc close")
    }
    let keys = terminal.screen.text.split(separator: " ").joined(separator: " ")
    for words in [
      "Enter open", "j, ↓ down", "g, Home first", "PgDn, Ctrl-D, Space page down", "r reload",
    ] {
      #expect(keys.contains(words))
    }
    try terminal.send("\u{1B}", until: "the list is as it was") { $0.text == before }
  }

  @Test func `the list of keys leaves the footer alone on a small screen`() throws {
    let terminal = try home.openReader(columns: 20, rows: 5)
    try terminal.waitUntil("the list is there") { isSelected(0, $0) }
    try terminal.send("?", until: "the keys are there") { $0.line(0).hasPrefix("╭─ Keys") }
    #expect(terminal.screen.line(3) == "╰──────────────────╯")
    #expect(terminal.screen.footer == "/ search  Esc close")
  }

  @Test(arguments: ["xterm-256color", "tmux-256color"])
  func `a window of any size, down to one cell, and back`(terminalType: String) throws {
    let terminal = try home.openReader(terminalType: terminalType)
    // Feeds and articles are loaded separately.
    try terminal.waitUntil("the feeds and the list are there") {
      isSelected(0, $0) && $0.text.contains("16 articles") && $0.text.contains("no feeds yet")
    }
    let before = terminal.screen.text
    for (columns, rows) in [(20, 5), (3, 2), (1, 1), (200, 50), (1, 1), (500, 2), (2, 90)] {
      let mark = terminal.mark
      try terminal.resize(columns: columns, rows: rows)
      try terminal.waitUntil("it is drawn at \(columns)×\(rows)") { _ in terminal.mark > mark }
    }
    try terminal.resize(columns: 80, rows: 24)
    try terminal.waitUntil("the list is as it was") { $0.text == before }
    #expect(terminal.screen.unknown == [])
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a feed from a file takes the place of the handbook`() throws {
    let file = try home.write(FeedText.rss("From a file", ["One", "Two"]), to: "feed.xml")
    let added = try home.run("feeds", "add", file)
    #expect(added.ending == .exited(0))
    #expect(added.output == "Added From a file: 2 articles.\n")
    let terminal = try home.openReader()
    try terminal.waitUntil("it and its articles are there") {
      $0.selectedText.hasPrefix("One") && $0.text.contains("From a file")
    }
    #expect(!terminal.screen.text.contains(titles[0].prefix(10)))
    try terminal.send("j\r", until: "the second one is open") {
      $0.text.contains("The text of Two.")
    }
  }

  @Test func `two readers and a command share one store`() throws {
    let readers = try (0..<2).map { _ in try home.openReader() }
    for reader in readers {
      try reader.waitUntil("the list is there") { isSelected(0, $0) }
    }
    let file = try home.write(FeedText.rss("Shared", ["One", "Two"]), to: "feed.xml")
    #expect(try home.run("feeds", "add", file).ending == .exited(0))
    for reader in readers { reader.send("r") }
    for reader in readers {
      try reader.waitUntil("the new feed is there") {
        $0.selectedText.hasPrefix("One") && $0.allLines.contains { $0.hasPrefix("Shared") }
      }
      #expect(try reader.leave() == .exited(0))
    }
  }

  // Compares only the first words, since a narrow screen cuts the title.
  private func isSelected(_ row: Int, _ screen: EmulatedScreen) -> Bool {
    screen.isWhole && screen.selectedText.hasPrefix(titles[row].prefix(10))
      // Each list is loaded separately, and either may be the later one.
      && (screen.columns < 72 || screen.text.contains("The Argyle Handbook"))
  }
}
