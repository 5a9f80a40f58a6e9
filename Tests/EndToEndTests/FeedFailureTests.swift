import PseudoTerminal
import TestServer
import Testing

/// Tests of servers that do everything wrong: each fault has its own message, and none of them ends
/// the program.
struct FeedFailureTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
  }

  @Test(arguments: Fault.all)
  func `with nothing stored a fault takes the screen, and r recovers`(_ fault: Fault) async throws {
    server["/feed"] = fault.answer
    try await home.follow([server.url("/feed")])
    let terminal = try openReader(timeout: fault.timeout)
    try terminal.waitUntil("it says what happened") {
      $0.isWhole && $0.text.contains(fault.sentence)
    }
    #expect(terminal.screen.text.contains("r to retry") != fault.isLasting)
    #expect(terminal.screen.footer.contains("r retry") != fault.isLasting)
    server["/feed"] = .whole(Fault.feed)
    // Where silence is the fault, the good answer may be too late as well.
    try terminal.waitUntil("the server's recovery shows", pressing: "r") {
      $0.selectedText.hasPrefix("Apple") && !$0.text.contains("✗")
    }
  }

  @Test(arguments: Fault.all)
  func `with articles stored a fault takes one line, and r recovers`(_ fault: Fault) async throws {
    server["/feed"] = .whole(Fault.feed)
    try await home.followSinceHours([server.url("/feed")])
    server["/feed"] = fault.answer
    let terminal = try openReader(timeout: fault.timeout)
    try terminal.waitUntil("it says what happened, below the articles") { screen in
      screen.isWhole && screen.line(22).contains("✗ " + fault.sentence)
        && screen.line(22).hasSuffix("r to retry") != fault.isLasting
    }
    #expect(terminal.screen.selectedText.hasPrefix("Apple"))
    #expect(terminal.screen.text.contains("Apricot"))
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple", "Apricot"]))
    try terminal.waitUntil("the server's recovery shows", pressing: "r") {
      $0.text.contains("Avocado") && !$0.text.contains("✗")
    }
    #expect(try terminal.leave(by: "jkq") == .exited(0))
  }

  @Test(arguments: [429, 503], [false, true])
  func `a server that asks to wait is left alone, and r says until when`(
    status: Int, hasArticles: Bool
  ) async throws {
    server["/feed"] = .whole(Fault.feed)
    if hasArticles {
      try await home.followSinceHours([server.url("/feed")])
    } else {
      try await home.follow([server.url("/feed")])
    }
    server["/feed"] = .whole("", status: status, headers: ["Retry-After": "3600"])
    let requests = server.requests.count + 1
    let terminal = try openReader()
    try terminal.waitUntil("it says what happened and until when it waits") {
      $0.isWhole
        && $0.text.contains(hasArticles ? "not before " : "The server asks to wait until ")
        && $0.allLines.contains { $0.prefix(33).contains("✗") }
    }
    #expect(!terminal.screen.text.contains("r to retry"))
    try terminal.send("r", until: "r says so") {
      $0.line(22).contains("is not fetched. The server asks to wait until ")
    }
    #expect(!terminal.screen.text.contains("Failed 2 times."))
    #expect(server.requests.count == requests)
    #expect(try terminal.leave() == .exited(0))
    let reload = try home.run("reload")
    #expect(reload.output.contains("The server asks to wait until "))
    #expect(server.requests.count == requests)
  }

  @Test func `a server that refuses connections, and then takes them again`() async throws {
    server["/feed"] = .whole(Fault.feed)
    try await home.follow([server.url("/feed")])
    server.refuseConnections()
    let terminal = try openReader()
    try terminal.waitUntil("it says what happened") {
      $0.isWhole && $0.text.contains("✗ The server refuses connections.")
    }
    try terminal.send("r", until: "it has failed again") { $0.text.contains("Failed 2 times.") }
    try terminal.send("d", until: "the details are there") { $0.text.contains("127.0.0.1") }
    try server.acceptConnections()
    try terminal.send("r", until: "the articles are there") { $0.selectedText.hasPrefix("Apple") }
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
      $0.allLines.contains { $0.hasPrefix("127.0.0.1:") && $0.contains("✗") }
    }
  }

  private func openReader(columns: Int = 118, timeout: String? = nil) throws -> PseudoTerminal {
    try home.openReader(
      columns: columns, adding: timeout.map { ["ARGYLE_TIMEOUT": $0] } ?? [:])
  }
}
