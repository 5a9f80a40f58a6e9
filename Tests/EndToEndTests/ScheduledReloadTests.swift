import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of automatic reloads.
struct ScheduledReloadTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
  }

  private func configure(_ text: String) throws {
    let folder = home.path + "/.config/argyle"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"), options: .atomic)
  }

  @Test func `an interval in the configuration holds as soon as it is written there`() async throws
  {
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple"]))
    server["/b"] = .whole(FeedText.rss("Beta", ["Banana"]))
    try await home.followSinceHours([server.url("/a"), server.url("/b")])
    #expect(try home.run("feeds", "set", "Beta", "--reload-minutes", "0").ending == .exited(0))
    try configure("[fetching]\nfreshness = 100000\n")
    let terminal = try home.openReader()
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.text.contains("Apple") && $0.feedRow("Alpha") != nil
    }
    #expect(server.requests.count == 2, "none of them is due")
    server["/a"] = .whole(FeedText.rss("Alpha", ["Avocado", "Apple"]))
    try configure("[fetching]\nfreshness = 100000\nreload-minutes = 60\n")
    try terminal.waitUntil("what is new is there") { $0.text.contains("Avocado") }
    #expect(server.requests(to: "/b").count == 1, "one that is never to be reloaded by itself")
    try terminal.send("\tjjjj", until: "it says when it is reloaded next") {
      $0.text.contains("Next reload at") || $0.text.contains("Next reload on")
    }
    #expect(try terminal.leave() == .exited(0))
  }
}
