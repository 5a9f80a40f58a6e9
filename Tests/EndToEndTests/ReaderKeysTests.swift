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
    try terminal.send("h", until: "the feeds have the focus") {
      $0.selectedText.hasPrefix("All articles")
    }
    let steps = ["Unread", "Today", "★ Starred", "Alpha", "Beta"]
    try terminal.send(
      String(repeating: "j", count: (steps.firstIndex(of: title) ?? 0) + 1),
      until: "\(title) is selected"
    ) { $0.selectedText.hasPrefix(title) }
  }

  // MARK: Feeds and articles

  @Test(arguments: [50, 80, 118, 130])
  func `Enter, → and l on a feed go to its articles, ← and h go back`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    try select("Beta", in: terminal)
    for (there, back) in [("\r", "h"), ("l", "\u{1B}[D"), ("\u{1B}[C", "\u{1B}")] {
      try terminal.send(there, until: "\(there.debugDescription) went to the articles") {
        $0.selectedText.hasPrefix("Banana")
      }
      try terminal.send(back, until: "\(back.debugDescription) went back to the feeds") {
        $0.selectedText.hasPrefix("Beta")
      }
    }
  }

  @Test(arguments: [50, 80, 130])
  func `q in an article goes back to the list, and quits there`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    try terminal.send("\r", until: "the article is open") {
      $0.text.contains("The text of") && $0.footer.contains("F10 quit")
    }
    try terminal.send("q", until: "the list has the keys") { $0.footer.hasSuffix("q quit") }
    #expect(!terminal.screen.text.contains("The text of"))
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `Q quits, also in an article`() throws {
    let terminal = try openReader()
    try terminal.send("\r", until: "the article is open") { $0.text.contains("The text of") }
    #expect(try terminal.leave(by: "Q") == .exited(0))
  }

  @Test func `where q has no other meaning it quits in an article too`() throws {
    let file = try home.write("[keys]\nleave-article = []\n", to: "config.toml")
    let terminal = try openReader(["--config", file])
    try terminal.send("\r", until: "the article is open") {
      $0.text.contains("The text of") && $0.footer.hasSuffix("q quit")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test(arguments: [50, 80, 130])
  func `a list is gone to by a part of its name, from the list and from an article`(
    columns: Int
  ) throws {
    let terminal = try openReader(columns: columns)
    try terminal.send("L", until: "it asks for a name") {
      $0.text.contains("─ Go to ") && $0.text.contains("part of a name")
    }
    try terminal.send("bet\r", until: "the articles of the feed are there") {
      $0.selectedText.hasPrefix("Banana") && !$0.text.contains("Go to")
        && $0.footer.contains("Enter open")
    }
    try terminal.send("\r", until: "the article is open") {
      $0.text.contains("The text of Banana.") && $0.footer.contains("F10 quit")
    }
    try terminal.send("Lnothing", until: "there is no such list") {
      $0.text.contains("No list has this in its name.")
    }
    try terminal.send(String(repeating: "\u{7F}", count: 7) + "al", until: "two are found") {
      $0.text.contains("│ All articles") && $0.text.contains("Alpha")
        && !$0.text.contains("No list has")
    }
    try terminal.send("\u{1B}[B", until: "the first one is selected") {
      $0.selectedText.hasPrefix("All")
    }
    try terminal.send("j\r", until: "the other one is shown") {
      $0.selectedText.hasPrefix("A") && $0.text.contains("Apricot") && !$0.text.contains("Banana")
    }
  }

  // MARK: The search

  @Test(arguments: [50, 80, 130])
  func `Enter and ↓ in the search go to the results, and a second slash starts afresh`(
    columns: Int
  ) throws {
    let terminal = try openReader(columns: columns)
    try terminal.send("/blue\r", until: "Enter went to what was found") {
      $0.selectedText.hasPrefix("Blueberry")
    }
    try terminal.send("/", until: "the field is empty") {
      $0.text.contains("Search all articles") && !$0.text.contains("Blueberry")
    }
    try terminal.send("ban", until: "it has found something else") {
      $0.text.contains("Search ban") && $0.text.contains("1 found")
    }
    // Typed ahead, as on a slow connection.
    try terminal.send("\u{1B}[B\r", until: "↓ went to it, and Enter opened it") {
      $0.text.contains("Beta · 2026") && $0.text.contains("The text of Banana.")
    }
    try terminal.send("q", until: "the results are back, and have the keys") {
      $0.selectedText.hasPrefix("Banana") && $0.footer.hasSuffix("F10 quit")
    }
    try terminal.send("q", until: "the search is closed") {
      !$0.text.contains("Search") && $0.footer.hasSuffix("q quit")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `what is typed right after the slash is searched for, also from the feeds`() throws {
    let terminal = try openReader()
    try terminal.send("h", until: "the feeds have the keys") { $0.footer.contains("articles") }
    try terminal.send("/ban", until: "it is searched for, and counted") {
      $0.text.contains("Search ban") && $0.text.contains("1 found") && $0.text.contains("│ Banana")
    }
  }

  @Test func `more results than are listed are counted`() throws {
    server["/a"] = .whole(FeedText.rss("Alpha", (1...120).map { "Apple number \($0)" }))
    let terminal = try openReader()
    try terminal.send("/apple", until: "it says how many there are") {
      $0.text.contains("100 of 120")
    }
  }

  @Test func `conditions are typed into the search, and one that cannot be read says why`() throws {
    let terminal = try openReader()
    try terminal.send("/", until: "it says what can be typed") {
      $0.text.contains("age<7d date:today") && $0.text.contains("combined")
    }
    try terminal.send("feed:alpha and unread", until: "the unread articles of one feed are found") {
      $0.text.contains("│ Apple") && $0.text.contains("│ Apricot") && !$0.text.contains("│ Banana")
    }
    try terminal.send(" titel:apple", until: "the mistake is told") {
      $0.text.contains("✗ There is no field “titel”.") && $0.text.contains("only text in quotes.")
    }
    try terminal.send(
      String(repeating: "\u{7F}", count: 11) + "title:apr\r",
      until: "the rest is found, and has the keys"
    ) {
      $0.selectedText.hasPrefix("Apricot") && !$0.text.contains("│ Apple")
    }
  }

  @Test func `a query that is edited shows its best results from the top`() throws {
    let titles = (1...40).map { "Apple number \($0)" }
    server["/a"] = .whole(FeedText.rss("Alpha", titles))
    let terminal = try openReader()
    try terminal.send("/apple\r", until: "the results have the focus") {
      $0.text.contains("Search apple") && $0.selectedText.hasPrefix("Apple number")
        && $0.text.contains("Enter open")
    }
    let first = terminal.screen.selectedText
    try terminal.send("G", until: "the last one is selected") {
      $0.selectedText.hasPrefix("Apple number") && $0.selectedText != first
    }
    try terminal.send("\u{1B}[Z number", until: "it was looked for") {
      $0.text.contains("Search apple number") && $0.line(2).contains("│ Apple number")
    }
    try terminal.send("\r", until: "the first one is selected, at the top") {
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
      try terminal.send("n", until: "\(title) is open") {
        $0.text.contains("The text of \(title).")
      }
    }
    try terminal.send("n", until: "it went on, and says where") {
      $0.text.contains("The text of Apple.")
        && $0.text.contains("Now in “Alpha”: everything in “Beta” is read.")
    }
    try terminal.send("n", until: "it stays there") { $0.text.contains("The text of Apricot.") }
    try terminal.send("n", until: "nothing is left") { $0.text.contains("Nothing is unread.") }
    try terminal.send("q", until: "the list is the one that it went to") {
      $0.selectedText.hasPrefix("Apricot")
    }
  }

  @Test(arguments: [50, 80, 130])
  func `p goes to the unread article before, also in an article`(columns: Int) throws {
    let terminal = try openReader(columns: columns)
    try select("Beta", in: terminal)
    try terminal.send("p", until: "it is the last of the list") {
      $0.text.contains("The text of Blueberry.")
    }
    try terminal.send("p", until: "it is the one before") {
      $0.text.contains("The text of Banana.")
    }
  }

  @Test func `N marks as read, Space goes down a page, and R fetches all feeds`() throws {
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"] + (1...40).map { "Berry \($0)" }))
    let terminal = try openReader(rows: 12)
    try select("Beta", in: terminal)
    try terminal.send("\r", until: "Beta is shown") { $0.selectedText.hasPrefix("Banana") }
    #expect(terminal.screen.selectedText.contains("•"))
    try terminal.send("N", until: "it is read") {
      $0.selectedText.hasPrefix("Banana") && !$0.selectedText.contains("•")
    }
    try terminal.send(" ", until: "a page further down") {
      $0.selectedText.hasPrefix("Berry 8")
    }
    server["/a"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple", "Apricot"]))
    try terminal.send("R", until: "the other feed was fetched too") {
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
      try terminal.send("\r", until: "Beta is shown") { $0.selectedText.hasPrefix("Banana") }
    }
    switch pane {
    case "article":
      try terminal.send("m\rm", until: "the article is open") {
        $0.text.contains("The text of Banana.")
      }
    case "search":
      try terminal.send("/b\r", until: "it was looked for") {
        $0.selectedText.hasPrefix("B") && $0.text.contains("Search b")
      }
    default: break
    }
    try terminal.send("A", until: "it says what it did") {
      $0.text.contains("2 articles marked as read. u to undo.")
    }
    try terminal.send("u", until: "that is undone") {
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
      try terminal.send(key, until: "\(key.debugDescription) opened it: \(opens)") {
        isOpen($0, opens)
      }
    }
    try terminal.send("l", until: "its articles have the focus") {
      $0.selectedText.hasPrefix("Apple")
    }
    try terminal.send("h", until: "the folder has the focus") { isOpen($0, true) }
    try terminal.send("j", until: "the feed in it is selected") {
      $0.selectedText.hasPrefix("Alpha")
    }
    try terminal.send("h", until: "← goes from a feed to its folder") { isOpen($0, true) }
    try terminal.send("h", until: "it is closed") { isOpen($0, false) }
    #expect(try terminal.leave() == .exited(0))

    let again = try openReader(columns: columns)
    try select("★ Starred", in: again)
    try again.send("j", until: "the folder is closed still") { isOpen($0, false) }
  }

  @Test func `an age that cannot be read is refused in words, however fast it is typed`() throws {
    let terminal = try openReader()
    try terminal.send("M", until: "it asks for an age") { $0.text.contains("is older than") }
    var end = 0
    try terminal.send("abc\r", until: "it says what can be typed") {
      end = $0.x
      return $0.text.contains("This is neither of these:")
    }
    try terminal.send("\u{1B}[D", until: "it still says so in the next frame") {
      $0.x == end - 1 && $0.text.contains("This is neither of these:")
    }
    try terminal.send("\u{1B}[C", until: "the cursor is back") { $0.x == end }
    try terminal.send("d", until: "the text is another one") {
      $0.text.contains("abcd") && !$0.text.contains("This is neither of these:")
    }
  }

  @Test func `Ctrl-L draws the screen again, also where a sheet or a field has the keys`() throws {
    let terminal = try openReader()
    // Feeds and articles are loaded separately.
    try terminal.waitUntil("the feeds are counted") {
      $0.isWhole && $0.feedRow("Alpha")?.contains("2") == true
        && $0.feedRow("Beta")?.contains("2") == true
    }
    for (key, words) in [("", "Banana"), ("?", "Esc close"), ("/", "Esc all keys")] {
      try terminal.send(key, until: "\(words) is there") { $0.text.contains(words) }
      let before = terminal.screen.text
      terminal.scribble("\u{1B}[H\u{1B}[2JMessage from root: wash your socks.\r\n")
      try terminal.waitUntil("somebody has written on it") { $0.text.hasPrefix("Message from") }
      try terminal.send("\u{0C}", until: "it is as before") { $0.text == before }
    }
  }
}
