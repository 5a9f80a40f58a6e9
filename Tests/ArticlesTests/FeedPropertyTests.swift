import Limits
import PseudoTerminal
import Testing

@testable import Articles

@Suite struct FeedPropertyTests {
  private static let sample = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
    <title>Żółw &amp; 🧦</title><link>https://example.org/</link>
    <item><title>One &nbsp; <![CDATA[<b>two</b>]]></title><guid>1</guid>
    <pubDate>Sat, 21 Nov 2026 08:30:00 GMT</pubDate>
    <content:encoded><![CDATA[<p>a & b</p>]]></content:encoded></item>
    <item><link>/2</link><description>x &lt;i&gt; <em a="1&amp;2">y</em></description></item>
    </channel></rss>
    """.utf8)

  @Test func `where the input is divided does not matter`() throws {
    let whole = try FeedParser.parse(Self.sample, address: "https://example.org/f")
    #expect(whole.articles.count == 2)
    for size in 1...Self.sample.count {
      let parsed = try FeedParser.parse(
        Self.sample, address: "https://example.org/f", charset: nil, chunkSize: size)
      #expect(parsed == whole, "in pieces of \(size)")
    }
  }

  @Test func `mutated feeds are parsed or refused, the same each time`() {
    var generator = SeededGenerator(seed: 1)
    let pieces = [
      "<", ">", "&", ";", "\"", "'", "]]>", "<![CDATA[", "<!--", "-->", "<?", "?>", "<!DOCTYPE x [",
      "]>", "<!ENTITY a '&a;'>", "&a;", "&#0;", "&#xFFFFFFFFF;", "</item>", "<item>", "<title>",
      "\u{0}", "\u{FFFE}", "xml:base='http://['", "xmlns='x'", "<feed>", "<entry>", "=", "/",
    ].map { Array($0.utf8) }
    for _ in 0..<4_000 {
      var bytes = Self.sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
        let insert =
          Bool.random(using: &generator)
          ? pieces.randomElement(using: &generator) ?? []
          : (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }
        bytes.replaceSubrange(start..<end, with: insert)
        if bytes.isEmpty { bytes = [0x20] }
      }
      // Bytes are looked at in groups of eight, which begin elsewhere with every space in front.
      let text = SourceText.utf8(bytes, charset: nil)
      let repaired = try? XMLRepair.repair(text, budget: Budget(bytes: text.count))
      for spaces in 1..<8 {
        let moved = try? XMLRepair.repair(
          [UInt8](repeating: 0x20, count: spaces) + text, budget: Budget(bytes: text.count))
        #expect(
          moved.map(Array.init) == repaired.map(Array.init),
          "\(String(decoding: bytes, as: UTF8.self))")
      }
      let one = outcome(bytes, chunkSize: 1 << 20)
      let other = outcome(bytes, chunkSize: Int.random(in: 1...64, using: &generator))
      switch (one, other) {
      case (.success(let one), .success(let other)): #expect(one == other)
      // In pieces, a mistake may be noticed at the end only, and then looks like a cut.
      case (.failure, .failure): break
      default: Issue.record("\(one) and \(other) of \(String(decoding: bytes, as: UTF8.self))")
      }
      if case .success(let feed) = one { check(feed) }
    }
  }

  @Test func `random bytes are refused`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let count = Int.random(in: 0...200, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if case .success(let feed) = outcome(bytes, chunkSize: 1 << 20) {
        Issue.record("\(bytes) is \(feed)")
      }
    }
  }

  private func outcome(_ bytes: [UInt8], chunkSize: Int) -> Result<ParsedFeed, FeedError> {
    Result { () throws(FeedError) in
      try FeedParser.parse(
        bytes, address: "https://example.org/f", charset: nil, chunkSize: chunkSize)
    }
  }

  private func check(_ feed: ParsedFeed) {
    let articles = PreparedFeed(feed).articles.map(\.content)
    #expect(Set(articles.map(\.guid)).count == articles.count)
    for article in articles {
      #expect(!article.guid.isEmpty)
      #expect(article.link.map { $0.hasPrefix("http") } ?? true)
      #expect(!article.title.contains("\n"))
    }
  }
}
