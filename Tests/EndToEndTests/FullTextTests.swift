import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of the full text of articles: by a key, automatically and on the command line.
struct FullTextTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/feed"] = .whole(
      """
      <rss><channel><title>Alpha</title>
      <item><guid>1</guid><title>Pier</title><link>\(server.url("/pier"))</link>
      <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>
      <description>Only a summary.</description></item></channel></rss>
      """)
    _ = try home.run("feeds", "add", server.url("/feed"))
  }

  private static let words = String(
    repeating: "The harbour office, in a careful hand, recorded the height of the tide. ", count: 4)

  private static let page = """
    <html><body><nav><a href="/">Home</a></nav><article><h1>Pier</h1><p>Once upon a tide.</p>
    \(String(repeating: "<p>\(words)</p>", count: 12))</article><footer>Imprint</footer></body></html>
    """

  private func openArticle(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
    let terminal = try home.openReader(columns: columns, rows: rows)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Pier")
    }
    terminal.send("\r")
    return terminal
  }

  @Test(arguments: [(80, 24), (130, 35), (20, 5)])
  func `w fetches the full text over the feed's, and goes back to it; r tries again`(
    columns: Int, rows: Int
  ) throws {
    let isSmall = rows < 10
    server["/pier"] = .whole("", status: 503)
    let terminal = try openArticle(columns: columns, rows: rows)
    try terminal.waitUntil("the feed's text is there") {
      $0.text.contains("Only a summary.") && (isSmall || $0.footer.contains("w full text"))
    }
    try terminal.send("w", until: "why there is none, with the feed's text") {
      $0.text.contains("Only a summary.") && $0.text.contains("✗ The se")
        && (isSmall || $0.text.contains("r to retry"))
    }
    server["/pier"] = .heldHead(Self.page)
    terminal.send("r")
    try server.waitForRequest(to: "/pier", count: 2)
    try terminal.waitUntil("the feed's text is still there") {
      $0.text.contains("Only a summary.") && !$0.text.contains("✗ The se")
    }
    server.release("/pier")
    try terminal.waitUntil("the full text is there") {
      $0.text.contains("Once upon a tide.") && !$0.text.contains("Imprint")
        && !$0.text.contains("Only a summary.") && (isSmall || $0.footer.contains("w feed's text"))
        // The reading time is that of the text on the screen.
        && (isSmall || $0.text.contains("Full text · ") && !$0.text.contains("· 1 min"))
    }
    try terminal.send("w", until: "the feed's text is back") {
      $0.text.contains("Only a summary.") && !$0.text.contains("Once upon a tide.")
        && (isSmall || $0.text.contains("· 1 min") && !$0.text.contains("Full text · "))
    }
    try terminal.send("w", until: "the full text was kept") {
      $0.text.contains("Once upon a tide.")
    }
    #expect(server.requests(to: "/pier").count == 2)
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
    // The full text is shown at the next start, too, without the server.
    server.stop()
    let again = try openArticle(columns: columns, rows: rows)
    try again.waitUntil("the full text is there") { $0.text.contains("Once upon a tide.") }
    #expect(try again.leave(by: "\u{1B}[21~") == .exited(0))
  }

  @Test func `a feed that is set so has the full text by itself, on the screen, too`() throws {
    server["/pier"] = .whole(Self.page)
    let terminal = try home.openReader(columns: 100)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Pier") && $0.feedRow("Alpha") != nil
    }
    try terminal.send("h", until: "the feeds have the keys") {
      $0.selectedText.contains("All articles")
    }
    try terminal.send("G", until: "the feed is selected") { $0.selectedText.contains("Alpha") }
    try terminal.send("e", until: "its settings are there") {
      $0.text.contains("Text   ‹") && $0.footer.contains("Enter save")
    }
    try terminal.send("\t\t\t\t\u{1B}[C\u{1B}[C", until: "the full text is chosen") {
      $0.text.contains("full, from its web page")
    }
    try terminal.send("\t", until: "a field has the keys") { $0.footer.contains("Enter save") }
    try terminal.send("\r", until: "it is stored") { $0.text.contains("Changed “Alpha”.") }
    try terminal.send("l", until: "the list has the keys") { $0.selectedText.hasPrefix("Pier") }
    try terminal.send("\r", until: "the full text is there") {
      $0.text.contains("Once upon a tide.")
    }
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
    #expect(try home.run("feeds").output.contains("Alpha, full text, 1 article"))
  }

  @Test func `the command line fetches it, keeps it, and reloads what is new`() throws {
    server["/pier"] = .whole(Self.page)
    let own = try home.run("articles", "show", "1", "--json")
    #expect(own.output.contains("\"textSource\" : \"feed\""))
    let full = try home.run("articles", "show", "1", "--full-text", "--json")
    #expect(full.ending == .exited(0))
    #expect(full.output.contains("\"textSource\" : \"page\""))
    #expect(full.output.contains("Once upon a tide.") && !full.output.contains("Imprint"))
    #expect(try home.run("articles", "show", "1").output.contains("Once upon a tide."))
    #expect(try home.run("articles", "show", "1", "--feed-text").output.contains("Only a summary."))
    #expect(try home.run("articles", "search", "careful").ending == .exited(0))
    #expect(
      try home.run("articles", "show", "1", "--feed-text", "--full-text").ending == .exited(64))

    let set = try home.run("feeds", "set", "Alpha", "--full-text", "yes", "--json")
    #expect(set.output.contains("\"fullText\" : true"))
    #expect(try home.run("feeds", "set", "Alpha", "--full-text", "maybe").ending == .exited(64))
    server["/feed"] = .whole(
      """
      <rss><channel><title>Alpha</title><item><guid>2</guid><title>New</title>
      <link>\(server.url("/new"))</link><description>Short.</description></item></channel></rss>
      """)
    server["/new"] = .whole(Self.page)
    #expect(try home.run("reload").ending == .exited(0))
    #expect(server.requests(to: "/new").count == 1)
    #expect(try home.run("articles", "show", "2").output.contains("Once upon a tide."))
  }

  @Test func `the row of an article has the reading time of its full text from then on`() throws {
    server["/pier"] = .whole(Self.page)
    let terminal = try openArticle(columns: 130, rows: 35)
    try terminal.waitUntil("the feed's text is there") { $0.text.contains("Only a summary.") }
    try terminal.send("w", until: "the full text is there") {
      $0.text.contains("Once upon a tide.")
    }
    try terminal.send("q", until: "the row says how long that takes") {
      $0.isWhole && $0.selectedText.hasPrefix("Pier") && $0.selectedText.contains(" min")
        && !$0.selectedText.contains(" 1 min")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test
  func `a program of the user's extracts the article, and nothing of the page is an argument`()
    throws
  {
    server["/pier"] = .whole(Self.page)
    try home.write(
      """
      [[full-text]]
      site = "127.0.0.1"
      run = ["/usr/bin/sed", "-n", "s/.*<p>Once.*/<p>From sed: $(id)/p"]
      """, to: "config.toml")
    let config = home.path + "/config.toml"
    let full = try home.run("articles", "show", "1", "--full-text", "--config", config)
    #expect(full.output.hasSuffix("\n\nFrom sed: $(id)\n"))

    for (run, words) in [
      ("\"/bin/sh\", \"-c\", \"echo its reason >&2; exit 3\"", "ended with status 3: its reason"),
      ("\"/nonexistent/x\"", "could not be started"), ("\"true\"", "No article was found"),
    ] {
      try home.write(
        "[[full-text]]\nsite = \"127.0.0.1\"\nrun = [\(run)]\n", to: "config.toml")
      _ = try home.run("reload")
      try home.write(
        "[[full-text]]\nsite = \"127.0.0.1\"\nrun = [\(run)]\n", to: "other.toml")
      let fresh = try Home()
      _ = try fresh.run("feeds", "add", server.url("/feed"))
      let failed = try fresh.run(
        "articles", "show", "1", "--full-text", "--config", home.path + "/other.toml")
      #expect(failed.ending == .exited(1))
      #expect(failed.errors.contains(words), "\(failed.errors)")
    }
  }
}
