import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of feeds from a slow server.
struct FeedLoadingTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
  }

  #if os(Linux)
    @Test func `what talks to the network is loaded when something is asked for there`() throws {
      server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple"]))
      #expect(try home.run("feeds", "add", server.url("/feed")).ending == .exited(0))
      let terminal = try home.openReader()
      try terminal.waitUntil("the list is there") {
        $0.isWhole && $0.selectedText.hasPrefix("Apple")
      }
      #expect(try libraries(of: terminal.processID).isDisjoint(with: ["libcurl", "libssl"]))
      server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Pear"]))
      try terminal.send("r", until: "the reload has come") { $0.text.contains("Pear") }
      #expect(try libraries(of: terminal.processID).isSuperset(of: ["libcurl", "libc"]))
    }

    /// Returns the names of the libraries that a process has loaded.
    private func libraries(of process: pid_t) throws -> Set<String> {
      // The kernel creates this file while it is read, so its length is not known in advance.
      let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps"))
      let text = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
      let files = text.split(separator: "\n").compactMap { $0.split(separator: "/").last }
      return Set(files.compactMap { $0.split(separator: ".").first.map(String.init) })
    }
  #endif

  @Test func `a server's name may be in any script, whatever the locale`() throws {
    server["http://xn--bcher-kva.example/feed"] = .whole(FeedText.rss("Bücher", ["Apple"]))
    for locale in ["C", "C.UTF-8"] {
      let home = try Home()
      let more = ["http_proxy": server.url(""), "LC_ALL": locale]
      let outcome = try home.run("feeds", "add", "http://bücher.example/feed", adding: more)
      #expect(outcome.ending == .exited(0), "\(outcome.errors)")
      #expect(outcome.output == "Added Bücher: 1 article.\n")
    }
  }

  @Test func `a slow first load shows a placeholder and its progress, then what came`() async throws
  {
    server["/a"] = .heldHead(FeedText.rss("Alpha", ["Apple"]))
    server["/b"] = .heldHead(FeedText.rss("Beta", ["Banana"]))
    try await home.follow([server.url("/a"), server.url("/b")])
    let terminal = try home.openReader()
    try terminal.waitUntil("the placeholder is there") {
      $0.showsPlaceholder && $0.showsSpinner && $0.text.contains("0 of 2 feeds")
        && $0.footer.contains("Esc cancel")
    }
    server.release("/b")
    try terminal.waitUntil("the first feed is there, the other under way") {
      $0.selectedText.hasPrefix("Banana") && $0.text.contains("1 of 2 feeds")
        && !$0.showsPlaceholder
    }
    server.release("/a")
    try terminal.waitUntil("both are there and nothing turns any more") {
      $0.text.contains("Apple") && $0.selectedText.hasPrefix("Banana") && !$0.showsSpinner
        && !$0.text.contains("of 2 feeds")
    }
  }

  @Test func `Esc stops a first load, and r starts it again`() async throws {
    server["/feed"] = .heldHead(FeedText.rss("Alpha", ["Apple"]))
    try await home.follow([server.url("/feed")])
    let terminal = try home.openReader()
    try terminal.waitUntil("the placeholder is there") { $0.showsPlaceholder }
    try server.waitForRequest(to: "/feed")
    try terminal.send("\u{1B}", until: "it says how to load") {
      $0.text.contains("r to load") && !$0.showsPlaceholder && !$0.showsSpinner
    }
    try server.waitForAbandonment(of: "/feed")
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    try terminal.send("r", until: "it has loaded") { $0.selectedText.hasPrefix("Apple") }
  }

  @Test func `a reload keeps what is there, Esc stops it, and its late answer changes nothing`()
    async throws
  {
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    #expect(try home.run("feeds", "add", server.url("/feed")).ending == .exited(0))
    let terminal = try home.openReader()
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
        // The list of feeds is loaded separately, and may come later.
        && $0.feedRow("Alpha")?.contains("1") == true
    }
    let before = terminal.screen.text
    #expect(server.requests(to: "/feed").count == 1, "a feed fetched a moment ago is not due")

    server["/feed"] = .heldBody(FeedText.rss("Alpha", ["Avocado", "Apple"]))
    try terminal.send("r", until: "the indicator turns over the content") {
      $0.showsSpinner && $0.text.contains("0 of 1 feed") && $0.selectedText.hasPrefix("Apple")
    }
    try server.waitForRequest(to: "/feed", count: 2)
    try terminal.send("\u{1B}", until: "the indicator is gone") { $0.text == before }
    try server.waitForAbandonment(of: "/feed")
    server.release("/feed")
    try terminal.send("?", until: "the keys are there") { $0.text.contains("╭─ Keys") }
    try terminal.send("\u{1B}", until: "nothing has changed") { $0.text == before }

    server["/feed"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple"]))
    try terminal.send("r", until: "the new article is there, the selection where it was") {
      $0.text.contains("Avocado") && $0.selectedText.hasPrefix("Apple")
    }
  }

  @Test func `stored articles are there at once, and can be read, while the server is silent`()
    async throws
  {
    server["/feed"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
    try await home.followSinceHours([server.url("/feed")])
    server["/feed"] = .heldHead("")
    let terminal = try home.openReader()
    try terminal.waitUntil("the list is there") { $0.selectedText.hasPrefix("Apple") }
    try server.waitForRequest(to: "/feed", count: 2)
    try terminal.send("j\r", until: "the second one is open") {
      $0.text.contains("The text of Apricot.")
    }
    try terminal.send("\u{1B}", until: "the list is back, still loading") {
      $0.selectedText.hasPrefix("Apricot") && $0.showsSpinner
    }
    #expect(try terminal.leave() == .exited(0))
    try server.waitForAbandonment(of: "/feed")
  }

  @Test func `one feed is given up, and the others come`() async throws {
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
    try await home.followSinceHours([server.url("/a"), server.url("/b")])
    server["/a"] = .heldHead(FeedText.rss("Alpha", ["Avocado", "Apple"]))
    server["/b"] = .heldHead(FeedText.rss("Beta", ["Blueberry", "Banana"]))
    let terminal = try home.openReader()
    try terminal.waitUntil("both are being fetched") {
      $0.isFetching("Alpha") && $0.isFetching("Beta")
    }
    try server.waitForRequest(to: "/a", count: 2)
    try terminal.send("\tjjjj", until: "the first is selected") {
      $0.footer.contains("c cancel") && $0.allLines.contains { $0.contains("│ Alpha") }
    }
    try terminal.send("c", until: "it is given up, the other is not") {
      !$0.isFetching("Alpha") && $0.isFetching("Beta") && !$0.footer.contains("c cancel")
    }
    try server.waitForAbandonment(of: "/a")
    server.release("/b")
    try terminal.waitUntil("the other has come, and nothing failed") {
      $0.feedRow("Beta")?.hasSuffix(" 2 ") == true && !$0.isFetching("Beta")
        && !$0.text.contains("✗")
    }
    #expect(terminal.screen.feedRow("Alpha")?.hasSuffix(" 1 ") == true)
  }

  @Test func `a feed is selected and shown alone`() throws {
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
    for path in ["/a", "/b"] {
      #expect(try home.run("feeds", "add", server.url(path)).ending == .exited(0))
    }
    let terminal = try home.openReader()
    try terminal.waitUntil("both are there") {
      $0.text.contains("Apple") && $0.text.contains("Banana") && $0.feedRow("Beta") != nil
    }
    try terminal.send("\tjjjjj\t", until: "the second feed is alone") {
      $0.text.contains("Banana") && !$0.text.contains("Apple")
        && $0.allLines.contains { $0.contains("│ Beta") }
    }
  }
}
