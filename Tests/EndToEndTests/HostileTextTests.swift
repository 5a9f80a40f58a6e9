import Foundation
import PseudoTerminal
import Testing

@testable import Articles

/// Whatever a feed says, the terminal gets visible characters, inside the region they belong to.
@Suite struct HostileTextTests {
  private static let columns = 90
  private static let rows = 24

  private let home: Home

  init() throws { home = try Home() }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `a hostile feed writes nothing but visible characters in its own region`(
    seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let feed = Self.hostileFeed(&generator)
    try await follow(feed)
    let terminal = try home.openReader(columns: Self.columns, rows: Self.rows)
    // The date of the last article is drawn behind its title, wherever that ends.
    try terminal.waitUntil("the lists are there") { Self.isList($0, rows: feed.articles.count) }
    expectOwnRegion(terminal.screen, articleCount: feed.articles.count, seed: seed)

    terminal.send("jk\r")
    try terminal.waitUntil("the article is open") {
      $0.isWhole && $0.footer.contains("Esc back") && $0.text.contains("The end.")
    }
    terminal.send("\u{1B}")
    try terminal.waitUntil("the lists are back") { Self.isList($0, rows: feed.articles.count) }
    expectOwnRegion(terminal.screen, articleCount: feed.articles.count, seed: seed)
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.screen.unknown == [], "seed \(seed)")
    #expect(OutputCheck.intruders(in: terminal.output) == [], "seed \(seed)")
    #expect(terminal.leftovers == [], "seed \(seed)")
  }

  @Test func `the same text written as it came does not pass`() {
    for seed in 0..<6 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let feed = Self.hostileFeed(&generator)
      var screen = EmulatedScreen(columns: Self.columns, rows: Self.rows)
      var output: [UInt8] = []
      for (row, article) in feed.articles.enumerated() {
        output += Array("\u{1B}[\(row + 3);34H\(article.title)".utf8)
      }
      screen.feed(output)
      #expect(!OutputCheck.intruders(in: output).isEmpty)
      let hasLeftItsRegion = (0..<Self.rows).contains { y in
        screen.row(y).prefix(33).contains { $0.text != " " && !$0.text.isEmpty }
      }
      #expect(hasLeftItsRegion || !screen.unknown.isEmpty, "seed \(seed)")
    }
  }

  // MARK: The feed

  private static func hostileFeed(_ generator: inout SeededGenerator) -> ParsedFeed {
    var feed = ParsedFeed()
    feed.title = "Feed"
    feed.articles = (0..<12).map { number in
      var article = ParsedArticle()
      article.guid = "\(number)"
      // Each has something in it that would move the cursor, whatever else comes.
      article.title =
        "\(number) " + generator.hostileText(length: 30) + "\u{1B}[1;1H\u{9B}2J"
        + generator.hostileText(length: 30)
      article.author = generator.hostileText(length: 10)
      article.link = "http://example.org/" + generator.hostileText(length: 5)
      article.published = Date(timeIntervalSince1970: 1_790_000_000 - Double(number))
      let paragraphs = (0..<6).map { _ in "<p>" + generator.hostileText(length: 60) + "</p>" }
      article.html = "<p>The end.</p>" + paragraphs.joined()
      return article
    }
    return feed
  }

  private func follow(_ feed: ParsedFeed) async throws {
    let store = try ArticleStore(directory: home.dataDirectory)
    let added = try #require(try await store.insertFeed(address: "http://127.0.0.1:9/feed"))
    _ = try await store.save(feed, of: added.id, etag: nil, lastModified: nil, at: Date())
  }

  // MARK: The screen

  private static func isList(_ screen: EmulatedScreen, rows count: Int) -> Bool {
    screen.isWhole && screen.line(1).hasPrefix("Feeds") && screen.line(count + 1).hasSuffix("Sep")
      && screen.line(3).hasPrefix("Feed")
  }

  /// Everything but the titles is where it is with any other feed.
  private func expectOwnRegion(_ screen: EmulatedScreen, articleCount: Int, seed: UInt64) {
    let divider = screen.row(1).firstIndex { $0.text == "│" }
    #expect(screen.line(0) == "[1 Articles] 2 Gallery  3 Catalog", "seed \(seed)")
    #expect(screen.line(1).hasPrefix("Feeds"), "seed \(seed)")
    #expect(screen.line(1).hasSuffix("│ All articles"), "seed \(seed)")
    for y in 1..<(Self.rows - 1) {
      let row = screen.row(y)
      let found = row.firstIndex { $0.text == "│" }
      #expect(found == divider, "row \(y), seed \(seed)")
      let isRow = (2..<(articleCount + 2)).contains(y)
      if isRow { #expect(screen.line(y).hasSuffix(" 21 Sep"), "row \(y), seed \(seed)") }
      guard !isRow, y > 1 else { continue }
      let line = screen.line(y).split(separator: "│", omittingEmptySubsequences: false)
      #expect(line.count == 2 && line.last?.allSatisfy { $0 == " " } != false, "row \(y)")
    }
    #expect(screen.footer == "Enter open  r reload  ? keys  q quit", "seed \(seed)")
  }
}
