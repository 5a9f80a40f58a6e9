import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of configured key sequences, numbers before keys, and macros.
struct KeySequenceTests {
  private let home: Home
  private let server: TestServer
  private let titles = (1...30).map { "Story \($0)" }

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", titles))
    _ = try home.run("feeds", "add", server.url("/a"))
    try FileManager.default.createDirectory(
      atPath: home.path + "/.config/argyle", withIntermediateDirectories: true)
    try home.write(
      """
      [keys]
      first = ["g g"]
      go-to-list = ["g l"]

      [[macro]]
      key = ", s"
      name = "star, next"
      actions = ["toggle-star", "next-unread", "leave-article"]

      [[macro]]
      key = ", r"
      name = "read, starred"
      actions = ["mark-read", "star", "down"]

      [[macro]]
      key = ", u"
      name = "unread"
      actions = ["mark-unread", "unstar", "down"]

      [[macro]]
      key = ", x"
      name = "wrong"
      actions = ["wider"]
      """, to: ".config/argyle/config.toml")
  }

  private func openReader(columns: Int, rows: Int = 24) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns, rows: rows)
    try terminal.waitUntil("the articles are there") {
      $0.isWhole && $0.selectedText.hasPrefix("Story 1 ")
    }
    return terminal
  }

  @Test(arguments: [50, 80, 120])
  func `a number says how far a key goes, and the footer shows it`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    try terminal.send("5", until: "the number is shown") { $0.footer.hasPrefix("5  j down  k up") }
    try terminal.send("j", until: "the sixth row is selected") {
      $0.isWhole && $0.selectedText.hasPrefix("Story 6 ")
    }
    try terminal.send("025G", until: "the row of that number") {
      $0.isWhole && $0.selectedText.hasPrefix("Story 25 ")
    }
  }

  @Test func `a macro marks an article in the same way however it was marked`() throws {
    let terminal = try openReader(columns: 80)
    func play(_ keys: String, then row: String) throws {
      try terminal.send(keys, until: "the next row is selected") {
        $0.isWhole && $0.selectedText.hasPrefix(row)
      }
      try terminal.send("k", until: "the row is selected again") {
        $0.isWhole && !$0.selectedText.hasPrefix(row)
      }
    }
    for _ in 0..<2 { try play(",r", then: "Story 2 ") }
    #expect(terminal.screen.selectedText.contains("★"))
    func isListed(_ option: String) -> Bool {
      (try? home.run("articles", "list", option).output.contains("Story 1\n")) == true
    }
    // The screen shows a mark before it is stored.
    #expect((0..<100).contains { _ in isListed("--starred") && !isListed("--unread") })
    for _ in 0..<2 { try play(",u", then: "Story 2 ") }
    #expect(!terminal.screen.selectedText.contains("★"))
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.run("articles", "list", "--unread").output.contains("Story 1\n"))
  }

  @Test(arguments: [50, 80, 120])
  func `the footer shows the keys that can follow, and an unknown one ends it`(columns: Int) throws
  {
    let terminal = try openReader(columns: columns)
    try terminal.send("j", until: "the second row") { $0.selectedText.hasPrefix("Story 2 ") }
    try terminal.send("g", until: "the keys that follow") {
      $0.footer.hasPrefix("g  ") && $0.footer.contains("g first")
        && $0.footer.contains("l go to a list") && $0.footer.contains("Esc cancel")
    }
    try terminal.send("q", until: "that is no key, and quits nothing") {
      $0.footer.hasPrefix("g q does nothing here.")
    }
    try terminal.send("Z", until: "a key alone that does nothing is said, and what leads on") {
      $0.footer == "Z does nothing here.  ? keys  q quit"
    }
    try terminal.send("gg", until: "the first row") {
      $0.isWhole && $0.selectedText.hasPrefix("Story 1 ")
    }
    try terminal.send("gl", until: "the lists to go to") { $0.text.contains("Go to") }
  }

  @Test func `a macro does its actions, each on the screen of the one before`() throws {
    let terminal = try openReader(columns: 80)
    try terminal.send(",s", until: "the first is starred, and the next was opened and left") {
      $0.isWhole && $0.selectedText.hasPrefix("Story 2 ")
        && $0.allLines.contains { $0.contains("Story 1 ") && $0.contains("★") }
    }
    #expect(try home.run("articles", "list", "--starred").output.contains("Story 1"))
  }

  @Test func `a macro ends with a word where an action cannot be done`() throws {
    let terminal = try openReader(columns: 80)
    try terminal.send(",x", until: "it says so") {
      $0.text.contains("wrong: “wider lines” cannot be done here.")
    }
  }

  @Test func `keys in pasted text do nothing`() throws {
    let terminal = try openReader(columns: 80)
    // In one piece, so that the key is read with the end of the paste.
    try terminal.send("\u{1B}[200~,s5jgl\u{1B}[201~j", until: "the key behind it") {
      $0.isWhole && $0.selectedText.hasPrefix("Story 2 ")
    }
    #expect(try home.run("articles", "list", "--starred").output == "")
  }

  @Test func `two pasted addresses are refused in the form, and stay there`() throws {
    let terminal = try openReader(columns: 80)
    terminal.paste("https://example.org/a\nhttps://example.org/b\n")
    try terminal.waitUntil("the form is open") {
      $0.text.contains("│ https://example.org/a https://example.org/b")
    }
    try terminal.send("\r", until: "it says so") {
      $0.text.contains("│ https://example.org/a https://example.org/b")
        && $0.text.contains("These are 2 addresses, not one.")
    }
    #expect(try home.run("feeds").output.contains("example.org") == false)
  }

  @Test func `a pasted address opens the form for a feed, and another text is told`() throws {
    let terminal = try openReader(columns: 80)
    terminal.paste("some words")
    try terminal.waitUntil("it says so") {
      $0.text.contains("What was pasted is not the address of a feed.")
    }
    terminal.paste("example.org/feed")
    try terminal.waitUntil("the form is open") {
      $0.text.contains("╭─ Add a feed") && $0.text.contains("│ example.org/feed ")
    }
  }
}
