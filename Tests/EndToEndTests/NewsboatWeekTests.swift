import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Forty things that users of newsboat do in a week, each done here with keys on a terminal.
///
/// Those that no other suite tests are tested here. The README's table has a row for each of them,
/// which a test checks.
struct NewsboatWeekTests {
  struct Thing: CustomTestStringConvertible {
    let what: String
    /// How newsboat does it; a hyphen if its users have asked for it.
    let newsboat: String
    let argyle: String
    /// The name of the test in this folder.
    let test: String

    init(_ what: String, _ newsboat: String, _ argyle: String, _ test: String) {
      (self.what, self.newsboat, self.argyle, self.test) = (what, newsboat, argyle, test)
    }

    var testDescription: String { what }
    var row: String { "| \(what) | \(newsboat) | \(argyle) |" }
  }

  private static let reading = "an evening of reading, from one unread article to the next"
  private static let looking = "a morning of looking through what has come"
  private static let script = "what scripts ask for is answered"

  static let things = [
    Thing(
      "take over the list of feeds, with what was read", "`urls`, `cache.db`",
      "`argyle feeds import --newsboat`; the list alone: `a` and its path",
      "newsboat's list is taken over with what was read there"),
    Thing(
      "import OPML", "`newsboat -i`", "`a` and the file, `argyle feeds import`",
      "a list of feeds in a file is imported, and undone"),
    Thing(
      "export OPML", "`newsboat -e`", "`argyle feeds export`",
      "feeds go to another reader and come from one"),
    Thing(
      "add a feed", "`E`, a line in `urls`", "`a`, `argyle feeds add`",
      "without a feed it says how to add one, and a pasted address is fetched and selected"),
    Thing(
      "remove a feed", "`E`", "`x`, then `u` if it was a mistake",
      "a feed is removed, and u brings it back with its marks"),
    Thing(
      "title and tags of a feed", "`\"~Title\"` and tags in `urls`", "`e`",
      "a feed is renamed, tagged and moved to a new folder, and all of it undone at once"),
    Thing("reload a feed", "`r`", "`r`", looking),
    Thing("reload all feeds", "`R`", "`R`", looking),
    Thing(
      "reload by itself", "`auto-reload`, `reload-time`", "`fetching.reload-minutes`",
      "an interval in the configuration holds as soon as it is written there"),
    Thing(
      "reload without a screen", "`newsboat -x reload`", "`argyle reload`",
      "a reload on the command line tells a program what has come"),
    Thing(
      "be told of new articles", "`notify-program`, `notify-beep`",
      "`fetching.on-new`, `fetching.notify`, `fetching.bell`",
      "in the reader the program is told, too, and the bell rings once"),
    Thing(
      "how much is unread, for a status bar", "`newsboat -x print-unread`",
      "`argyle articles list --unread --json`", script),
    Thing("open an article, go back", "`Enter`, `q`", "`Enter`, `q`", reading),
    Thing("next and previous unread article", "`n`, `p`", "`n`, `p`", reading),
    Thing("next and previous feed with unread articles", "`^N`, `^P`", "`)`, `(`", looking),
    Thing("mark as read or unread", "`N`", "`N` or `m`", reading),
    Thing("mark a feed as read", "`A`", "`A`", looking),
    Thing(
      "mark all above as read", "`mark-all-above-as-read`", "`K`; `J` below, `M` what is older",
      "what is above, below or older is marked, and taken back in one step"),
    Thing("take a mark back", "-", "`u`", reading),
    Thing("hide feeds that are read", "`l`", "`U`, articles too", looking),
    Thing(
      "flags of an article", "`^E`", "`s` star, `b` read later, `T` tags",
      "tags are typed, completed from those that there are, shown and found"),
    Thing(
      "open in the browser", "`o`", "`o`",
      "the address is the browser's only argument, and no shell reads it"),
    Thing(
      "the links of an article", "`u`, `1` to `9`",
      "`f` and the link's letters, or its number and `Enter`", reading),
    Thing(
      "bookmark, pipe to a program", "`^B`, `bookmark-cmd`, the bar key", "`[[command]]`",
      "each argument is one, and no shell reads it"),
    Thing(
      "save an article", "`s`", "`S`",
      "S saves the article as Markdown, beside what is there"),
    Thing("search", "`/`", "`/`, all articles; in an article its words", looking),
    Thing(
      "filter", "`F`, filter expressions", "`/` with conditions: `unread and age<7d`",
      "conditions are typed into the search, and one that cannot be read says why"),
    Thing(
      "query feeds", "`query:` in `urls`", "`F2` in the search, `[[search]]`",
      "a search is saved from where it is typed, renamed and removed in the feeds"),
    Thing(
      "kill files", "`ignore-article`", "`[[rule]]` with `do = [\"mute\"]`",
      "muted articles are in a list of their own, which is there where something is muted"),
    Thing(
      "go to a folder, a feed", "-", "`L` and a part of its name",
      "a list is gone to by a part of its name, from the list and from an article"),
    Thing(
      "the feeds of a tag", "`t`", "`/` with `tag:news`, which `F2` makes a list",
      "a search is saved from where it is typed, renamed and removed in the feeds"),
    Thing(
      "sort, each feed in its way", "`g`, `G`, `article-sort-order`",
      "`O`, and `v` for titles above",
      "the order of a feed is its own, also after a start"),
    Thing(
      "formats and colours", "`articlelist-format`, `color`", "`reader.article-row`, `[[theme]]`",
      "a theme and a format show at once, also what is changed of them"),
    Thing(
      "keys of one's own", "`bind-key`", "`[keys]`",
      "keys and theme of the file hold, and those of an edit while the program runs"),
    Thing(
      "macros", "`,`, `macro`", "`[[macro]]`",
      "a macro does its actions, each on the screen of the one before"),
    Thing(
      "download and play episodes", "`e`, podboat", "`D`, `I`, `P`, `argyle podcasts`",
      "D downloads, I shows the queue, and a player has the terminal"),
    Thing(
      "go on where an episode was stopped", "-", "`{positions}` in `podcasts.player`",
      "where a player has stopped is shown, and it goes on there"),
    Thing(
      "chapters, transcripts", "-", "`c`, `W`, `argyle podcasts chapters` and `transcript`",
      "c shows the chapters, and Enter plays from the beginning of one"),
    Thing(
      "full text", "`download-full-page`", "`w`, `fetching.full-text`",
      "w fetches the full text over the feed's, and goes back to it; r tries again"),
    Thing(
      "feeds from programs", "`exec:`, `filter:`", "`exec:`, `filter:` with `[[exec]]`",
      "such a feed is added and reloaded on the screen"),
    Thing(
      "sync with a server", "`urls-source`", "`@`, `argyle account add`",
      "an account is added by keys, syncs by itself and waits while it is offline"),
    Thing("nothing but feeds on the screen", "-", "`display.tabs = [\"articles\"]`", script),
  ]

