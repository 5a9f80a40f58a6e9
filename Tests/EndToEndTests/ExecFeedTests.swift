import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of feeds that programs write, which the configuration file has to allow.
struct ExecFeedTests {
  private let home: Home

  init() throws {
    home = try Home()
    try home.write(FeedText.rss("Notes", ["Apple", "Cherry"]), to: "feed.xml")
  }

  private func configure(_ run: String) throws -> String {
    try home.write("[[exec]]\nname = \"notes\"\nrun = [\(run)]\ntimeout = 600\n", to: "c.toml")
  }

  @Test func `the command line adds what the configuration allows, and nothing else`() throws {
    let none = try home.run("feeds", "add", "exec:notes")
    #expect(none.ending == .exited(1))
    #expect(none.errors.contains("The program is not allowed by the configuration file."))
    #expect(!none.errors.contains("--keep"), "which would not help")
    let kept = try home.run("feeds", "add", "--keep", "exec:notes")
    #expect(kept.ending == .exited(1))
    #expect(kept.errors == none.errors)
    #expect(try home.run("feeds").output.isEmpty)

    let config = try configure("\"cat\", \"\(home.path)/feed.xml\"")
    let added = try home.run("feeds", "add", "exec:notes", "--config", config, "--json")
    #expect(added.output.contains("\"address\" : \"exec:notes\""))
    #expect(try home.run("articles").output.contains("Cherry"))
    // Without the configuration, the program does not run any more.
    let reload = try home.run("reload")
    #expect(reload.ending == .exited(1))
    #expect(reload.output.contains("The program is not allowed by the configuration file."))

    _ = try configure("\"sh\", \"-c\", \"echo out of wool >&2; exit 3\"")
    let failed = try home.run("reload", "--config", config, "--json")
    #expect(failed.output.contains("sh ended with status 3: out of wool"))
  }

  @Test func `a filter changes what a server has`() throws {
    let server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry"]))
    let config = try configure("\"sed\", \"s/Apple/Plum/g\"")
    let address = "filter:notes:" + server.url("/feed")
    #expect(try home.run("feeds", "add", address, "--config", config).ending == .exited(0))
    let articles = try home.run("articles").output
    #expect(articles.contains("Plum") && !articles.contains("Apple"))
    #expect(try home.run("feeds", "remove", address).ending == .exited(0))
  }

  @Test func `such a feed is added and reloaded on the screen`() throws {
    let config = try configure("\"cat\", \"\(home.path)/feed.xml\"")
    let terminal = try home.openReader(["--config", config], columns: 100)
    try terminal.waitUntil("the handbook is there") { $0.isWhole && !$0.selectedText.isEmpty }
    try terminal.send("a", until: "the sheet is there") { $0.text.contains("Add a feed") }
    try terminal.send("exec:notes\r", until: "its articles are there", saying: "Added “Notes”.") {
      $0.text.contains("Cherry")
    }
    try home.write(FeedText.rss("Notes", ["Elder"]), to: "feed.xml")
    try terminal.send("r", until: "what is new is there") { $0.text.contains("Elder") }
    #expect(try terminal.leave(by: "\u{1B}[21~") == .exited(0))
  }
}
