import Testing

@testable import Argyle

/// Tests of the reader in plain mode: a line belongs to one pane, marks are words, and the last row
/// announces what a key marked.
@MainActor
@Suite struct PlainReaderTests {
  private func lines(_ size: String, _ arguments: String...) throws -> [String] {
    try ScreenshotCommand.parse(["articles", "--plain", "--at", "2", "--size", size] + arguments)
      .picture().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `a wide screen shows the articles alone, with words for their marks`() throws {
    let lines = try lines("130x9")
    #expect(lines[1] == "All articles" || lines[1].hasPrefix("All articles "))
    #expect(lines[2].hasPrefix("Please stop asking me every four seconds  "))
    #expect(lines[2].contains(" unread Letters"))
    #expect(lines[3].hasPrefix("Three milliseconds, and where they went  "))
    #expect(lines[3].contains(" unread, starred Cold Starts"))
    #expect(lines[4].hasPrefix("How to use Argyle  "))
    #expect(!lines.joined().contains { "★•│✗▾".contains($0) })
  }

  @Test func `the feeds have words for their symbols`() throws {
    let lines = try lines("60x14", "--keys", "@1 esc")
    #expect(lines[1] == "Feeds")
    #expect(lines.contains { $0.hasPrefix("Starred  ") })
    #expect(!lines.joined().contains { "★•│✗▾".contains($0) })
  }

  @Test func `the lists to go to have their counts before the feeds have been shown`() throws {
    let lines = try lines("60x20", "--keys", "@1 L")
    let starred = try #require(lines.first { $0.contains("Starred") })
    #expect(starred.contains { $0.isNumber }, "\(starred)")
  }

  @Test func `a form has a word for the sign of a failure`() throws {
    let lines = try lines("60x20", "--keys", "@1 a x enter")
    #expect(lines.contains { $0.contains("Failed: A demonstration keeps no feeds.") })
    #expect(!lines.joined().contains("✗"))
  }

  @Test func `an open article has words for its marks, and no rules`() throws {
    let starred = try lines("80x20", "--keys", "@1 s enter")
    #expect(starred.contains { $0.contains("Starred · Letters from a Small Server") })
    let table = try lines("80x60", "--keys", "@1 j j enter")
    #expect(table.contains { $0.contains("Key          What it does") })
    #expect(!(starred + table).joined().contains { "★─".contains($0) })
  }

  @Test func `the last row follows the marks`() throws {
    #expect(try lines("80x9", "--keys", "@1 s")[8] == "Unread, starred.")
    #expect(try lines("80x9", "--keys", "@1 s m")[8] == "Read, starred.")
  }
}
