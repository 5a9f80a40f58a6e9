import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of what happens when new articles arrive: the user's program runs, and the bell rings.
struct ArrivalTests {
  private let home: Home
  private let server: TestServer
  private let record: Record
  private let config: String

  init() throws {
    home = try Home()
    server = try TestServer()
    record = try Record(path: home.path + "/record")
    let script = try home.write(
      "#!/bin/sh\n{ echo 2; echo \"$1\"; tr -d '\\n '; echo; } >'\(record.path)'\n", to: "script")
    chmod(script, 0o755)
    config = try home.write(
      "[fetching]\nbell = true\non-new = [\"\(script)\", \"{count} new; $(touch owned)\"]\n",
      to: "config.toml")
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    _ = try home.run("feeds", "add", server.url("/a"), "--config", config)
  }

  private func titles(_ line: String) throws -> [String] {
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let articles = try #require(answer["articles"] as? [[String: Any]])
    #expect(answer["count"] as? Int == articles.count)
    return articles.compactMap { $0["title"] as? String }
  }

  @Test func `a reload on the command line tells a program what has come`() throws {
    #expect(try !record.hasSomething(), "not what a feed came with")
    #expect(try home.run("reload", "--config", config).ending == .exited(0))
    #expect(try !record.hasSomething(), "nothing has come")
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry", "Elder"]))
    #expect(try home.run("reload", "--config", config).ending == .exited(0))
    let lines = try record.read()
    #expect(lines[0] == "2 new; $(touch owned)")
    #expect(try titles(lines[1]).sorted() == ["Cherry", "Elder"])
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Fig"]))
    let full = try PseudoTerminal(
      running: "/bin/sh",
      ["-c", "'\(builtProgram("argyle"))' reload --json --config '\(config)' >/dev/full"],
      environment: home.environment, columns: 80)
    #expect(try full.waitForExit() == .exited(73))
    #expect(try titles(record.read()[1]) == ["Fig"], "although the answer could not be written")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/owned"))
  }

  @Test func `a program that fails is named, and the reload is as good as before`() throws {
    let config = try home.write("[fetching]\non-new = [\"no-such-program\"]\n", to: "other.toml")
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry"]))
    let reload = try home.run("reload", "--config", config)
    #expect(reload.ending == .exited(0))
    #expect(reload.output == "✓ Alpha: 1 new\n")
    #expect(
      reload.errors
        == "argyle: on-new: “no-such-program” could not be started (No such file or directory).\n")
  }

  @Test func `in the reader the program is told, too, and the bell rings once`() throws {
    let terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
    }
    let bells = { terminal.output.count { $0 == 0x07 } }
    let before = bells()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry"]))
    terminal.send("r")
    #expect(try titles(record.read()[1]) == ["Cherry"])
    try terminal.waitUntil("it is there") { $0.text.contains("Cherry") && bells() == before + 1 }
    terminal.send("r")
    #expect(try terminal.leave() == .exited(0))
    #expect(bells() == before + 1)
  }

  @Test func `the reader does not tell the program what a reload beside it has told already`()
    throws
  {
    let terminal = try home.openReader(["--config", config])
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
    }
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry"]))
    terminal.send("r")
    #expect(try titles(record.read()[1]) == ["Cherry"])
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry", "Elder"]))
    #expect(try home.run("reload", "--config", config).ending == .exited(0))
    #expect(try titles(record.read()[1]) == ["Elder"])
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cherry", "Elder", "Fig"]))
    terminal.send("r")
    #expect(try titles(record.read()[1]) == ["Fig"])
    #expect(try terminal.leave() == .exited(0))
  }
}
