import PseudoTerminal
import TestServer
import Testing

/// Tests of what the command that fetches the feeds writes while it runs.
struct ReloadCommandTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
  }

  @Test func `a reload at a terminal shows how far it has come, and leaves only its answer`() throws
  {
    _ = try home.run("feeds", "add", server.url("/feed"))
    let terminal = try home.openReader(["reload"])
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("\r0 of 1 feed "))
    let lines = terminal.screen.text.split { $0.isNewline || $0 == " " }.joined(separator: " ")
    #expect(lines.hasPrefix("✓ Alpha: ") && !lines.contains("feed"), "\(lines)")
    let narrow = try home.openReader(["reload"], columns: 20)
    #expect(try narrow.waitForExit() == .exited(0))
    #expect(narrow.screen.line(0).hasPrefix("✓ Alpha: "), "\(narrow.screen.text)")
    let piped = try home.run("reload")
    #expect(piped.errors.isEmpty && !piped.output.contains("of 1 feed"))
  }

  @Test func `a reload of more than a few feeds ends with its sum at a terminal`() throws {
    for number in 1...6 {
      server["/\(number)"] = .whole(FeedText.rss("Feed \(number)", ["One"]))
      _ = try home.run("feeds", "add", server.url("/\(number)"))
    }
    server["/1"] = .whole(FeedText.rss("Feed 1", ["One", "Two"]))
    server["/2"] = .whole("", status: 500)
    let terminal = try home.openReader(["reload"])
    #expect(try terminal.waitForExit() == .exited(1))
    #expect(terminal.screen.text.contains("6 feeds reloaded: 1 new article, 1 failed."))
    #expect(try !home.run("reload").output.contains("feeds reloaded"))
  }

  @Test(arguments: [("/dev/full", 73), (nil, 141)])
  func `a reload whose answer cannot be written fetches all feeds`(
    target: String?, status: Int
  ) throws {
    for name in ["a", "b", "c"] {
      server["/\(name)"] = .whole(FeedText.rss(name, []))
      _ = try home.run("feeds", "add", server.url("/\(name)"))
      server["/\(name)"] = .whole(FeedText.rss(name, ["New in \(name)"]))
    }
    // A pipe that nobody reads any more.
    let output = target.map { ">\($0)" } ?? ">&4"
    let terminal = try PseudoTerminal(
      running: "/bin/sh",
      [
        "-c",
        "cd \(home.path) && mkfifo pipe && exec 3<>pipe 4>pipe 3<&- && "
          + "'\(builtProgram("argyle"))' reload \(output); echo \"ended with $?\"",
      ], environment: home.environment, columns: 80)
    #expect(try terminal.waitForExit() == .exited(0))
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(text.contains("ended with \(status)"), "\(text)")
    let list = try home.run("articles", "list").output
    for name in ["a", "b", "c"] { #expect(list.contains("New in \(name)"), "\(list)") }
  }

  @Test func `a reload into a pipe writes each feed as it has been fetched`() throws {
    server["/slow"] = .whole(FeedText.rss("Slow", []))
    for path in ["/feed", "/slow"] {
      _ = try home.run("feeds", "add", server.url(path))
    }
    server["/slow"] = .heldBody(FeedText.rss("Slow", ["Snail"]))
    let terminal = try PseudoTerminal(
      running: "/bin/sh", ["-c", "'\(builtProgram("argyle"))' reload | cat"],
      environment: home.environment, columns: 80)
    try terminal.waitUntil("the first is written") { $0.line(0) == "✓ Alpha: 0 new" }
    #expect(!terminal.screen.text.contains("Slow"))
    server.release("/slow")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.screen.line(1) == "✓ Slow: 1 new")
  }
}