  @Test func `there are forty-two things, and each has a test that does it`() throws {
    #expect(Self.things.count == 42)
    #expect(Set(Self.things.map(\.what)).count == 42)
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    let sources = try names.map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
    for thing in Self.things {
      #expect(sources.contains { $0.contains("func `\(thing.test)`(") }, "\(thing.what)")
    }
  }

  @Test func `the README has a row for each of them`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let rows = readme.components(separatedBy: "\n| what | newsboat | Argyle |\n").last?
      .split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
    #expect(rows.map { $0.map(String.init) } == Self.things.map(\.row))
  }

  // MARK: On a terminal

  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
    server["/c"] = .whole(
      """
      <rss version="2.0"><channel><title>Gamma</title><item><title>Links</title><guid>1</guid>
      <pubDate>Mon, 02 Feb 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;See
      &lt;a href="http://example.org/first"&gt;the first&lt;/a&gt; and
      &lt;a href="http://example.org/second"&gt;the second&lt;/a&gt;.&lt;/p&gt;</description></item>
      </channel></rss>
      """)
    for path in ["/a", "/b", "/c"] { _ = try home.run("feeds", "add", server.url(path)) }
  }

  private func openReader(
    _ arguments: [String] = [], columns: Int = 100, adding more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try home.openReader(arguments, columns: columns, adding: more)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple") && $0.feedRow("Gamma") != nil
        && isUnread("Links", $0)
    }
    return terminal
  }

  private func isUnread(_ title: String, _ screen: EmulatedScreen) -> Bool {
    screen.allLines.contains { $0.contains("\(title)  ") && $0.contains("•") }
  }

  @Test(arguments: [80, 100])
  func `an evening of reading, from one unread article to the next`(columns: Int) throws {
    let record = try Record(path: home.path + "/record")
    let browser = try home.write(
      "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >'\(record.path)'\n", to: "browser")
    chmod(browser, 0o755)
    let terminal = try openReader(columns: columns, adding: ["BROWSER": browser])
    try terminal.send("\r", until: "it is open") {
      $0.text.contains("The text of Apple.") && $0.footer.hasSuffix("F10 quit")
    }
    try terminal.send("q", until: "the list is back, and it is read") {
      $0.footer.hasSuffix(" q quit") && !isUnread("Apple", $0) && isUnread("Cherry", $0)
    }
    try terminal.send("N", until: "it is unread") { isUnread("Apple", $0) }
    try terminal.send("N", until: "and read again") { !isUnread("Apple", $0) }
    try terminal.send("u", until: "that is taken back", saying: "Undone") { isUnread("Apple", $0) }
    for (key, text) in [
      ("n", "The text of Banana."), ("n", "The text of Cherry."), ("p", "The text of Apple."),
      ("n", "See the first"),
    ] {
      try terminal.send(key, until: "\(key) went on to \(text)") {
        $0.text.contains(text) && $0.footer.hasSuffix("F10 quit")
      }
    }
    try terminal.send("f", until: "the links have letters") {
      $0.text.contains("See ahe first") && $0.footer.contains("Esc cancel")
    }
    terminal.send("s")
    #expect(try record.read() == ["http://example.org/second"])
    try terminal.send("q", until: "all are read") { screen in
      screen.footer.hasSuffix(" q quit")
        && ["Apple", "Banana", "Cherry", "Links"].allSatisfy { !isUnread($0, screen) }
    }
    try terminal.send("n", until: "nothing is left") { $0.text.contains("Nothing is unread.") }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a morning of looking through what has come`() throws {
    let terminal = try openReader()
    server["/b"] = .whole(FeedText.rss("Beta", ["Blueberry", "Banana"]))
    try terminal.send("))", until: "the second feed is shown") {
      $0.selectedText.hasPrefix("Banana") && !$0.text.contains("Cherry")
    }
    try terminal.send("r", until: "it is reloaded") { isUnread("Blueberry", $0) }
    server["/a"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple", "Cherry"]))
    try terminal.send("R", until: "all are reloaded") {
      $0.feedRow("Alpha")?.contains("3") == true && $0.isWhole
    }
    try terminal.send("(", until: "the first feed is shown") {
      isUnread("Avocado", $0) && isUnread("Cherry", $0) && !$0.text.contains("Banana")
    }
    try terminal.send("A", until: "it is read", saying: "3 articles marked") {
      !isUnread("Avocado", $0) && !isUnread("Cherry", $0)
    }
    try terminal.send("(", until: "the last feed comes before the first") {
      $0.selectedText.hasPrefix("Links") && !$0.text.contains("Avocado")
    }
    try terminal.send("U", until: "the feed that is read is hidden") {
      $0.feedRow("Alpha") == nil && $0.feedRow("Beta") != nil
    }
    try terminal.send("/blue", until: "it is found") {
      $0.text.contains("Search blue") && $0.text.contains("The text of Blueberry.")
    }
    try terminal.send("\u{1B}", until: "the list is back") {
      $0.selectedText.hasPrefix("Links") && $0.isWhole
    }
    try terminal.send("A", until: "it is read") { $0.text.contains("1 article marked") }
    try terminal.send(")", until: "the feed that is left is shown") {
      isUnread("Blueberry", $0) && isUnread("Banana", $0)
    }
    try terminal.send("A", until: "it is read, too", saying: "2 articles marked") {
      $0.feedRow("Beta")?.contains("2") == false
    }
    try terminal.send(")", until: "no feed is left") {
      $0.text.contains("No other feed has unread articles.")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `what scripts ask for is answered`() throws {
    let list = try home.run("articles", "list", "--unread", "--json")
    let articles = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [Any]
    #expect(articles?.count == 4)
    let config = try home.write("[display]\ntabs = [\"articles\"]\n", to: "config.toml")
    let terminal = try openReader(["--config", config])
    #expect(!terminal.screen.text.contains("Socks"))
    #expect(terminal.screen.line(0).hasPrefix("Feeds"))
    // With a single tab, a digit does not choose a tab but is a count.
    try terminal.send("2j", until: "the second next article is selected") {
      $0.selectedText.hasPrefix("Cherry") && !$0.text.contains("Socks")
    }
    #expect(try terminal.leave() == .exited(0))
    try home.write("[display]\ntabs = [\"articles\", \"news\"]\n", to: "config.toml")
    let check = try home.run("config", "--check", "--config", config)
    #expect(check.ending == .exited(78))
    #expect((check.output + check.errors).contains("at least one of \"articles\", \"socks\""))
    try home.write("[display]\ntabs = [\"articles\", \"articles\"]\n", to: "config.toml")
    let twice = try home.run("config", "--check", "--config", config)
    #expect(twice.ending == .exited(78))
    #expect((twice.output + twice.errors).contains("and none of them twice"))
  }
}
