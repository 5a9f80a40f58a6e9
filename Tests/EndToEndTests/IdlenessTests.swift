import Foundation
import PseudoTerminal
import Terminal
import Testing

/// A reader that waits for a key wakes for nothing else.
@Suite(.enabled(if: MainLoop.isBuilt, "without the loop a timer of the runtime wakes the program"))
struct IdlenessTests {
  private let home: Home

  init() throws { home = try Home() }

  /// One timer of the runtime's own pool of threads wakes a process every second, once anything has
  /// run there.
  private static let pause = Duration.milliseconds(2_500)

  private func writeFeed(_ titles: [String]) throws -> String {
    try home.write(FeedText.rss("Alpha", titles), to: "alpha.xml")
  }

  private func openReader() throws -> PseudoTerminal {
    let feed = try writeFeed(["Apple", "Apricot"])
    #expect(try home.run("feeds", "add", feed).ending == .exited(0))
    let terminal = try home.openReader()
    try terminal.waitUntil("the articles are listed") {
      $0.isWhole && $0.selectedText.contains("Apple")
    }
    return terminal
  }

  @Test func `a reader that was opened sleeps`() throws {
    try openReader().waitUntilAsleep(for: Self.pause)
  }

  @Test func `a reader sleeps again after a reload, a mark and an article`() throws {
    let terminal = try openReader()
    _ = try writeFeed(["Apple", "Apricot", "Cherry"])
    try terminal.send("R", until: "it was reloaded") { $0.isWhole && $0.text.contains("Cherry") }
    try terminal.send("s\r", until: "the article is open") {
      $0.text.contains("The text of Apple.")
    }
    try terminal.send("q", until: "the list is back") { $0.isWhole && $0.text.contains("Apricot") }
    try terminal.waitUntilAsleep(for: Self.pause)
  }
}
