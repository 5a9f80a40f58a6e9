import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests that whatever `--log` names, it neither blocks nor ends the reader.
struct LogTests {
  private let home: Home
  private let log: String

  init() throws {
    home = try Home()
    log = home.path + "/log"
    let feed = try home.write(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>Apple</title></item>
      </channel></rss>
      """, to: "alpha.xml")
    #expect(try home.run("feeds", "add", feed).ending == .exited(0))
  }

  private func openReader() throws -> PseudoTerminal {
    let terminal = try home.openReader(["--log", log])
    try terminal.waitUntil("the articles are listed") {
      $0.isWhole && $0.selectedText.contains("Apple")
    }
    return terminal
  }

  /// What the log has about writes: how many are stored together depends on the time they take.
  private var writes: Regex<Substring> { #/Z articles\.sqlite: \d+ writes? of \d+ rows? after/# }

  @Test func `a reload tells what it fetched and stored, without the text and the password`()
    async throws
  {
    let server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Beta", ["Banana"]))
    let address = server.url("/feed?key=hidden").replacing("http://", with: "http://ann:hidden@")
    server["/page"] = .whole("<html><title>Cherry</title></html>")
    try await home.follow([address, server.url("/missing"), server.url("/page")])
    let outcome = try home.run("reload", adding: ["ARGYLE_LOG": log])
    #expect(outcome.ending == .exited(1))
    let text = try home.text(of: "log")
    let place = server.url("").dropFirst("http://".count)
    #expect(text.contains("Z articles.sqlite: opened after "))
    #expect(text.contains("Z GET http://\(place)/feed?…: status 200, "))
    #expect(text.contains("Z GET http://\(place)/missing: status 404, "))
    #expect(text.contains(writes))
    #expect(text.contains("Z feed http://\(place)/feed?…: 1 new article after "))
    #expect(text.contains("Z feed http://\(place)/missing: failed after "))
    #expect(text.contains(" s: This is a web page, not a feed."))
    for secret in ["hidden", "Banana", "Cherry"] { #expect(!text.contains(secret)) }
  }

  @Test func `the reader tells what it loads and fetches`() async throws {
    let server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Beta", ["Banana"]))
    try await home.follow([server.url("/feed")])
    let terminal = try home.openReader(["--log", log])
    try terminal.waitUntil("the article is listed") { $0.isWhole && $0.text.contains("Banana") }
    #expect(try terminal.leave() == .exited(0))
    let text = try home.text(of: "log")
    #expect(text.contains("Z feeds #1: started because "))
    #expect(text.contains("Z GET \(server.url("/feed")): status 200, "))
    #expect(text.contains(writes))
    #expect(!text.contains("Banana"))
  }

  @Test func `every command takes a log, also before its name`() async throws {
    let server = try TestServer()
    server["/feed"] = .whole(FeedText.rss("Beta", ["Banana"]))
    _ = try home.run("--log", log, "feeds", "add", server.url("/feed"))
    let text = try home.text(of: "log")
    #expect(text.contains("Z GET \(server.url("/feed")): status 200, "))
    #expect(text.contains("Z feed \(server.url("/feed")): 1 new article after "))
    #expect(text.contains(", parsed in 0."))
    _ = try home.run("socks", "list", adding: ["ARGYLE_LOG": log])
    #expect(try home.text(of: "log").contains("Z socks.sqlite: opened after "))
  }

  @Test func `a pipe that no program reads is refused`() throws {
    #expect(mkfifo(log, 0o600) == 0)
    let terminal = try home.openReader(["--log", log])
    #expect(try terminal.waitForExit() == .exited(73))
    #expect(
      String(decoding: terminal.output, as: UTF8.self).hasPrefix(
        "argyle: The log “\(log)” cannot be written: no program reads this pipe."))
  }

  @Test func `a terminal is refused`() throws {
    let terminal = try home.openReader(["--log", "/dev/tty"])
    #expect(try terminal.waitForExit() == .exited(73))
    #expect(
      String(decoding: terminal.output, as: UTF8.self).hasPrefix(
        "argyle: The log “/dev/tty” cannot be written: it is a terminal, which the reader is on."))
  }

  @Test func `the end of the program that reads it does not end the reader`() throws {
    #expect(mkfifo(log, 0o600) == 0)
    let pipe = open(log, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let terminal = try openReader()
    close(pipe)
    // Causes a load, which is logged.
    try terminal.send("\r", until: "the article is open") { $0.footer.contains("Esc back") }
    terminal.send("sqq")
    #expect(try terminal.waitForExit() == .exited(73))
    #expect(
      String(decoding: terminal.output, as: UTF8.self).contains(
        "argyle: The log “\(log)” is not complete: the program that read this pipe has ended."))
    #expect(try home.run("articles", "list", "--starred").output.contains("Apple"))
  }
}
