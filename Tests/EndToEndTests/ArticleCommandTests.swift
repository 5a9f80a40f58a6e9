import Foundation
import GRDB
import PseudoTerminal
import TestServer
import Testing

/// Tests of the articles on the command line, as a script uses them.
struct ArticleCommandTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/alpha"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
    server["/wide"] = .whole(FeedText.rss("日本のニュース", ["東京の靴下"]))
    for path in ["/alpha", "/wide"] {
      #expect(try home.run("feeds", "add", server.url(path)).ending == .exited(0))
    }
  }

  private func list(_ arguments: String...) throws -> [[String: Any]] {
    let (terminal, output) = try home.start(["articles", "list", "--json"] + arguments)
    #expect(try terminal.waitForExit() == .exited(0))
    let value = try JSONSerialization.jsonObject(with: Data(try home.text(of: output).utf8))
    return try #require(value as? [[String: Any]])
  }

  private func titles(_ articles: [[String: Any]]) -> Set<String> {
    Set(articles.compactMap { $0["title"] as? String })
  }

  private func id(_ title: String) throws -> String {
    let article = try list().first { $0["title"] as? String == title }
    return String(try #require(article?["id"] as? Int))
  }

  @Test func `articles are listed in columns that wide characters leave straight`() throws {
    let lines = try home.run("articles", "list").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(
      lines.contains { $0.hasSuffix(" ●  2026-03-02  Alpha           Apple") }, "\(lines)")
    #expect(
      lines.contains { $0.hasSuffix(" ●  2026-03-02  日本のニュース  東京の靴下") }, "\(lines)")
    #expect(try home.run("articles").output == home.run("articles", "list").output)
  }

  @Test func `what a script marks shows in a program that runs`() throws {
    let terminal = try home.openReader()
    func row(_ title: String, on screen: EmulatedScreen) -> String? {
      screen.allLines.first { $0.contains("│ \(title) ") }
    }
    try terminal.waitUntil("the list is there") { screen in
      screen.isWhole && row("Apple", on: screen)?.contains(" • ") == true
    }
    let apple = try id("Apple")
    #expect(try home.run("articles", "mark", apple, "--star").ending == .exited(0))
    try terminal.waitUntil("the star is there") { row("Apple", on: $0)?.contains("★•") == true }
    #expect(try home.run("articles", "mark", apple, "--read").ending == .exited(0))
    try terminal.waitUntil("it is read") { screen in
      row("Apple", on: screen).map { $0.contains("★") && !$0.contains("•") } == true
    }
  }

  @Test func `a list is about a feed, the unread, the starred, a time, or so many`() throws {
    let apple = try id("Apple")
    #expect(try home.run("articles", "mark", apple, "--read", "--star").ending == .exited(0))
    #expect(try titles(list("--unread")) == ["Apricot", "東京の靴下"])
    #expect(try titles(list("--starred")) == ["Apple"])
    #expect(try titles(list("--feed", "Alpha")) == ["Apple", "Apricot"])
    #expect(try titles(list("--feed", server.url("/wide"))) == ["東京の靴下"])
    #expect(try list("--limit", "1").count == 1)
    #expect(try list("--since", "2026-03-02").count == 3)
    #expect(try list("--since", "2026-03-03").isEmpty)
    #expect(try home.run("articles", "mark", apple, "--unread", "--unstar").ending == .exited(0))
    #expect(try list("--unread").count == 3)
    #expect(try list("--starred").isEmpty)
  }

  @Test(arguments: ["feed", "folder", "tag"])
  func `a feed, folder or tag that there is not is named, and is no empty list`(kind: String) throws
  {
    for command in [["list"], ["search", "apple"]] {
      let outcome = try home.run(
        "articles", command[0], command.count > 1 ? command[1] : "--unread", "--\(kind)", "Nothing")
      #expect(outcome.ending == .exited(66))
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("argyle: There is no such \(kind)."))
    }
  }

  @Test func `articles of a folder are found however the folder is written`() throws {
    let path = server.url("/wide")
    #expect(try home.run("feeds", "set", path, "--folder", "News/Far East").ending == .exited(0))
    for folder in ["News", "News/Far East", "News / Far East"] {
      #expect(try titles(list("--folder", folder)) == ["東京の靴下"])
    }
  }

  @Test func `a search needs a word`() throws {
    for words in ["", "  "] {
      let search = try home.run("articles", "search", words)
      #expect(search.ending == .exited(64))
      #expect(search.errors.contains("Give at least one word to search for."))
    }
  }

  @Test func `a search says that there are more articles than it prints`() throws {
    server["/many"] = .whole(FeedText.rss("Many", (1...21).map { "Berry \($0)" }))
    #expect(try home.run("feeds", "add", server.url("/many")).ending == .exited(0))
    let search = try home.run("articles", "search", "berry")
    // Each with what was found.
    #expect(search.output.split(separator: "\n").count == 2 * 20)
    #expect(search.errors == "argyle: There are more than these 20. --limit shows more.\n")
    let chosen = try home.run("articles", "search", "berry", "--limit", "20")
    #expect(chosen.output == search.output && chosen.errors.isEmpty)
    #expect(try home.run("articles", "search", "berry 21").errors.isEmpty)
  }

  @Test func `a query chooses articles, and a mistake in it is pointed at`() throws {
    #expect(try titles(list("--matching", "feed:alpha not title:apple")) == ["Apricot"])
    #expect(try titles(list("--matching", "is:read")) == [])
    let found = try home.run(
      "articles", "search", "unread title:apple (feed:alpha or x)", "--limit", "1")
    #expect(found.ending == .exited(0))
    #expect(found.output.contains("Alpha"))
    for outcome in [
      try home.run("articles", "list", "--matching", "日本 age<7"),
      try home.run("articles", "search", "日本 age<7"),
    ] {
      #expect(outcome.ending == .exited(64))
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errors.hasPrefix(
          """
          Error: “7” cannot be compared here. Write a time span such as 12h, 7d, 2w or 1y.
            日本 age<7
                     ^

          """))
    }
  }

  @Test func `JSON has the promised names and types`() throws {
    let article = try #require(try list("--feed", "Alpha").first)
    #expect(
      Set(article.keys) == [
        "id", "feed", "feedID", "title", "link", "published", "read", "starred", "readingMinutes",
        "tags", "alsoIn",
      ])
    #expect(article["read"] as? Bool == false)
    #expect(article["starred"] as? Bool == false)
    #expect(article["published"] as? String == "2026-03-02T10:59:00Z")
    #expect(article["link"] as? String == "http://example.org/Alpha/0")
  }

  @Test func `an article is shown as text, Markdown and HTML`() throws {
    let apple = try id("Apple")
    #expect(
      try home.run("articles", "show", apple).output
        == "Apple\nAlpha\nhttp://example.org/Alpha/0\n\nThe text of Apple.\n")
    #expect(try home.run("articles", "show", "--", apple).output.hasPrefix("Apple\n"))
    #expect(
      try home.run("articles", "show", apple, "--format", "markdown").output
        == "# Apple\n\nAlpha\n\n<http://example.org/Alpha/0>\n\nThe text of Apple.\n\n")
    let html = try home.run("articles", "show", apple, "--format", "html").output
    #expect(html.contains("<h1><a href=\"http://example.org/Alpha/0\">Apple</a></h1>"))
    #expect(html.contains("<p>The text of Apple.</p>"))
    let gone = try home.run("articles", "show", "999")
    #expect(gone.ending == .exited(66))
    #expect(gone.errors.hasPrefix("argyle: There is no article 999."))
  }

  @Test func `emoji of several characters survive wherever there are no cells`() throws {
    let emoji = "🇩🇪 👍🏽 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ 1️⃣"
    server["/emoji"] = .whole(FeedText.rss("Emoji \(emoji)", ["Say \(emoji)"]))
    #expect(try home.run("feeds", "add", server.url("/emoji")).ending == .exited(0))
    let article = try #require(
      try list().first { ($0["title"] as? String)?.hasPrefix("Say") == true })
    let number = try #require(article["id"] as? Int)
    #expect(try home.run("articles", "list").output.contains("Say \(emoji)"))
    #expect(try home.run("feeds").output.contains("Emoji \(emoji)"))
    for format in [[], ["--json"], ["--format", "markdown"], ["--format", "html"]] {
      let (terminal, output) = try home.start(["articles", "show", "\(number)"] + format)
      #expect(try terminal.waitForExit() == .exited(0))
      let text = try home.text(of: output)
      // The title and the text.
      #expect(text.components(separatedBy: "Say \(emoji)").count > 2, "\(format): \(text)")
    }
  }

  @Test func `a shown article is wrapped to a terminal, and to nothing else`() throws {
    let words = Array(repeating: "wool", count: 60).joined(separator: " ")
    let address =
      "https://a-site.example/" + Array(repeating: "a-b", count: 20).joined(separator: "-")
    server["/long"] = .whole(FeedText.rss("Long", ["\(words), at \(address) and so on"]))
    #expect(try home.run("feeds", "add", server.url("/long")).ending == .exited(0))
    let number = try #require(try list("--feed", "Long").first?["id"] as? Int)
    func shown(columns: Int) throws -> [String] {
      let terminal = try home.openReader(["articles", "show", "\(number)"], columns: columns)
      #expect(try terminal.waitForExit() == .exited(0))
      return String(decoding: terminal.output, as: UTF8.self)
        .components(separatedBy: "\r\n")
    }
    for columns in [30, 60, 200] {
      let lines = try shown(columns: columns)
      let widest = lines.filter { !$0.contains(address) }.map(\.count).max() ?? 0
      #expect(widest <= min(columns, 78) && widest > min(columns, 78) - 10, "\(lines)")
      #expect(lines.contains { $0.contains(address) }, "\(lines)")
    }
    // An address in the text is a link, followed by its number.
    let text = "The text of \(words), at \(address)[1] and so on."
    let piped = try home.run("articles", "show", "\(number)").output
    #expect(piped.split(separator: "\n").contains { $0.hasPrefix(text) }, "\(piped)")
    let json = try home.run("articles", "show", "\(number)", "--json").output
    let answer = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect((answer?["text"] as? String)?.contains(text) == true, "\(json)")
  }

  @Test func `before the first feed is added the handbook is listed`() throws {
    let home = try Home()
    let list = try home.run("articles", "list")
    #expect(list.ending == .exited(0))
    #expect(list.output.contains("The Argyle Handbook"))
    #expect(
      try home.run("articles", "list", "--limit", "1").output.split(separator: "\n").count == 1)
  }

  @Test func `an article of the handbook is shown by the number that a search prints`() throws {
    let other = home.path + "/other"
    let found = try home.run("articles", "search", "sogginess", "--json", "--data-dir", other)
    let results = try #require(
      try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]])
    let number = try #require(results.first?["id"] as? Int)
    let title = try #require(results.first?["title"] as? String)
    let text = try home.run("articles", "show", "\(number)", "--data-dir", other)
    #expect(text.ending == .exited(0), "\(text.errors)")
    #expect(text.output.hasPrefix("\(title)\nThe Argyle Handbook\n"), "\(text.output)")
    let mark = try home.run("articles", "mark", "\(number)", "--read", "--data-dir", other)
    #expect(mark.ending == .exited(65))
    #expect(mark.errors.hasPrefix("argyle: The handbook's articles cannot be marked."))
    let unknown = try home.run("articles", "show", "-7", "--data-dir", other)
    #expect(unknown.ending == .exited(66))
    #expect(unknown.errors.hasPrefix("argyle: There is no article -7."))
    let option = try home.run("articles", "show", "\(number)", "--markdown")
    #expect(option.ending == .exited(64))
    #expect(option.errors.hasPrefix("Error: Unknown option “--markdown”."))
  }

  @Test func `marking answers with the articles as they are now`() throws {
    let numbers = [try id("Apple"), try id("Apricot")]
    let marked = try home.run("articles", "mark", numbers[0], numbers[1], "--star", "--json")
    #expect(marked.ending == .exited(0))
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(marked.output.utf8)) as? [[String: Any]])
    #expect(answer.compactMap { $0["id"] as? Int }.map { "\($0)" } == numbers)
    #expect(answer.allSatisfy { $0["starred"] as? Bool == true && $0["read"] as? Bool == false })
    #expect(
      try home.run("articles", "mark", numbers[0], "--unstar").output == "1 article unstarred.\n")
  }

  @Test func `a search finds, with the place, and says by its status when it does not`() throws {
    let found = try home.run("articles", "search", "靴下")
    #expect(found.ending == .exited(0))
    #expect(found.output.contains("東京の靴下"))
    let (terminal, output) = try home.start(["articles", "search", "text", "apri", "--json"])
    #expect(try terminal.waitForExit() == .exited(0))
    let results = try #require(
      try JSONSerialization.jsonObject(with: Data(try home.text(of: output).utf8))
        as? [[String: Any]])
    #expect(titles(results) == ["Apricot"])
    #expect(results.first?["snippet"] as? String == "The text of Apricot.")
    let none = try home.run("articles", "search", "no such word \"OR title:Apple\"")
    #expect(none.ending == .exited(1))
    #expect(none.output.isEmpty && none.errors.isEmpty)
  }

  @Test(arguments: [
    ["mark", "1"], ["mark", "1", "--read", "--unread"], ["list", "--limit", "0"],
    ["list", "--since", "yesterday-ish"], ["list", "--feed", "a", "--tag", "b"], ["show"],
    ["show", "x"], ["show", "1", "2"], ["search"],
  ])
  func `a mistyped command is answered with its usage and status 64`(arguments: [String]) throws {
    let (terminal, _) = try home.start(["articles"] + arguments)
    #expect(try terminal.waitForExit() == .exited(64))
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("Usage: argyle articles"))
  }

  @Test func `a mark for an article that is not there changes nothing`() throws {
    let mark = try home.run("articles", "mark", try id("Apple"), "999", "--read")
    #expect(mark.ending == .exited(66))
    #expect(try list("--unread").count == 3)
  }

  @Test func `nothing of an article but characters gets to the terminal`() throws {
    let evil = "Evil&#x9b;31m &#8238;title"
    server["/evil"] = .whole(FeedText.rss(evil, [evil]))
    #expect(try home.run("feeds", "add", server.url("/evil")).ending == .exited(0))
    let number = try #require(
      try list().first { ($0["title"] as? String)?.contains("Evil") == true })
    let id = String(try #require(number["id"] as? Int))
    var text = ""
    for arguments in [
      ["list"], ["list", "--json"], ["show", id], ["show", id, "--format", "markdown"],
      ["show", id, "--format", "html"], ["show", id, "--json"], ["search", "evil"],
      ["search", "evil", "--json"],
    ] {
      let (terminal, output) = try home.start(["articles"] + arguments)
      #expect(try terminal.waitForExit() == .exited(0))
      text += try home.text(of: output)
    }
    #expect(text.contains("Evil"))
    for scalar in text.unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      #expect(category != .control && category != .format, "\(scalar.escaped(asASCII: true))")
    }
  }

  // MARK: Lists of feeds

  @Test func `feeds go to another reader and come from one`() throws {
    let exported = try home.run("feeds", "export")
    #expect(exported.ending == .exited(0))
    #expect(exported.output.contains("xmlUrl=\"\(server.url("/alpha"))\""))
    let file = home.path + "/feeds.opml"
    #expect(try home.run("feeds", "export", file).output == "Exported 2 feeds to \(file).\n")
    // Another file in the place of the one that the shell has open would lose its first line.
    let both = try PseudoTerminal(
      running: "/bin/sh",
      [
        "-c",
        "{ echo first; '\(builtProgram("argyle"))' feeds export /dev/stdout; } > '\(file).both'",
      ], environment: home.environment, columns: 80)
    #expect(try both.waitForExit() == .exited(0))
    #expect(
      try String(contentsOfFile: file + ".both", encoding: .utf8) == "first\n" + exported.output)
    let answer = try home.run("feeds", "export", file, "--json").output
    #expect(answer.contains("\"feedCount\" : 2"), "\(answer)")
    #expect(try home.run("feeds", "export", "--json").ending == .exited(64))
    #expect(try home.text(of: "feeds.opml") == exported.output)

    let other = home.path + "/other"
    let imported = try home.run("feeds", "import", file, "--data-dir", other)
    #expect(imported.output == "Added 2 feeds.\n")
    #expect(imported.ending == .exited(0))
    #expect(
      try home.run("feeds", "import", file, "--data-dir", other).output
        == "Added 0 feeds, 2 feeds unchanged.\n")
    #expect(try home.run("feeds", "export", "--data-dir", other).output == exported.output)
    let edited = try home.write(
      exported.output.replacing("text=\"Alpha\"", with: "text=\"Mine\""), to: "edited.opml")
    #expect(
      try home.run("feeds", "import", edited, "--data-dir", other).output == """
        Added 0 feeds, updated 1 feed (1 renamed), 1 feed unchanged.
          \(server.url("/alpha")) is called “Mine” now

        """)
    #expect(try home.run("feeds", "import", file, "--data-dir", other).ending == .exited(0))
    #expect(try home.run("reload", "--data-dir", other).ending == .exited(0))
  }

  @Test func `an export warns of what an import of it leaves out`() throws {
    #expect(try home.run("feeds", "export").errors.isEmpty)
    let path = try home.write(FeedText.rss("Mine", ["Apple"]), to: "mine.xml")
    #expect(try home.run("feeds", "add", path).ending == .exited(0))
    let file = home.path + "/feeds.opml"
    for exported in [try home.run("feeds", "export"), try home.run("feeds", "export", file)] {
      #expect(exported.ending == .exited(0))
      #expect(
        exported.errors == """
          argyle: 1 feed is a file or program of this machine, which only an import with --own takes.

          """)
    }
    let other = home.path + "/other"
    let imported = try home.run("feeds", "import", file, "--data-dir", other)
    #expect(imported.output == "Added 2 feeds, 1 entry left out.\n")
    let own = try home.run("feeds", "import", "--own", file, "--data-dir", other)
    #expect(own.ending == .exited(0))
    #expect(own.output == "Added 1 feed, 2 feeds unchanged.\n")
    #expect(try home.run("feeds", "import", "--own", "--newsboat", file).ending == .exited(64))
  }

  @Test func `hostile entries are left out and named`() throws {
    let file = try home.write(
      """
      <opml version="1.0"><body>
      <outline text="Run&#x9b;me" xmlUrl="exec:rm -rf ~"/>
      <outline text="Beta" xmlUrl="http://127.0.0.1:1/beta"/>
      </body></opml>
      """, to: "list.opml")
    let imported = try home.run("feeds", "import", file)
    #expect(imported.ending == .exited(1))
    #expect(imported.output == "Added 1 feed, 1 entry left out.\n")
    #expect(imported.errors.contains("(exec:rm -rf ~): It would run a program"))
    let page = try home.write("<html><body>Sign in</body></html>", to: "page.html")
    let refused = try home.run("feeds", "import", page)
    #expect(refused.ending == .exited(65))
    #expect(refused.errors.hasPrefix("argyle: This is not a list of feeds."))
    let lines = try home.write("http://127.0.0.1:1/x \"~My X\" tag\n", to: "my-feeds")
    let plain = try home.run("feeds", "import", lines)
    #expect(plain.ending == .exited(65))
    #expect(plain.errors.contains("for newsboat's list of feeds add --newsboat"))
    #expect(try home.run("feeds", "import", "--newsboat", lines).ending == .exited(0))
    let opml = try home.write("<opml version=\"2.0\"><body>\n</body></opml>\n", to: "list.opml")
    let mistaken = try home.run("feeds", "import", "--newsboat", opml)
    #expect(mistaken.ending == .exited(65))
    #expect(mistaken.errors.contains("in OPML, not newsboat's list. Leave out --newsboat."))
    let missing = try home.run("feeds", "import", home.path + "/none")
    #expect(missing.ending == .exited(66))
  }

  @Test func `newsboat's list is taken over`() throws {
    try FileManager.default.createDirectory(
      atPath: home.path + "/.newsboat", withIntermediateDirectories: true)
    try home.write(
      "http://127.0.0.1:1/x \"~My X\" tag\n\"query:Unread:unread = \\\"yes\\\"\"\n",
      to: ".newsboat/urls")
    let imported = try home.run("feeds", "import", "--newsboat")
    #expect(imported.ending == .exited(1))
    #expect(imported.output == "Added 1 feed, 1 entry left out.\n")
    #expect(try home.run("feeds").output.contains("My X"))
    #expect(try home.run("articles", "list", "--tag", "tag").ending == .exited(0))
  }

  @Test func `newsboat's list is taken over with what was read there`() throws {
    server["/read"] = .whole(FeedText.rss("Gamma", ["Elder", "Cherry"]))
    let list = try home.write(server.url("/read") + "\n", to: "urls")
    let cache = home.path + "/cache.db"
    try DatabaseQueue(path: cache).write { database in
      try database.execute(
        sql: """
          CREATE TABLE rss_item (
            id INTEGER PRIMARY KEY, guid TEXT, url TEXT, feedurl TEXT, unread INTEGER,
            deleted INTEGER DEFAULT 0);
          """)
      for (guid, isUnread) in [("Gamma-Elder", false), ("Gamma-Cherry", true)] {
        try database.execute(
          sql: "INSERT INTO rss_item (guid, url, feedurl, unread) VALUES (?, '', ?, ?)",
          arguments: [guid, server.url("/read"), isUnread])
      }
    }
    let imported = try home.run("feeds", "import", "--newsboat", list, "--cache", cache)
    #expect(imported.ending == .exited(0), "\(imported.errors)")
    #expect(try home.run("reload").ending == .exited(0))
    let unread = try home.run("articles", "list", "--unread", "--feed", "Gamma").output
    #expect(unread.contains("Cherry") && !unread.contains("Elder"))
  }

  // MARK: Help for shells

  @Test func `completions and the manual page are made of the command line itself`() throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try home.run("--generate-completion-script", shell)
      #expect(script.ending == .exited(0))
      for word in ["articles", "search", "import"] { #expect(script.output.contains(word)) }
    }
    let page = try home.run("manual")
    #expect(page.ending == .exited(0))
    #expect(page.output.hasPrefix(".TH ARGYLE 1"))
    for text in [
      ".SH NAME", "argyle articles search", "\\-\\-data\\-dir", "argyle feeds import",
      ".SH CONFIGURATION", ".B quiet = ", ".SS \"[[macro]]\"", "next\\-unread]",
    ] {
      #expect(page.output.contains(text), "\(text)")
    }
  }
}
