import Foundation
import PseudoTerminal
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
    terminal.send("\r")
    try terminal.waitUntil("the article is open") { $0.footer.contains("Esc back") }
    terminal.send("sqq")
    #expect(try terminal.waitForExit() == .exited(73))
    #expect(
      String(decoding: terminal.output, as: UTF8.self).contains(
        "argyle: The log “\(log)” is not complete: the program that read this pipe has ended."))
    #expect(try home.run("articles", "list", "--starred").output.contains("Apple"))
  }
}
