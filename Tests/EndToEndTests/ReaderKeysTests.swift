import PseudoTerminal
import TestServer
import Testing

/// Tests of the keys that go from one pane of the reader to another, and of those that work in all
/// of them.
struct ReaderKeysTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana", "Blueberry"]))
  }

  private func openReader(
    columns: Int = 80, rows: Int = 24, _ arguments: [String] = []
  ) throws -> PseudoTerminal {
    for path in ["/a", "/b"] { _ = try home.run("feeds", "add", server.url(path)) }
    let terminal = try home.openReader(arguments, columns: columns, rows: rows)
    try terminal.waitUntil("the articles are there") {
      $0.text.contains("Apple") && $0.text.contains("Banana") && !$0.selectedText.isEmpty
        && (columns < 66 || $0.feedRow("Beta") != nil)
    }
    return terminal
  }

  /// Goes from the articles of all feeds to a row in the list of feeds.
  private func select(_ title: String, in terminal: PseudoTerminal) throws {
    terminal.send("h")
    try terminal.waitUntil("the feeds have the focus") {
      $0.selectedText.hasPrefix("All articles")
    }
    let steps = ["Unread", "Today", "★ Starred", "Alpha", "Beta"]
    terminal.send(String(repeating: "j", count: (steps.firstIndex(of: title) ?? 0) + 1))
    try terminal.waitUntil("\(title) is selected") { $0.selectedText.hasPrefix(title) }
  }

  // MARK: Feeds and articles

  @Test(arguments: [50, 80, 118, 130])
  func `Enter, → and l on a feed go to its articles, ← and h go back`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    try select("Beta", in: terminal)
    for (there, back) in [("\r", "h"), ("l", "\u{1B}[D"), ("\u{1B}[C", "\u{1B}")] {
      terminal.send(there)
      try terminal.waitUntil("\(there.debugDescription) went to the articles") {
        $0.selectedText.hasPrefix("Banana")
      }
      terminal.send(back)
      try terminal.waitUntil("\(back.debugDescription) went back to the feeds") {
        $0.selectedText.hasPrefix("Beta")
      }
    }
  }

  @Test(arguments: [50, 80, 130])
  func `q in an article goes back to the list, and quits there`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    terminal.send("\r")
    try terminal.waitUntil("the article is open") {
      $0.text.contains("The text of") && $0.footer.contains("F10 quit")
    }
    terminal.send("q")
    try terminal.waitUntil("the list has the keys") { $0.footer.hasSuffix("q quit") }
    #expect(!terminal.screen.text.contains("The text of"))
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `Q quits, also in an article`() throws {
    let terminal = try openReader()
    terminal.send("\r")
    try terminal.waitUntil("the article is open") { $0.text.contains("The text of") }
    terminal.send("Q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `where q has no other meaning it quits in an article too`() throws {
    let file = try home.write("[keys]\nleave-article = []\n", to: "config.toml")
    let terminal = try openReader(["--config", file])
    terminal.send("\r")
    try terminal.waitUntil("the article is open") {
      $0.text.contains("The text of") && $0.footer.hasSuffix("q quit")
    }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test(arguments: [50, 80, 130])
  func `a list is gone to by a part of its name, from the list and from an article`(
    columns: Int
  ) throws {
    let terminal = try openReader(columns: columns)
    terminal.send("L")
    try terminal.waitUntil("it asks for a name") {
      $0.text.contains("─ Go to ") && $0.text.contains("part of a name")
    }
    terminal.send("bet\r")
    try terminal.waitUntil("the articles of the feed are there") {
      $0.selectedText.hasPrefix("Banana") && !$0.text.contains("Go to")
        && $0.footer.contains("Enter open")
    }
    terminal.send("\r")
    try terminal.waitUntil("the article is open") {
      $0.text.contains("The text of Banana.") && $0.footer.contains("F10 quit")
    }
    terminal.send("Lnothing")
    try terminal.waitUntil("there is no such list") {
      $0.text.contains("No list has this in its name.")
    }
    terminal.send(String(repeating: "\u{7F}", count: 7) + "al")
    try terminal.waitUntil("two are found") {
      $0.text.contains("│ All articles") && $0.text.contains("Alpha")
        && !$0.text.contains("No list has")
    }
    terminal.send("\u{1B}[B")
    try terminal.waitUntil("the first one is selected") { $0.selectedText.hasPrefix("All") }
    terminal.send("j\r")
    try terminal.waitUntil("the other one is shown") {
      $0.selectedText.hasPrefix("A") && $0.text.contains("Apricot") && !$0.text.contains("Banana")
    }
  }

  // MARK: The search

  @Test(arguments: [50, 80, 130])
  func `Enter and ↓ in the search go to the results, and a second slash starts afresh`(
    columns: Int
  ) throws {
    let terminal = try openReader(columns: columns)
    terminal.send("/blue\r")
    try terminal.waitUntil("Enter went to what was found") {
      $0.selectedText.hasPrefix("Blueberry")
    }
    terminal.send("/")
    try terminal.waitUntil("the field is empty") {
      $0.text.contains("Search all articles") && !$0.text.contains("Blueberry")
    }
    terminal.send("ban")
    try terminal.waitUntil("it has found something else") { $0.text.contains("Search ban") }
    terminal.send("\u{1B}[B")
    try terminal.waitUntil("↓ went to it") { $0.selectedText.hasPrefix("Banana") }
    terminal.send("\r")
    try terminal.waitUntil("it is open") { $0.text.contains("The text of Banana.") }
    terminal.send("q")
    try terminal.waitUntil("the results are back, and have the keys") {
      $0.selectedText.hasPrefix("Banana") && $0.footer.hasSuffix("q quit")
    }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `what is typed right after the slash is searched for, also from the feeds`() throws {
    let terminal = try openReader()
    terminal.send("h")
    try terminal.waitUntil("the feeds have the keys") { $0.footer.contains("articles") }
    terminal.send("/ban")
    try terminal.waitUntil("it is searched for, and counted") {
      $0.text.contains("Search ban") && $0.text.contains("1 found") && $0.text.contains("│ Banana")
    }
  }

  @Test func `more results than are listed are counted`() throws {
    server["/a"] = .whole(FeedText.rss("Alpha", (1...120).map { "Apple number \($0)" }))
    let terminal = try openReader()
    terminal.send("/apple")
    try terminal.waitUntil("it says how many there are") { $0.text.contains("100 of 120") }
  }

  @Test func `conditions are typed into the search, and one that cannot be read says why`() throws {
    let terminal = try openReader()
    terminal.send("/")
    try terminal.waitUntil("it says what can be typed") {
      $0.text.contains("age<7d date:today") && $0.text.contains("combined")
    }
    terminal.send("feed:alpha and unread")
    try terminal.waitUntil("the unread articles of one feed are found") {
      $0.text.contains("│ Apple") && $0.text.contains("│ Apricot") && !$0.text.contains("│ Banana")
    }
    terminal.send(" titel:apple")
    try terminal.waitUntil("the mistake is told") {
      $0.text.contains("✗ There is no field “titel”.") && $0.text.contains("only text in quotes.")
    }
    terminal.send(String(repeating: "\u{7F}", count: 11) + "title:apr\r")
    try terminal.waitUntil("the rest is found, and has the keys") {
      $0.selectedText.hasPrefix("Apricot") && !$0.text.contains("│ Apple")
    }
  }

  @Test func `a query that is edited shows its best results from the top`() throws {
    let titles = (1...40).map { "Apple number \($0)" }
    server["/a"] = .whole(FeedText.rss("Alpha", titles))
    let terminal = try openReader()
    terminal.send("/apple\r")
    try terminal.waitUntil("the results have the focus") {
      $0.text.contains("Search apple") && $0.selectedText.hasPrefix("Apple number")
        && $0.text.contains("Enter open")
    }
    let first = terminal.screen.selectedText
    terminal.send("G")
    try terminal.waitUntil("the last one is selected") {
      $0.selectedText.hasPrefix("Apple number") && $0.selectedText != first
    }
    terminal.send("\u{1B}[Z number")
    try terminal.waitUntil("it was looked for") {
      $0.text.contains("Search apple number") && $0.line(2).contains("│ Apple number")
    }
    terminal.send("\r")
    try terminal.waitUntil("the first one is selected, at the top") {
      $0.selectedText.hasPrefix("Apple number") && $0.line(2).contains($0.selectedText)
    }
  }

  // MARK: Keys of every pane

  @Test(arguments: [50, 80, 130])
  func `n stays in the selected list, then goes elsewhere and says so, from the feeds too`(
    columns: Int
  ) throws {
    let terminal = try openReader(columns: columns)
    try select("Beta", in: terminal)
    for title in ["Banana", "Blueberry"] {
      terminal.send("n")
      try terminal.waitUntil("\(title) is open") { $0.text.contains("The text of \(title).") }
    }
    terminal.send("n")
    try terminal.waitUntil("it went on, and says where") {
      $0.text.contains("The text of Apple.")
        && $0.text.contains("Now in “Alpha”: everything in “Beta” is read.")
    }
    terminal.send("n")
    try terminal.waitUntil("it stays there") { $0.text.contains("The text of Apricot.") }
    terminal.send("n")
    try terminal.waitUntil("nothing is left") { $0.text.contains("Nothing is unread.") }
    terminal.send("q")
    try terminal.waitUntil("the list is the one that it went to") {
      $0.selectedText.hasPrefix("Apricot")
    }
  }

  @Test(arguments: [50, 80, 130])
  func `p goes to the unread article before, also in an article`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    try select("Beta", in: terminal)
    terminal.send("p")
    try terminal.waitUntil("it is the last of the list") {
      $0.text.contains("The text of Blueberry.")
    }
    terminal.send("p")
    try terminal.waitUntil("it is the one before") { $0.text.contains("The text of Banana.") }
  }

  @Test func `N marks as read, Space goes down a page, and R fetches all feeds`() throws {
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"] + (1...40).map { "Berry \($0)" }))
    let terminal = try openReader(rows: 12)
    try select("Beta", in: terminal)
    terminal.send("\r")
    try terminal.waitUntil("Beta is shown") { $0.selectedText.hasPrefix("Banana") }
    #expect(terminal.screen.selectedText.contains("•"))
    terminal.send("N")
    try terminal.waitUntil("it is read") {
      $0.selectedText.hasPrefix("Banana") && !$0.selectedText.contains("•")
    }
    terminal.send(" ")
    try terminal.waitUntil("a page further down") {
      $0.selectedText.hasPrefix("Berry 8")
    }
    server["/a"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple", "Apricot"]))
    terminal.send("R")
    try terminal.waitUntil("the other feed was fetched too") {
      $0.text.contains("2 feeds reloaded: 1 new article.")
        && $0.feedRow("Alpha")?.contains("3") == true
    }
  }

  @Test(arguments: [
    (50, "feeds"), (80, "feeds"), (80, "articles"), (80, "article"), (80, "search"),
  ])
  func `A marks the selected list as read in every pane, and says so`(
    columns: Int, pane: String
  ) throws {
    let terminal = try openReader(columns: columns)
    try select("Beta", in: terminal)
    if pane != "feeds" {
      terminal.send("\r")
      try terminal.waitUntil("Beta is shown") { $0.selectedText.hasPrefix("Banana") }
    }
    switch pane {
    case "article":
      terminal.send("m\rm")
      try terminal.waitUntil("the article is open") { $0.text.contains("The text of Banana.") }
    case "search":
      terminal.send("/b\r")
      try terminal.waitUntil("it was looked for") {
        $0.selectedText.hasPrefix("B") && $0.text.contains("Search b")
      }
    default: break
    }
    terminal.send("A")
    try terminal.waitUntil("it says what it did") {
      $0.text.contains("2 articles marked as read. u to undo.")
    }
    terminal.send("u")
    try terminal.waitUntil("that is undone") {
      $0.text.contains("Undone: 2 articles are unread again.")
    }
  }

  // MARK: Folders

  @Test(arguments: [50, 80, 130])
  func `folders open and close, and stay so in the next run`(columns: Int) throws {
    let list = try home.write(
      """
      <opml version="2.0"><body><outline text="Fruit">
      <outline type="rss" text="Alpha" xmlUrl="\(server.url("/a"))"/></outline>
      <outline type="rss" text="Beta" xmlUrl="\(server.url("/b"))"/></body></opml>
      """, to: "feeds.opml")
    #expect(try home.run("feeds", "import", list).ending == .exited(0))
    let terminal = try openReader(columns: columns)
    try select("★ Starred", in: terminal)
    terminal.send("j")
    func isOpen(_ screen: EmulatedScreen, _ isOpen: Bool) -> Bool {
      screen.selectedText.hasPrefix(isOpen ? "▾ Fruit" : "▸ Fruit")
        && screen.allLines.contains { $0.hasPrefix("  Alpha") } == isOpen
    }
    try terminal.waitUntil("the folder is open") { isOpen($0, true) }
    for (key, opens) in [("\r", false), ("\r", true), ("h", false), ("l", true)] {
      terminal.send(key)
      try terminal.waitUntil("\(key.debugDescription) opened it: \(opens)") { isOpen($0, opens) }
    }
    terminal.send("l")
    try terminal.waitUntil("its articles have the focus") { $0.selectedText.hasPrefix("Apple") }
    terminal.send("h")
    try terminal.waitUntil("the folder has the focus") { isOpen($0, true) }
    terminal.send("j")
    try terminal.waitUntil("the feed in it is selected") { $0.selectedText.hasPrefix("Alpha") }
    terminal.send("h")
    try terminal.waitUntil("← goes from a feed to its folder") { isOpen($0, true) }
    terminal.send("h")
    try terminal.waitUntil("it is closed") { isOpen($0, false) }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))

    let again = try openReader(columns: columns)
    try select("★ Starred", in: again)
    again.send("j")
    try again.waitUntil("the folder is closed still") { isOpen($0, false) }
  }

  @Test func `Ctrl-L draws the screen again, also where a sheet or a field has the keys`() throws {
    let terminal = try openReader()
    // Feeds and articles are loaded separately.
    try terminal.waitUntil("the feeds are counted") {
      $0.isWhole && $0.feedRow("Alpha")?.contains("2") == true
        && $0.feedRow("Beta")?.contains("2") == true
    }
    for (key, words) in [("", "Banana"), ("?", "Esc close"), ("/", "Esc all keys")] {
      terminal.send(key)
      try terminal.waitUntil("\(words) is there") { $0.text.contains(words) }
      let before = terminal.screen.text
      terminal.scribble("\u{1B}[H\u{1B}[2JMessage from root: wash your socks.\r\n")
      try terminal.waitUntil("somebody has written on it") { $0.text.hasPrefix("Message from") }
      terminal.send("\u{0C}")
      try terminal.waitUntil("it is as before") { $0.text == before }
    }
  }
}
