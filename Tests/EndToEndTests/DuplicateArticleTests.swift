import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of articles that several feeds contain: on the screen and on the command line.
struct DuplicateArticleTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    for (name, query) in [("Alpha", ""), ("Beta", "?utm_source=beta")] {
      server["/\(name)"] = .whole(
        """
        <rss><channel><title>\(name)</title><item><guid>\(name)</guid><title>Story</title>
        <link>https://news.example/story\(query)</link>
        <pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate><description>Text.</description></item>
        <item><guid>own</guid><title>Own of \(name)</title><link>https://\(name).example/1</link>
        <pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate><description>Text.</description></item>
        </channel></rss>
        """)
      _ = try home.run("feeds", "add", server.url("/\(name)"))
    }
  }

  @Test func `an article that two feeds have is shown, counted and marked once`() throws {
    let config = try home.write("[display]\ntitle = true\n", to: "config.toml")
    let terminal = try home.openReader(["--config", config], columns: 120, rows: 35)
    try terminal.waitUntil("it is there once") { screen in
      screen.isWhole && screen.title == "(3) argyle" && screen.selectedText.hasPrefix("Story")
        && screen.selectedText.contains("also in Beta")
        && screen.allLines.count { $0.contains("│ Story ") } == 1
        && screen.text.contains("3 articles") && screen.feedRow("Unread")?.contains("3") == true
    }
    try terminal.send("m", until: "it is read in both feeds") {
      $0.title == "(2) argyle"
        && $0.feedRow("Unread")?.contains("2") == true && $0.feedRow("Beta")?.contains("1") == true
        && $0.feedRow("Alpha")?.contains("1") == true
    }
    try terminal.send("u", until: "it is unread in both again") {
      $0.feedRow("Unread")?.contains("3") == true && $0.feedRow("Beta")?.contains("2") == true
    }
    try terminal.send("\r", until: "the article says so, too") {
      $0.text.contains("Alpha · also in Beta")
    }
    try terminal.send("q", until: "the list is back") { $0.text.contains("3 articles") }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `what a rule has read is the user's own mark once it was opened`() throws {
    let home = try Home()
    let config = try home.write(
      "[[rule]]\nwhen = 'feed:Alpha'\ndo = [\"read\"]\n", to: "config.toml")
    for name in ["Story", "Own of Alpha"] {
      _ = try home.run("feeds", "add", server.url("/Alpha"), "--config", config)
      let terminal = try home.openReader(["--config", config])
      try terminal.waitUntil("the list is there") {
        $0.isWhole && $0.selectedText.hasPrefix("Story")
      }
      try terminal.send(name == "Story" ? "\r" : "j\r", until: "it is open") {
        $0.text.contains("Text.")
      }
      #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
      _ = try home.run("feeds", "add", server.url("/Beta"), "--config", config)
      let unread = try home.run("articles", "list", "--unread", "--config", config).output
      #expect(unread.contains("Own of Beta"))
      // An article that a rule marked as read in one feed may be unread in another, but not one
      // that the user marked.
      #expect(unread.contains("Story") == (name != "Story"))
      for feed in ["/Alpha", "/Beta"] { _ = try home.run("feeds", "remove", server.url(feed)) }
      try FileManager.default.removeItem(atPath: home.dataDirectory)
    }
  }

  @Test func `the command line lists it once, and each where that is asked for`() throws {
    let once = try home.run("articles").output
    #expect(once.split(separator: "\n").count == 3)
    #expect(once.contains("Story  (also in Beta)"))
    let each = try home.run("articles", "list", "--duplicates").output
    #expect(each.split(separator: "\n").count == 4)
    #expect(try home.run("articles", "list", "--feed", "Beta").output.contains("(also in Alpha)"))
    #expect(try home.run("articles", "search", "story", "--json").output.contains("\"Beta\""))
    _ = try home.run("articles", "mark", "1", "--read")
    #expect(try home.run("articles", "list", "--unread").output.split(separator: "\n").count == 2)

    let config = try home.write("[reader]\njoin-duplicates = false\n", to: "c.toml")
    let apart = try home.run("articles", "--config", config).output
    #expect(apart.split(separator: "\n").count == 4)
    #expect(!apart.contains("also in"))
  }
}
