import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of showing only unread articles, and of their order: by keys, stored for the next start.
struct ListArrangementTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry", "Elder", "Fig"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
    for path in ["/a", "/b"] { _ = try home.run("feeds", "add", server.url(path)) }
  }

  private func openReader(columns: Int, selecting title: String) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns)
    try terminal.waitUntil("the articles are there") {
      $0.isWhole && $0.selectedText.hasPrefix(title)
        && (columns < 66 || $0.feedRow("All articles") != nil)
    }
    return terminal
  }

  /// Returns the first words of the articles, from top to bottom.
  private func titles(_ screen: EmulatedScreen) -> [String] {
    let known = ["Apple", "Banana", "Cherry", "Elder", "Fig"]
    return screen.allLines.compactMap { line in
      let row = line.split(separator: "│").last ?? ""
      return known.first { row.contains(" \($0)  ") || row.hasPrefix("\($0)  ") }
    }
  }

  @Test(arguments: [50, 80, 118])
  func `what was read goes when the list is reloaded, and not from under the cursor`(columns: Int)
    throws
  {
    let terminal = try openReader(columns: columns, selecting: "Apple")
    try terminal.send("\r", until: "it is open") { $0.text.contains("The text of Apple.") }
    try terminal.send("q", until: "the list is back") {
      $0.footer.hasSuffix("q quit") && titles($0).count == 5
    }
    try terminal.send("U", until: "what was read is gone", saying: "Only unread articles.") {
      $0.text.contains("All articles · unread")
        && titles($0) == ["Banana", "Cherry", "Elder", "Fig"] && $0.selectedText.hasPrefix("Banana")
    }
    try terminal.send("jm", until: "it is marked, and still there") {
      $0.selectedText.hasPrefix("Cherry") && !$0.selectedText.contains("•")
        && titles($0) == ["Banana", "Cherry", "Elder", "Fig"]
    }
    // A mark that is stored while the list loads would keep its article there.
    var isStored = false
    for _ in 1...100 where !isStored {
      isStored = try !home.run("articles", "list", "--unread").output.contains("Cherry")
    }
    try terminal.send("r", until: "it is gone, and its neighbour is selected") {
      titles($0) == ["Banana", "Elder", "Fig"] && $0.selectedText.hasPrefix("Elder")
    }
    try terminal.send("U", until: "all are there again") {
      titles($0) == ["Apple", "Banana", "Cherry", "Elder", "Fig"]
        && $0.selectedText.hasPrefix("Elder")
    }
  }

  @Test func `the order and what is left out are kept for the next start`() throws {
    let first = try openReader(columns: 80, selecting: "Apple")
    try first.send("UO", until: "the oldest article comes first") {
      $0.text.contains("unread, oldest first") && titles($0).first == "Fig"
    }
    #expect(try first.leave(by: "qq") == .exited(0))

    let second = try openReader(columns: 80, selecting: "Fig")
    #expect(second.screen.text.contains("All articles · unread, oldest first"))
    try second.send("OO", until: "they stand by their titles") {
      $0.text.contains("unread, by title")
        && titles($0) == ["Apple", "Banana", "Cherry", "Elder", "Fig"]
    }
    try second.send("h", until: "the feeds have the focus") {
      $0.selectedText.hasPrefix("All articles")
    }
    try second.send("GA", until: "the feed that is read stays while it is selected") {
      $0.selectedText.hasPrefix("Beta") && $0.feedRow("Alpha")?.contains("4") == true
        && $0.feedRow("Beta")?.contains("1") == false
    }
    try second.send("g", until: "then it is left out") {
      $0.feedRow("Beta") == nil && $0.feedRow("Alpha") != nil
    }
  }

  @Test func `the order of a feed is its own, also after a start`() throws {
    var terminal = try openReader(columns: 100, selecting: "Apple")
    func show(_ feed: String, _ titles: [String], _ words: String) throws {
      try terminal.send("L\(feed)", until: "\(feed) is found") {
        $0.text.contains("─ Go to ") && $0.text.contains("│ \(feed)")
      }
      try terminal.send("\r", until: "\(feed) is shown") {
        $0.isWhole && self.titles($0) == titles && $0.text.contains(words)
      }
    }
    try show("Alpha", ["Apple", "Cherry", "Elder", "Fig"], "Alpha")
    try terminal.send("O", until: "the oldest comes first") {
      $0.text.contains("Alpha · oldest first") && titles($0).first == "Fig"
    }
    try show("All articles", ["Apple", "Banana", "Cherry", "Elder", "Fig"], "All articles")
    #expect(!terminal.screen.text.contains("All articles ·"))
    try terminal.send("OOO", until: "all are sorted by title") {
      $0.text.contains("All articles · by title")
    }
    #expect(try terminal.leave(by: "qq") == .exited(0))

    terminal = try openReader(columns: 100, selecting: "Apple")
    try show("Alpha", ["Fig", "Elder", "Cherry", "Apple"], "Alpha · oldest first")
    try show("Beta", ["Banana"], "Beta · by title")
  }

  @Test func `the command line shows rows in a format, as the screen does`() throws {
    func list(_ arguments: String...) throws -> [Substring] {
      let (terminal, name) = try home.start(["articles", "list"] + arguments)
      #expect(try terminal.waitForExit() == .exited(0))
      return try home.text(of: name).split(separator: "\n")
    }
    #expect(
      try list("--row", "{feed}: {title}", "--limit", "2") == ["Alpha: Apple", "Beta: Banana"])
    #expect(
      try list("--row", "[{feed:3}|{title:>8}] {unread}", "--feed", "Beta", "--since", "2026-01-01")
        == ["[Be…|  Banana] •"])
    let wrong = try home.run("articles", "list", "--row", "{feed} {titel}")
    #expect(wrong.ending == .exited(64))
    #expect(wrong.errors.contains("character 9: there is no field “titel”"))
    // On a terminal, the title takes the columns that the other fields leave, as on the screen.
    let terminal = try home.openReader(
      ["articles", "list", "--row", "{title}|{feed:6}|", "--limit", "1"], columns: 40)
    #expect(try terminal.waitForExit() == .exited(0))
    let row = "Apple" + String(repeating: " ", count: 27) + "|Alpha |"
    #expect(terminal.screen.allLines.contains(row))
    server["/undated"] = .whole(
      """
      <rss><channel><title>Undated</title><item><guid>1</guid><title>Grape</title></item>\
      </channel></rss>
      """)
    _ = try home.run("feeds", "add", server.url("/undated"))
    #expect(
      Set(
        try list(
          "--row", "{date} {feed:7} {minutes:>6} {title}", "--matching", "title:grape or title:fig")
      ) == ["           Undated        Grape", "2026-03-02 Alpha    1 min Fig"])
  }

  @Test(arguments: [50, 80])
  func `v sets titles above the articles of a day, a feed or a letter, also after a start`(
    columns: Int
  ) throws {
    let first = try openReader(columns: columns, selecting: "Apple")
    try first.send("v", until: "the day stands above") { screen in
      screen.text.contains("Grouped by day.") && screen.selectedText.hasPrefix("Apple")
        && screen.allLines.contains {
          let title = $0.split(separator: "│").last?.trimmingCharacters(in: .whitespaces) ?? ""
          return title == "Mon 2 Mar" || title == "2026-03-02"
        }
    }
    try first.send("OO", until: "the feeds stand above") { screen in
      let lines = screen.allLines.map { $0.split(separator: "│").last.map(String.init) ?? "" }
      func place(_ text: String) -> Int? {
        lines.firstIndex { $0.trimmingCharacters(in: .whitespaces).hasPrefix(text) }
      }
      guard let apple = place("Apple "), let banana = place("Banana ") else { return false }
      return lines[apple - 1].trimmingCharacters(in: .whitespaces) == "Alpha"
        && lines[banana - 1].trimmingCharacters(in: .whitespaces) == "Beta"
    }
    #expect(try first.leave(by: "qq") == .exited(0))
    let second = try openReader(columns: columns, selecting: "Apple")
    try second.waitUntil("they are there again") { $0.text.contains("by feed") }
    try second.send("v", until: "and go") { $0.text.contains("Not grouped.") }
    #expect(try second.leave() == .exited(0))
  }

  @Test func `the command line lists in the same orders`() throws {
    func titles(_ arguments: String...) throws -> [String] {
      let (terminal, name) = try home.start(["articles", "list"] + arguments)
      #expect(try terminal.waitForExit() == .exited(0))
      return try home.text(of: name).split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      }
    }
    #expect(try titles() == ["Apple", "Banana", "Cherry", "Elder", "Fig"])
    #expect(try titles("--sort", "oldest", "--limit", "2") == ["Fig", "Elder"])
    #expect(try titles("--sort", "feed") == ["Apple", "Cherry", "Elder", "Fig", "Banana"])
    #expect(try titles("--sort", "length", "--limit", "1") == ["Apple"])
    #expect(try titles("--sort", "title", "--unread").first == "Apple")
    #expect(try home.run("articles", "list", "--sort", "size").ending == .exited(64))
  }
}
