import PseudoTerminal
import TestServer
import Testing

/// Tests of the title of the terminal's window, and of notifications, if they are enabled.
struct TitleTests {
  private let home: Home
  private let server: TestServer
  private let config: String

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    config = try home.write(
      "[display]\ntitle = true\n[fetching]\nnotify = true\n", to: "config.toml")
    _ = try home.run("feeds", "add", server.url("/a"), "--config", config)
  }

  private func switches(_ terminal: PseudoTerminal) -> [String] {
    WrittenBytes(terminal.output).switches
  }

  private func run(
    _ type: String = "xterm-256color", adding more: [String: String] = [:],
    until sequence: String? = nil
  ) throws -> (switches: [String], foreign: [String]) {
    let terminal = try home.openReader(
      ["--config", config], terminalType: type, adding: more)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
    }
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Cher\u{9B}ry"]))
    try terminal.send("r", until: "it is there") {
      $0.isWhole && $0.text.contains("Cher") && !$0.isFetching("Alpha")
        && $0.title == "(2) argyle"
        && sequence.map { start in switches(terminal).contains { $0.hasPrefix(start) } } ?? true
    }
    #expect(try terminal.leave() == .exited(0))
    let written = WrittenBytes(terminal.output)
    return (written.switches, written.foreign)
  }

  @Test func `the title says what is unread, and the one before comes back`() throws {
    let (switches, foreign) = try run()
    #expect(foreign == [])
    #expect(switches.first == "[22;2t")
    #expect(switches.contains("]2;(1) argyle"))
    #expect(switches.contains("]2;(2) argyle"))
    #expect(switches.last == "[23;2t")
    #expect(!switches.contains { $0.hasPrefix("]9") || $0.hasPrefix("]777") })
  }

  @Test func `a terminal that is known to shows a notification`() throws {
    let (switches, foreign) = try run(adding: ["TERM_PROGRAM": "WezTerm"], until: "]9;")
    #expect(foreign == [])
    #expect(switches.count { $0.hasPrefix("]9;Argyle: Alpha: Cher") } == 1)
  }

  @Test func `inside a multiplexer nothing is shown`() throws {
    let (switches, _) = try run(adding: ["TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/x,1,0"])
    #expect(!switches.contains { $0.hasPrefix("]9") })
  }
}
