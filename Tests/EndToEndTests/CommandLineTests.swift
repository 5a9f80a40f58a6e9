import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of the same work on the command line, as a script does it.
struct CommandLineTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
  }

  @Test(arguments: ["text", "svg", "png", "cast"])
  func `a picture has the same bytes in other time zones, locales and terminals`(format: String)
    throws
  {
    func picture(_ scene: String, _ environment: [String: String]) throws -> Data {
      let file = home.path + "/\(scene).\(format)"
      let outcome = try home.run(
        "screenshot", scene, "--format", format, "-o", file, adding: environment)
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      return try Data(contentsOf: URL(fileURLWithPath: file))
    }
    for scene in ["articles", "sock", "catalog"] {
      let usual = try picture(scene, [:])
      let other = try picture(
        scene,
        [
          "TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8", "TERM": "dumb", "NO_COLOR": "1",
          "COLUMNS": "33",
        ])
      #expect(!usual.isEmpty && usual == other, "\(scene)")
    }
  }

  @Test func `a command that there is not is named, with those that there are`() throws {
    for refused in [try home.run("socs"), try home.run("--theme", "dark", "socs", "list")] {
      #expect(refused.ending == .exited(64))
      #expect(
        refused.errors.contains(
          "Unknown command “socs”. The commands are: open, feeds, articles, rules, tags,"))
    }
    let early = try home.run("--plain", "feeds", "list")
    #expect(early.ending == .exited(64))
    #expect(
      early.errors.contains(
        "An option stands before the command “feeds”. Only --data-dir, --config and --log may;"))
    #expect(early.errors.contains("\nUsage: argyle feeds <subcommand>\n"))
    #expect(early.errors.contains("See 'argyle feeds --help' for more information."))
    let feeds = try home.run("feeds", "lst", "--json")
    #expect(feeds.ending == .exited(64))
    #expect(
      feeds.errors.contains(
        "Unknown command “lst”. The commands of argyle feeds are: list, add, set, rename-folder,"))
    #expect(try home.run("articles", "lst").errors.contains("of argyle articles are: list, show,"))
    #expect(try home.run("socks", "lst").errors.contains("of argyle socks are: list, show, add,"))
  }

  @Test func `every command is listed`() throws {
    let unknown = try home.run("socs").errors
    let help = try home.run("--help").output
    for command in ["open", "feeds", "demo", "screenshot", "manual"] {
      #expect(unknown.contains(" \(command),") || unknown.contains(" \(command).\n"), "\(command)")
      #expect(help.contains("\n  \(command) "), "\(command)")
    }
  }

  @Test(arguments: [["-x", "reload"], ["--nope", "f.opml"], ["feeds", "-x", "list"], ["-x"]])
  func `an option that there is not is named, not the word behind it`(arguments: [String]) throws {
    let option = try #require(arguments.first { $0.hasPrefix("-") })
    let refused = try home.run(arguments)
    #expect(refused.ending == .exited(64))
    #expect(refused.errors.hasPrefix("Error: Unknown option '\(option)'"), "\(refused.errors)")
  }

  @Test func `an unknown option is followed by one that is like it, and by no other`() throws {
    let like = try home.run("feeds", "list", "--jsn")
    #expect(like.errors.hasPrefix("Error: Unknown option '--jsn'. Did you mean '--json'?\nUsage:"))
    let unlike = try home.run("feeds", "list", "--xyz")
    #expect(unlike.errors.hasPrefix("Error: Unknown option '--xyz'\nUsage:"), "\(unlike.errors)")
  }

  @Test func `at a terminal, a list without feeds says how to add one`() throws {
    for arguments in [["feeds"], ["reload"]] {
      let terminal = try home.openReader(arguments)
      _ = try terminal.waitForExit()
      let output = String(decoding: terminal.output, as: UTF8.self)
      #expect(output.hasSuffix("There are no feeds. To add one: argyle feeds add ADDRESS\r\n"))
      let piped = try home.run(arguments)
      #expect(piped.output.isEmpty && piped.errors.isEmpty)
    }
  }

  @Test func `for the options of newsboat that import and export, the command is named`() throws {
    for (option, command) in [
      ("-i", "argyle feeds import FILE"), ("-e", "argyle feeds export > FILE"),
    ] {
      let refused = try home.run(option, "f.opml")
      #expect(refused.ending == .exited(64))
      #expect(refused.errors.contains("Unknown option “\(option)”."), "\(refused.errors)")
      #expect(refused.errors.contains(command), "\(refused.errors)")
    }
  }

  @Test func `for an address in place of a command, the command that adds it is named`() throws {
    for words in [["http://example.org/news"], ["feeds", "HTTP://example.org/news"]] {
      let refused = try home.run(words)
      #expect(refused.ending == .exited(64))
      #expect(
        refused.errors.contains("To add a feed: argyle feeds add \(words.last ?? "")\n"),
        "\(refused.errors)")
      #expect(!refused.errors.contains("Unknown command"))
    }
    // As the shell would have to get it, and without a password.
    let quoted = try home.run("https://example.org/?a=1&b=it's")
    #expect(
      quoted.errors.contains(#"argyle feeds add 'https://example.org/?a=1&b=it'\''s'"#),
      "\(quoted.errors)")
    let secret = try home.run("https://ann:secret@example.org/")
    #expect(secret.errors.contains("argyle feeds add") && !secret.errors.contains("secret"))
  }

  // MARK: Feeds

  @Test func `a feed is added, listed and removed`() throws {
    let address = server.url("/feed")
    let added = try home.run("feeds", "add", address)
    #expect(added.ending == .exited(0))
    #expect(added.output == "Added Alpha: 2 articles.\n")
    #expect(try home.run("feeds", "list").output == "\(address)\n  Alpha, 2 articles, 2 unread\n")
    #expect(try home.run("feeds").output == "\(address)\n  Alpha, 2 articles, 2 unread\n")
    let removed = try home.run("feeds", "remove", "Alpha")
    #expect(removed.ending == .exited(0))
    #expect(removed.output == "Removed Alpha.\n")
    let empty = try home.run("feeds", "list")
    #expect(empty.ending == .exited(0))
    #expect(empty.output.isEmpty)
  }

  @Test func `a feed gets another title, a folder and tags, and gives them back`() throws {
    #expect(try home.run("feeds", "add", server.url("/feed")).ending == .exited(0))
    let changed = try home.run(
      "feeds", "set", "Alpha", "--title", "Mine", "--folder", "News/Tech", "--tag", "a", "--tag",
      "b")
    #expect(changed.errors.isEmpty)
    #expect(changed.output == "Changed Mine, in News / Tech, tagged a, b.\n")
    #expect(
      try home.run("feeds").output.contains(
        "  Mine, in News / Tech, tagged a, b, 2 articles, 2 unread\n"))
    let answer = try object(try home.run("feeds", "set", "Mine", "--untag", "A", "--json"))
    #expect(answer["folder"] as? [String] == ["News", "Tech"])
    #expect(answer["tags"] as? [String] == ["b"])
    #expect(answer["title"] as? String == "Mine")
    #expect(answer["reloadMinutes"] == nil)
    let hourly = try home.run("feeds", "set", "Mine", "--reload-minutes", "60")
    #expect(hourly.output == "Changed Mine, in News / Tech, tagged b, reloaded every 60 min.\n")
    let never = try home.run("feeds", "set", "Mine", "--reload-minutes", "0")
    #expect(never.output.hasSuffix(", never reloaded by itself.\n"))
    let negative = try home.run("feeds", "set", "Mine", "--reload-minutes", "-1")
    #expect(negative.ending == .exited(64))
    #expect(negative.errors.contains("--reload-minutes must be a number from 0 to 10080"))
    let often = try object(try home.run("feeds", "set", "Mine", "--reload-minutes", "15", "--json"))
    #expect(often["reloadMinutes"] as? Int == 15)
    #expect(try home.run("feeds", "set", "Mine", "--reload-minutes", "x").ending == .exited(64))
    let usual = ["feeds", "set", "Mine", "--reload-minutes", "default", "--json"]
    #expect(
      try object(try home.run(usual[0], usual[1], usual[2], usual[3], usual[4], usual[5]))[
        "reloadMinutes"] == nil)
    let renamed = try home.run("feeds", "rename-folder", "News", "Reading")
    #expect(renamed.output == "Renamed News to Reading: 1 feed.\n")
    let own = try home.run("feeds", "set", "Mine", "--title", "", "--folder", "", "--untag", "b")
    #expect(own.output == "Changed Alpha.\n")
    let missing = try home.run("feeds", "rename-folder", "News", "Reading")
    #expect(missing.ending == .exited(66))
    #expect(missing.errors.hasPrefix("argyle: There is no such folder."))
    #expect(try home.run("feeds", "rename-folder", "News", " / ").ending == .exited(64))
    #expect(try home.run("feeds", "set", "Alpha").ending == .exited(64))
    #expect(try home.run("feeds", "set", "Nothing", "--title", "x").ending == .exited(66))
  }

  @Test func `JSON has the promised names and types`() throws {
    let address = server.url("/feed")
    let added = try object(try home.run("feeds", "add", address, "--json"))
    try expectFeed(added)
    #expect(added["address"] as? String == address)
    #expect(added["title"] as? String == "Alpha")
    #expect(added["articleCount"] as? Int == 2)
    #expect(added["site"] as? String == "http://example.org/")

    let list = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try home.run("feeds", "list", "--json").output.utf8)) as? [[String: Any]])
    #expect(list.count == 1)
    try expectFeed(try #require(list.first))

    server["/feed"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple", "Apricot"]))
    let reload = try object(try home.run("reload", "--json"))
    #expect(reload["newArticles"] as? Int == 1)
    #expect(reload["failedCount"] as? Int == 0)
    let feed = try #require((reload["feeds"] as? [[String: Any]])?.first)
    #expect(
      Set(feed.keys) == ["id", "address", "title", "newArticles", "isUnchanged", "isCancelled"])
    #expect(feed["newArticles"] as? Int == 1)
    #expect(feed["isUnchanged"] as? Bool == false)

    let removed = try object(try home.run("feeds", "remove", address, "--json"))
    #expect(removed["address"] as? String == address)
    #expect(try home.run("feeds", "list", "--json").output == "[\n\n]\n")
  }

  @Test func `a feed that is not there cannot be removed`() throws {
    let removed = try home.run("feeds", "remove", "Nothing")
    #expect(removed.ending == .exited(66))
    #expect(removed.errors.hasPrefix("argyle: There is no such feed."))
  }

  @Test func `a reload names the feeds that failed, and why`() throws {
    server["/bad"] = .whole(FeedText.rss("Beta", ["Banana"]))
    for path in ["/feed", "/bad"] {
      #expect(try home.run("feeds", "add", server.url(path)).ending == .exited(0))
    }
    server["/bad"] = .whole("<html><body>gone</body></html>")
    let reload = try home.run("reload")
    #expect(reload.ending == .exited(1))
    // In the order in which they have been fetched.
    #expect(
      reload.output.split(separator: "\n").sorted() == [
        "✓ Alpha: 0 new", "✗ Beta: This is a web page, not a feed.",
      ])
    let answer = try object(try home.run("reload", "--json"))
    #expect(answer["failedCount"] as? Int == 1)
    let feeds = try #require(answer["feeds"] as? [[String: Any]])
    #expect(feeds.map { $0["failure"] == nil } == [true, false])
    #expect(try home.run("feeds", "--failed").output.contains("Beta, 1 article"))
    #expect(!(try home.run("feeds", "list", "--failed").output.contains("Alpha")))
    #expect(
      try home.run("feeds").output.contains("Beta, 1 article, 1 unread\n  ✗ This is a web page"))
  }

  @Test func `a feed's title can put nothing but characters on the terminal`() throws {
    let title = "Evil&#x9b;31m &#8238;\u{1B}]0;owned\u{7}\u{202E}title"
    let file = try home.write(FeedText.rss(title, ["\u{1B}[2J"]), to: "evil.xml")
    var text = try home.run("feeds", "add", file).output
    text += try home.run("feeds", "list").output + home.run("reload").output
    text += try home.run("feeds", "remove", file).output
    #expect(text.contains("Evil"))
    for scalar in text.unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      #expect(category != .control && category != .format, "\(scalar.escaped(asASCII: true))")
    }
  }

  // MARK: The store

  @Test func `a file that is no database is refused and left as it is`() throws {
    try FileManager.default.createDirectory(
      atPath: home.dataDirectory, withIntermediateDirectories: true)
    try home.write("my thesis, of which I have no copy", to: "data/argyle/articles.sqlite")
    for arguments in [["feeds"], ["reload"], ["feeds", "add", server.url("/feed")]] {
      let (terminal, output) = try home.start(arguments)
      #expect(try terminal.waitForExit() == .exited(1))
      #expect(try home.text(of: output).isEmpty)
      let errors = String(decoding: terminal.output, as: UTF8.self)
      #expect(errors.hasPrefix("argyle: The file of articles was not written by this program."))
    }
    #expect(
      try home.text(of: "data/argyle/articles.sqlite") == "my thesis, of which I have no copy")
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may write everywhere"))
  func `a folder that may not be written is named`() throws {
    try FileManager.default.createDirectory(
      atPath: home.dataDirectory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o500])
    let list = try home.run("feeds")
    #expect(list.ending == .exited(1))
    #expect(list.errors.hasPrefix("argyle: The file of articles cannot be written."))
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may write everywhere"))
  func `what a folder that may not be written has is read, and that is said`() throws {
    _ = try home.run("feeds", "add", server.url("/feed"))
    chmod(home.dataDirectory, 0o500)
    defer { chmod(home.dataDirectory, 0o700) }
    let list = try home.run("feeds")
    #expect(list.ending == .exited(0))
    #expect(list.output.contains("Alpha"))
    #expect(list.errors.hasPrefix("argyle: Nothing can be stored"))
    #expect(try home.run("articles", "mark", "1", "--read").ending == .exited(1))
  }

  @Test func `a folder that cannot be created is named`() throws {
    let list = try home.run("feeds", "--data-dir", "/dev/null/argyle")
    #expect(list.ending == .exited(73))
    #expect(list.errors.hasPrefix("argyle: The folder for the articles cannot be created."))
    #expect(list.errors.contains("(/dev/null/argyle)"))
    let socks = try home.run("socks", "--data-dir", "/dev/null/argyle")
    #expect(socks.ending == .exited(73))
    #expect(socks.errors.hasPrefix("argyle: The folder for the socks cannot be created."))
  }

  @Test(arguments: ["--data-dir", "--config", "--log"])
  func `an empty path is a mistake of the command line`(option: String) throws {
    let list = try home.run("feeds", "list", option, "")
    #expect(list.ending == .exited(64))
    #expect(list.errors.hasPrefix("Error: The path after \(option) is empty."))
  }

  @Test func `the folder can be named before and after the subcommand's arguments`() throws {
    let other = home.path + "/other"
    let added = try home.run("feeds", "add", "--data-dir", other, server.url("/feed"))
    #expect(added.ending == .exited(0))
    #expect(try home.run("feeds", "list", "--data-dir", other).output.contains("Alpha"))
    #expect(try home.run("--data-dir", other, "feeds", "list").output.contains("Alpha"))
    #expect(try home.run("--data-dir=\(other)", "feeds").output.contains("Alpha"))
    #expect(try home.run("feeds", "list").output.isEmpty)
    // As by an alias of the shell.
    let missing = ["--data-dir", other, "--config", "missing.toml"]
    #expect(try home.run(missing + ["config", "--print-default"]).ending == .exited(0))
    #expect(try home.run(missing + ["config", "--path"]).output.contains("missing.toml"))
    let unknown = try home.run("--data-dir", other, "feds")
    #expect(unknown.ending == .exited(64))
    #expect(unknown.errors.contains("Unknown command “feds”."))
  }

  // MARK: The command line itself

  @Test func `the shell completes files, folders and scenes`() throws {
    let script = try home.run("--generate-completion-script", "fish").output.split(separator: "\n")
    func completes(_ words: String..., by completion: String) -> Bool {
      script.contains { line in
        words.allSatisfy { line.contains($0) } && line.contains(completion)
      }
    }
    #expect(completes("data-dir", by: "complete_directories"))
    #expect(completes("config", by: "-rF"))
    #expect(completes("screenshot", by: "articles-loading"))
  }

  @Test func `help and version go to standard output and end well`() throws {
    let help = try home.run("--help")
    #expect(help.ending == .exited(0))
    for words in ["USAGE: argyle", "feeds", "reload", "--data-dir", "--version"] {
      #expect(help.output.contains(words))
    }
    let version = try home.run("--version")
    #expect(version.ending == .exited(0))
    #expect(version.output.split(separator: ".").count == 3)
    for command in [
      ["feeds"], ["feeds", "add"], ["feeds", "list"], ["feeds", "set"], ["feeds", "rename-folder"],
      ["feeds", "remove"], ["reload"],
    ] {
      let (terminal, output) = try home.start(command + ["--help"])
      #expect(try terminal.waitForExit() == .exited(0))
      #expect(try home.text(of: output).contains("USAGE: argyle \(command.joined(separator: " "))"))
    }
  }

  @Test(arguments: [
    ["--help"], ["--version"], ["feeds", "add", "--help"], ["help", "reload"],
    ["--generate-completion-script", "fish"], ["manual"],
  ])
  func `help that cannot be written is a failure`(arguments: [String]) throws {
    let terminal = try PseudoTerminal(
      running: builtProgram("argyle"), arguments, environment: home.environment,
      redirectingOutputTo: "/dev/full")
    #expect(try terminal.waitForExit() == .exited(73))
    let errors = String(decoding: terminal.output, as: UTF8.self)
    #expect(errors.hasPrefix("argyle: The output cannot be written."), "\(errors)")
  }

  @Test(arguments: ["manual", "socks list", "config"])
  func `output that nobody reads any more ends the command as it ends others`(_ command: String)
    throws
  {
    let script = """
      mkfifo pipe && exec 3<>pipe 4>pipe 3<&-
      "$0" \(command) >&4
      echo "ended with $?"
      """
    let terminal = try PseudoTerminal(
      running: "/bin/sh", ["-c", "cd \(home.path) && \(script)", builtProgram("argyle")],
      environment: home.environment)
    #expect(try terminal.waitForExit() == .exited(0))
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output == "ended with \(128 + SIGPIPE)\r\n", "\(output)")
  }

  @Test(arguments: [
    ["frobnicate"], ["--no-such-option"], ["feeds", "add"], ["feeds", "frobnicate", "x", "y"],
    ["reload", "--jason"], ["help", "frobnicate"], ["help", "feeds", "frobnicate"],
    ["help", "reload", "frobnicate"],
  ])
  func `a mistyped command is answered with its usage and status 64`(arguments: [String]) throws {
    let (terminal, output) = try home.start(arguments)
    #expect(try terminal.waitForExit() == .exited(64))
    #expect(try home.text(of: output).isEmpty)
    let errors = String(decoding: terminal.output, as: UTF8.self)
    #expect(errors.hasPrefix("Error: "))
    #expect(errors.contains("Usage: argyle"))
  }

  @Test(arguments: [
    ([], "argyle open"), (["demo"], "argyle demo"), (["screenshot", "tour"], "argyle screenshot"),
  ])
  func `a theme that there is not is answered with the themes and the usage of the command`(
    command: [String], name: String
  ) throws {
    let (terminal, _) = try home.start(command + ["--theme", "pink"])
    #expect(try terminal.waitForExit() == .exited(64))
    let errors = String(decoding: terminal.output, as: UTF8.self)
    #expect(errors.hasPrefix("Error: “pink” is not a theme. The themes are: auto, terminal, dark,"))
    #expect(errors.contains("\nUsage: \(name) "), "\(errors)")
    #expect(errors.contains("See '\(name) --help' for more information."), "\(errors)")
  }

  // MARK: Checks

  private func object(_ outcome: Home.Outcome) throws -> [String: Any] {
    #expect(outcome.errors.isEmpty)
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(value as? [String: Any])
  }

  private func expectFeed(_ feed: [String: Any]) throws {
    #expect(
      Set(feed.keys) == [
        "id", "address", "title", "site", "folder", "tags", "lastFetched", "articleCount",
        "unreadCount",
      ])
    #expect(feed["unreadCount"] as? Int == feed["articleCount"] as? Int)
    #expect((feed["id"] as? Int).map { $0 > 0 } == true)
    let date = try #require(feed["lastFetched"] as? String)
    #expect(ISO8601DateFormatter().date(from: date) != nil)
  }
}
