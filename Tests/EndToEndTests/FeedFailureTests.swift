import PseudoTerminal
import TestServer
import Testing

/// Servers that do everything wrong: each fault has its own sentence, and none of them is the end.
struct FeedFailureTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: Answer
    let sentence: String

    init(_ description: String, _ answer: Answer, says sentence: String) {
      testDescription = description
      self.answer = answer
      self.sentence = sentence
    }
  }

  private static let feed = FeedText.rss("Alpha", ["Apple", "Apricot"])

  static let faults = [
    Fault("500", .whole("", status: 500), says: "The server has a problem of its own."),
    Fault("404", .whole("", status: 404), says: "The server has no feed at this address."),
    Fault(
      "half a feed, then the end", .cut(feed),
      says: "The connection ended before all of the feed had come."),
    Fault(
      "half a feed that claims to be whole", .whole(feed.prefix(feed.count / 2).description),
      says: "The feed ends in the middle."),
    Fault("a hang-up", .empty, says: "The server hung up without an answer."),
    Fault("a reset", .reset, says: "The connection was lost."),
    Fault(
      "a web page", .whole("<!DOCTYPE html><html><body>No feed here</body></html>"),
      says: "This is a web page, not a feed."),
    Fault(
      "an entity bomb", .whole(FeedText.bomb), says: "The feed defines entities of its own"),
    Fault("an endless body", .endless(), says: "The answer is larger than"),
    Fault("a compressed bomb", .gzipBomb(64 << 20), says: "The answer is larger than"),
    Fault(
      "redirects in a circle", .redirect(to: "/feed"),
      says: "The server sends us from one address to the next without end."),
    Fault(
      "a redirect to a file", .redirect(to: "file:///etc/passwd"),
      says: "The server sends us on to something that is no web address."),
    Fault("nothing that is HTTP", .raw("SSH-2.0-OpenSSH\r\n"), says: "What answers there is no"),
    Fault(
      "silence", .heldHead(feed), says: "The server took the question but did not answer in time."),
    Fault(
      "silence in the middle", .heldBody(feed),
      says: "The server stopped in the middle of its answer."),
  ]

  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
  }

  @Test(arguments: faults)
  func `with nothing stored a fault takes the screen, and r recovers`(_ fault: Fault) async throws {
    server["/feed"] = fault.answer
    try await home.follow([server.url("/feed")])
    let terminal = try openReader()
    try terminal.waitUntil("it says what happened") {
      $0.isWhole && $0.text.contains(fault.sentence)
    }
    #expect(terminal.screen.text.contains("r to retry"))
    #expect(terminal.screen.footer.contains("r retry"))
    server["/feed"] = .whole(Self.feed)
    terminal.send("r")
    try terminal.waitUntil("the server's recovery shows") {
      $0.selectedText.hasPrefix("Apple") && !$0.text.contains("✗")
    }
  }

  @Test(arguments: faults)
  func `with articles stored a fault takes one line, and r recovers`(_ fault: Fault) async throws {
    server["/feed"] = .whole(Self.feed)
    try await home.followSinceHours([server.url("/feed")])
    server["/feed"] = fault.answer
    let terminal = try openReader()
    try terminal.waitUntil("it says what happened, below the articles") { screen in
      screen.isWhole && screen.line(22).contains("✗ " + fault.sentence)
        && screen.line(22).hasSuffix("r to retry")
    }
    #expect(terminal.screen.selectedText.hasPrefix("Apple"))
    #expect(terminal.screen.text.contains("Apricot"))
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple", "Apricot"]))
    terminal.send("r")
    try terminal.waitUntil("the server's recovery shows") {
      $0.text.contains("Avocado") && !$0.text.contains("✗")
    }
    terminal.send("jkq")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `a server that refuses connections, and then takes them again`() async throws {
    server["/feed"] = .whole(Self.feed)
    try await home.follow([server.url("/feed")])
    server.refuseConnections()
    let terminal = try openReader()
    try terminal.waitUntil("it says what happened") {
      $0.isWhole && $0.text.contains("✗ The server does not take connections.")
    }
    terminal.send("r")
    try terminal.waitUntil("it has failed again") { $0.text.contains("Failed 2 times.") }
    terminal.send("d")
    try terminal.waitUntil("the details are there") { $0.text.contains("127.0.0.1") }
    try server.acceptConnections()
    terminal.send("r")
    try terminal.waitUntil("the articles are there") { $0.selectedText.hasPrefix("Apple") }
  }

  @Test func `one feed that fails does not hide the others`() async throws {
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    server["/b"] = .whole("", status: 500)
    try await home.follow([server.url("/a"), server.url("/b")])
    let terminal = try openReader()
    try terminal.waitUntil("one is there, the other is named") {
      $0.selectedText.hasPrefix("Apple") && $0.line(22).contains("problem of its own")
    }
    try terminal.waitUntil("the list of feeds marks it") {
      $0.allLines.contains { $0.hasPrefix("http://") && $0.contains("✗") }
    }
  }

  /// Silence ends after two seconds instead of twenty.
  private func openReader(columns: Int = 118) throws -> PseudoTerminal {
    try home.openReader(columns: columns, adding: ["ARGYLE_TIMEOUT": "2"])
  }
}
