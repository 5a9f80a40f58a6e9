import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of adding, editing, removing and restoring feeds on the screen.
struct FeedEditingTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
  }

  private func openReader(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns, rows: rows)
    try terminal.waitUntil("the list is there") { $0.isWhole && !$0.selectedText.isEmpty }
    return terminal
  }

  /// Opens the reader with two feeds, and selects Alpha in the list of feeds.
  private func openFeeds() throws -> PseudoTerminal {
    for path in ["/a", "/b"] {
      #expect(try home.run("feeds", "add", server.url(path)).ending == .exited(0))
    }
    let terminal = try openReader()
    try terminal.waitUntil("the feeds are there") { $0.feedRow("Beta") != nil }
    try terminal.send("\tjjjj", until: "Alpha is selected") { isShown("Alpha", $0) }
    return terminal
  }

  /// Whether the pane of articles shows a feed.
  private func isShown(_ title: String, _ screen: EmulatedScreen) -> Bool {
    screen.allLines.contains { $0.contains("│ \(title)") }
  }

  @Test func `without a feed it says how to add one, and a pasted address is fetched and selected`()
    throws
  {
    let terminal = try openReader()
    try terminal.waitUntil("it says how to add one") {
      $0.text.contains("You have no feeds yet.") && $0.text.contains("a to add one")
    }
    try terminal.send("a", until: "the sheet is there") { $0.text.contains("╭─ Add a feed") }
    terminal.paste(" \(server.url("/a"))\n")
    try terminal.waitUntil("the address is there") { $0.text.contains(server.url("/a")) }
    try terminal.send("\r", until: "it is fetched and selected", saying: "Added “Alpha”.") {
      isShown("Alpha", $0) && $0.selectedText.hasPrefix("Apple")
        && !$0.text.contains("╭─") && !$0.text.contains("You have no feeds yet.")
    }
    try terminal.send("u", until: "it is undone") { $0.text.contains("You have no feeds yet.") }
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.run("feeds").output.isEmpty)
  }

  @Test func `a page with several feeds lets the user choose one`() throws {
    server["/"] = .whole(
      "<!doctype html><link rel=feed href=/a title=First><link rel=feed href=/b title=Second>")
    let terminal = try openReader()
    try terminal.send("a\(server.url("/"))\r", until: "both are there") {
      $0.text.contains("The page has 2 feeds.") && $0.text.contains("│ Second ")
    }
    try terminal.send("j\r", until: "the second is added") {
      isShown("Beta", $0) && $0.selectedText.hasPrefix("Banana")
    }
    #expect(server.requests(to: "/a").isEmpty)
    try terminal.send("a\(server.url("/"))\r", until: "it is said which of them is there already") {
      screen in
      func line(_ title: String) -> String {
        screen.allLines.first { $0.contains("│ \(title) ") } ?? ""
      }
      return line("Second").contains("already added") && line("First").contains("First")
        && !line("First").contains("already")
    }
  }

  @Test func `the command line adds the first of a page's feeds and names the others`() throws {
    server["/"] = .whole(
      "<!doctype html><link rel=feed href=/a title=First><link rel=feed href=/b title=Second>")
    let added = try home.run("feeds", "add", server.url("/"))
    #expect(
      added.output.hasSuffix(
        """
          \(server.url("/a"))
        The page has other feeds, too:
          \(server.url("/b"))  Second

        """), "\(added.output)")
  }

  @Test func `the other feed of a page is named with its first, and offered once that is there`()
    throws
  {
    server["/"] = .whole(
      """
      <!doctype html><link rel=alternate type=application/rss+xml href=/a title=First>\
      <link rel=alternate type=application/rss+xml href=/b title=Comments>
      """)
    let terminal = try openReader(columns: 100)
    try terminal.send("a\(server.url("/"))\r", until: "the other one is named, too") {
      isShown("Alpha", $0)
        && $0.text.contains(
          "Added “Alpha”. The page also has “Comments”: \(server.url("/b"))")
    }
    try terminal.send("a\(server.url("/"))\r", until: "it is offered") { screen in
      screen.text.contains("You already have this feed. The page has another:")
        && screen.text.contains("│ Comments ") && screen.text.contains("│ \(server.url("/b")) ")
        && !screen.text.contains("│ \(server.url("/a")) ")
    }
    try terminal.send("\r", until: "Enter adds it", saying: "Added “Beta”.") {
      isShown("Beta", $0) && !$0.text.contains("╭─")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `what is wrong with an address is said, nothing is kept, and it can be corrected`()
    throws
  {
    server["/page"] = .whole("<!doctype html><p>No feed here.")
    let terminal = try openReader()
    try terminal.send("a\(server.url("/page"))\r", until: "it says what and what to do") {
      $0.text.contains("✗ This is a web page, not a feed.")
        && $0.text.contains("Look on the page for the address of its feed.")
    }
    try terminal.send("\u{15}/no/such/file\r", until: "the next mistake has its own words") {
      $0.text.contains("✗ There is no such file.") && !$0.text.contains("web page")
    }
    server.refuseConnections()
    try terminal.send(
      "\u{15}\(server.url("/a"))\r", until: "a server that does not answer is kept for later"
    ) {
      $0.text.contains("could not be fetched yet") && !$0.text.contains("╭─")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.run("feeds").output.hasPrefix(server.url("/a")))
  }

  @Test func `Esc ends a search that takes long, and keeps nothing`() throws {
    server["/slow"] = .heldHead(FeedText.rss("Slow", ["Snail"]))
    let terminal = try openReader()
    try terminal.send("a\(server.url("/slow"))\r", until: "it is looked for") {
      $0.text.contains("Looking for a feed")
    }
    terminal.send("\u{1B}")
    try server.waitForAbandonment(of: "/slow")
    try terminal.waitUntil("the sheet is closed") {
      !$0.text.contains("╭─") && $0.text.contains("You have no feeds yet.")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.run("feeds").output.isEmpty)
  }

  @Test func `a list of feeds in a file is imported, and undone`() throws {
    let list = try home.write(
      """
      <opml version="2.0"><body><outline text="Fruit">
      <outline text="Mine" xmlUrl="\(server.url("/a"))"/></outline></body></opml>
      """, to: "list.opml")
    let terminal = try openReader()
    try terminal.send("a\(list)\r", until: "its feeds are there", saying: "Added 1 feed") {
      $0.text.contains("▾ Fruit") && $0.text.contains("Mine")
    }
    try terminal.send("u", until: "it is undone") { !$0.text.contains("▾ Fruit") }
  }

  @Test func `a page at an address that ends as newsboat's list does says what is wrong with it`()
    throws
  {
    server["/urls"] = .whole("<html><body><p>No feed.</p></body></html>")
    let terminal = try openReader()
    try terminal.send("a\(server.url("/urls"))\r", until: "it says so") {
      $0.text.contains("This is a web page") || $0.text.contains("This is a list")
    }
    #expect(!terminal.screen.text.contains("This is a list"))
  }

  @Test func `newsboat's list is imported from the screen, too`() throws {
    let list = try home.write(
      "# Mine\n\(server.url("/a")) fruit \"~Mine\"\n\"query:New:unread = 1\"\n", to: "urls")
    let terminal = try openReader()
    try terminal.send("a\(list)\r", until: "its feed is there, and what was left out is named") {
      $0.text.contains("Added 1 feed, 1 entry left out.") && $0.text.contains("Mine")
        && $0.text.contains("It is a search over feeds")
    }
    try terminal.send("\r", until: "the sheet is closed") { !$0.text.contains("╭─") }
    let refused = try home.run("feeds", "import", "--newsboat", list)
    #expect(refused.errors.contains("save that with F2"))
  }

  @Test func `a feed is renamed, tagged and moved to a new folder, and all of it undone at once`()
    throws
  {
    let terminal = try openFeeds()
    try terminal.send("e", until: "the sheet is there") { $0.text.contains("╭─ Edit feed") }
    try terminal.send(
      "\u{15}Mine\tone, two\t\tNews/Tech\r", until: "all of it shows", saying: "Changed “Mine”."
    ) {
      isShown("Mine", $0) && $0.text.contains("▾ News") && $0.text.contains("▾ Tech")
        && !$0.text.contains("╭─")
    }
    let listed = try home.run("feeds", "list", "--json")
    let feeds = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]]
    let mine = try #require(feeds?.first { $0["title"] as? String == "Mine" })
    #expect(mine["tags"] as? [String] == ["one", "two"])
    #expect(mine["folder"] as? [String] == ["News", "Tech"])
    try terminal.send("u", until: "it is as it was") {
      isShown("Alpha", $0) && !$0.text.contains("▾")
    }
  }

  @Test func `a feed is given another address, and keeps its articles`() throws {
    #expect(try home.run("feeds", "add", server.url("/a")).ending == .exited(0))
    #expect(
      try home.run("feeds", "set", "Alpha", "--address", server.url("/b")).ending == .exited(0))
    let feeds = try home.run("feeds", "list").output
    #expect(feeds.contains(server.url("/b")) && !feeds.contains(server.url("/a")))
    #expect(try home.run("reload").ending == .exited(0))
    let articles = try home.run("articles", "list").output
    #expect(articles.contains("Apple") && articles.contains("Banana"))
    #expect(try home.run("feeds", "add", server.url("/a")).ending == .exited(0))
    let refused = try home.run("feeds", "set", server.url("/b"), "--address", server.url("/a"))
    #expect(refused.ending == .exited(1))
    #expect(refused.errors.contains("Another of your feeds has this address. Give a different one"))
  }

  @Test func `a folder is chosen from those that exist, and renamed`() throws {
    #expect(try home.run("feeds", "add", server.url("/b")).ending == .exited(0))
    #expect(try home.run("feeds", "set", "Beta", "--folder", "Fruit").ending == .exited(0))
    #expect(try home.run("feeds", "add", server.url("/a")).ending == .exited(0))
    let terminal = try openReader()
    try terminal.waitUntil("the feeds are there") { $0.feedRow("Alpha") != nil }
    try terminal.send("\tG", until: "Alpha is selected") { isShown("Alpha", $0) }
    try terminal.send("e\t\t\t\u{1B}[B\r", until: "the folder is chosen") {
      $0.text.contains("Folder  Fruit") && $0.footer.contains("Enter save")
    }
    try terminal.send("\r", until: "it is in the folder") { $0.feedRow("  Alpha") != nil }
    try terminal.send("k", until: "the folder is selected") { isShown("Fruit", $0) }
    try terminal.send("e\u{15}Vegetables\r", until: "it is renamed and stays selected") {
      isShown("Vegetables", $0) && $0.feedRow("▾ Vegetables") != nil
    }
    try terminal.send("u", until: "it has its name again") { $0.feedRow("▾ Fruit") != nil }
  }

  @Test
  func `a folder is removed without its feeds, and a closed one opens for a feed that comes in`()
    throws
  {
    #expect(try home.run("feeds", "add", server.url("/b")).ending == .exited(0))
    #expect(try home.run("feeds", "set", "Beta", "--folder", "Fruit").ending == .exited(0))
    #expect(try home.run("feeds", "add", server.url("/a")).ending == .exited(0))
    let terminal = try openReader()
    try terminal.waitUntil("the feeds are there") { $0.feedRow("Alpha") != nil }
    try terminal.send("\tGkh", until: "the folder is selected") { isShown("Fruit", $0) }
    try terminal.send("h", until: "it is closed") { $0.feedRow("▸ Fruit") != nil }
    try terminal.send("j", until: "Alpha is selected") { isShown("Alpha", $0) }
    try terminal.send("e\t\t\tFruit\r", until: "it is in the folder, in sight") {
      $0.feedRow("▾ Fruit") != nil && $0.feedRow("  Alpha") != nil && isShown("Alpha", $0)
    }
    try terminal.send("h", until: "the folder is selected again") { isShown("Fruit", $0) }
    try terminal.send("x", until: "its feeds stay", saying: "Removed the folder “Fruit”") {
      !$0.text.contains("▾ Fruit") && $0.feedRow("Alpha") != nil && $0.feedRow("Beta") != nil
    }
    try terminal.send("u", until: "it is back", saying: "Undone: the folder is back.") {
      $0.feedRow("▾ Fruit") != nil
    }
    #expect(try terminal.leave() == .exited(0))
    let removal = try home.run("feeds", "remove-folder", "Fruit")
    #expect(removal.output == "Removed Fruit; its feeds are still there: 2.\n")
    #expect(try !home.run("feeds").output.contains("in Fruit"))
  }

  @Test func `a page is added whose feed was removed, and is selected`() throws {
    server["/"] = .whole("<!doctype html><link rel=feed href=/a>")
    for path in ["/a", "/b"] {
      #expect(try home.run("feeds", "add", server.url(path)).ending == .exited(0))
    }
    #expect(try home.run("feeds", "remove", "Alpha").ending == .exited(0))
    let terminal = try openReader()
    try terminal.send("a\(server.url("/"))\r", until: "it is back, and selected") {
      isShown("Alpha", $0) && $0.selectedText.hasPrefix("Apple")
    }
  }

  @Test func `a second x before the feed is out of sight is no failure`() throws {
    let terminal = try openFeeds()
    try terminal.send("xx", until: "it is removed, without an error", saying: "Removed “Alpha”") {
      $0.feedRow("Alpha") == nil && !$0.text.contains("✗")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a feed is removed, and u brings it back with its marks`() throws {
    let terminal = try openFeeds()
    #expect(terminal.screen.footer.contains("a add a feed  e edit  x remove"))
    try terminal.send(
      "x", until: "it is gone, and the next one is selected", saying: "Removed “Alpha”."
    ) {
      $0.feedRow("Alpha") == nil && isShown("Beta", $0)
    }
    try terminal.send("u", until: "it is back, and selected") {
      $0.feedRow("Alpha") != nil && isShown("Alpha", $0) && $0.text.contains("Apple")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.run("feeds").output.contains("Alpha"))
  }

  @Test func `on the smallest of screens a feed is added`() throws {
    let terminal = try openReader(columns: 20, rows: 5)
    try terminal.send("a\(server.url("/a"))\r", until: "it is there") {
      $0.selectedText.hasPrefix("Apple")
    }
    try terminal.send("a/no/such\r", until: "what is wrong is in sight") {
      $0.text.contains("✗ There is no")
    }
  }
}
