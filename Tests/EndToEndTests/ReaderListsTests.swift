import PseudoTerminal
import TestServer
import Testing

/// Tests of what the reader's lists show: the feed, the count, and failed feeds.
struct ReaderListsTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
  }

  private func openReader(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns, rows: rows)
    try terminal.waitUntil("the articles are there") {
      $0.isWhole && $0.text.contains("Apple") && !$0.selectedText.isEmpty
        && $0.feedRow("All articles") != nil
    }
    return terminal
  }

  // MARK: Failures

  @Test(arguments: [80, 130])
  func `a dead feed leaves an empty list alone, and is named below it`(columns: Int) async throws {
    try await home.follow([server.url("/a"), server.url("/dead")])
    let terminal = try openReader(columns: columns)
    try terminal.send("hjjj", until: "the list is empty, and says which feed failed") { screen in
      screen.text.contains("No starred articles.")
        && screen.allLines.contains {
          $0.contains("│ ✗ 127.0.0.1:\(server.port)/dead: The server ha")
        }
    }
    #expect(!terminal.screen.text.contains("to retry"))
  }

  @Test(arguments: [80, 130])
  func `several failed feeds are counted, and a key leads to each`(columns: Int) async throws {
    server["/later"] = .whole("", status: 500)
    try await home.follow(["/a", "/b", "/dead", "/later"].map(server.url))
    let terminal = try openReader(columns: columns)
    let strip = "✗ 2 of 4 feeds failed."
    try terminal.waitUntil("they are counted, and the key is named") { screen in
      // The list of feeds is read again a moment later.
      screen.allLines.count { $0.contains("✗ now") } == 2
        && screen.allLines.contains {
          $0.contains(strip) && $0.contains("! to see them  r to retry")
        }
    }
    for path in ["/dead", "/later", "/dead"] {
      try terminal.send("!", until: "\(path) is selected, with its reason") {
        $0.selectedText.contains(path)
          && $0.text.contains(path == "/dead" ? "Check the address." : "problem of its own")
      }
    }
  }

  // MARK: Rows

  @Test func `in a combined list each article names its feed, beside a count of all`() throws {
    for path in ["/a", "/b"] { _ = try home.run("feeds", "add", server.url(path)) }
    let terminal = try openReader()
    try terminal.waitUntil("the feeds are counted") { $0.feedRow("Beta")?.contains("1") == true }
    let rows = terminal.screen.allLines
    #expect(rows.contains { $0.contains("│ Apple ") && $0.contains("  Alpha ") })
    #expect(rows.contains { $0.contains("│ Banana ") && $0.contains("  Beta ") })
    #expect(rows.contains { $0.contains("│ All articles") && $0.hasSuffix("3 articles") })
    try terminal.send("hjjjj", until: "the list is that of one feed") { screen in
      screen.selectedText.hasPrefix("Alpha") && screen.text.contains("2 articles")
        && screen.allLines.contains { $0.contains("│ Apple ") && !$0.contains("  Alpha ") }
    }
  }

  @Test func `the counts beside the feeds are of what is unread`() throws {
    for path in ["/a", "/b"] { _ = try home.run("feeds", "add", server.url(path)) }
    let terminal = try openReader()
    try terminal.send("sm", until: "what is read is counted nowhere") { screen in
      let counts = ["All articles", "Unread", "★ Starred", "Alpha", "Beta"].map {
        screen.feedRow($0).map { $0.filter(\.isNumber) }
      }
      return counts == ["2", "2", "", "1", "1"]
    }
  }

  @Test func `at 120 columns titles have the room, and the selected article is previewed`()
    throws
  {
    let title = "Apple, and what became of it in the end"
    server["/a"] = .whole(FeedText.rss("Alpha", [title, "Apricot"]))
    for path in ["/a", "/b"] { _ = try home.run("feeds", "add", server.url(path)) }
    let terminal = try openReader(columns: 120, rows: 35)
    try terminal.waitUntil("the whole title is there, and its feed beside it") {
      $0.line(2).contains("│ \(title) ") && $0.line(2).contains("  Alpha  ")
    }
    try terminal.send("j", until: "the next one is previewed") { screen in
      let title = screen.selectedText.prefix { $0 != " " }
      let preview = screen.allLines.suffix(9).compactMap { $0.split(separator: "│").last }
      return !title.isEmpty && preview.contains { $0 == " \(title)" }
        && preview.contains { $0.contains(" · 2026-03-02 · 1 min") }
        && preview.contains { $0.hasPrefix(" The text of \(title).") }
    }
  }
}
