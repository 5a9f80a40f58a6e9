import PseudoTerminal
import TestServer
import Testing

/// Tests of the configuration file's rules, on the command line and on the screen.
struct RuleTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Sponsored socks", "Cherry"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
  }

  private func run(_ arguments: String..., config: String) throws -> Home.Outcome {
    let file = try home.write(config, to: "config.toml")
    let (terminal, output) = try home.start(arguments + ["--config", file])
    let ending = try terminal.waitForExit()
    let errors = String(decoding: terminal.output, as: UTF8.self)
    return Home.Outcome(ending: ending, output: try home.text(of: output), errors: errors)
  }

  private let rules = """
    [[rule]]
    when = "title:sponsored"
    do = "mute"

    [[rule]]
    when = "text:banana or title:cherry"
    feed = "alpha"
    do = ["star", "read"]
    """

  @Test func `rules are listed, and applied to what is fetched`() throws {
    #expect(
      try run("rules", config: rules).output
        == "mute: title:sponsored\nread, star: text:banana or title:cherry (feed: alpha)\n")
    #expect(try run("rules", config: "").output == "")
    for path in ["/a", "/b"] {
      #expect(try run("feeds", "add", server.url(path), config: rules).ending == .exited(0))
    }
    let all = try home.run("articles", "list").output
    for line in [
      " ●  2026-03-02  Alpha  Apple", "  ★ 2026-03-02  Alpha  Cherry",
      " ●  2026-03-02  Beta   Banana",
    ] { #expect(all.contains(line), "\(all)") }
    #expect(!all.contains("Sponsored"))
    #expect(
      try home.run("articles", "list", "--matching", "muted").output.contains("Sponsored socks"))
    #expect(try home.run("articles", "search", "socks").ending == .exited(1))
  }

  @Test func `what they would do is shown, then done, and undone without the rule`() throws {
    _ = try home.run("feeds", "add", server.url("/a"))
    let preview = try run("rules", "preview", config: rules).output
    #expect(preview.hasPrefix("mute: title:sponsored\n  1 article matches, 1 would be changed.\n"))
    #expect(preview.contains("Sponsored socks\n\nread, star: "))
    #expect(preview.contains("Cherry\n"))
    #expect(try home.run("articles", "list").output.contains("Sponsored"))

    #expect(
      try run("rules", "apply", config: rules).output
        == "1 muted, 1 marked as read, 1 starred.\nargyle rules undo takes that back.\n")
    #expect(try run("rules", "apply", config: rules).output == "Nothing to change.\n")
    #expect(try !home.run("articles", "list").output.contains("Sponsored"))
    #expect(
      try run("rules", "preview", "--json", config: rules).output.contains("\"matches\" : 1"))
    #expect(try run("rules", "apply", config: "").output.hasPrefix("1 no longer muted.\n"))
    #expect(try home.run("articles", "list").output.contains("Sponsored"))
  }

  @Test func `what rules have changed is taken back, but for what has been changed since`() throws {
    _ = try home.run("feeds", "add", server.url("/a"))
    let before = try home.run("articles", "list", "--json").output
    _ = try run("rules", "apply", config: rules)
    #expect(
      try home.run("rules", "undo").output
        == "Taken back: 1 muted, 1 marked as read, 1 starred.\n")
    #expect(try home.run("articles", "list", "--json").output == before)
    #expect(try home.run("rules", "undo").output == "Nothing to take back.\n")

    _ = try run("rules", "apply", config: rules)
    #expect(
      try home.run("articles", "mark", "--matching", "cherry", "--unstar").ending == .exited(0))
    #expect(
      try home.run("rules", "undo", "--json").output.contains("\"starred\" : 0"))
  }

  @Test func `a mistake in a rule is pointed at`() throws {
    let outcome = try run(
      "rules",
      config: """
        [[rule]]
        when = "titel:x"
        do = ["mute", "hide"]
        [[rule]]
        do = ["read"]
        """)
    #expect(outcome.ending == .exited(78))
    for line in [
      "config.toml:2: rule.when: there is no field “titel”.",
      "config.toml:3: rule.do: this is “hide”; the choices are mute, read, star, tag:name.",
      "config.toml:4: rule: a rule must have a condition (when = \"…\") and actions",
    ] { #expect(outcome.errors.contains(line), "\(outcome.errors)") }
  }

  @Test(arguments: [50, 80])
  func `muted articles are in a list of their own, which is there where something is muted`(
    columns: Int
  ) throws {
    let file = try home.write(rules, to: "config.toml")
    _ = try home.run("feeds", "add", server.url("/b"), "--config", file)
    let terminal = try home.openReader(["--config", file], columns: columns)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Banana")
    }
    try terminal.send("a\(server.url("/a"))\r", until: "the feed is there, without what is muted") {
      $0.selectedText.hasPrefix("Apple") && $0.text.contains("Cherry")
        && !$0.text.contains("Sponsored") && $0.footer.hasSuffix("q quit")
    }
    try terminal.send("LMut", until: "it is found") { $0.text.contains("│ Muted ") }
    try terminal.send("\r", until: "the list has what is muted") {
      $0.selectedText.hasPrefix("Sponsored socks") && !$0.text.contains("Cherry")
    }
    try terminal.send("/socks", until: "the search does not find it") {
      $0.text.contains("Nothing was found.")
    }
    try terminal.send(" muted", until: "unless it says so") { $0.text.contains("Sponsored socks") }
  }
}
