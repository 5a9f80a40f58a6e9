import Articles
import CSAX

/// Reading feeds, beside libxml2's own events for the same bytes.
enum ParserBenchmarks {
  static let all = [
    Benchmark(
      name: "articles/parser", title: "a feed of 8 MB read, beside libxml2's SAX that only counts"
    ) { try await parsers() }
  ]

  private static func parsers() async throws -> Table {
    var table = Table("feed", "we", "libxml2's SAX", "ratio", "aim")
    let aim = Aim(limit: 2)
    for (name, document) in [("RSS", rss()), ("Atom", atom())] {
      let megabytes = Double(document.count) / 1e6
      let rounds = try await Rounds(
        7,
        [
          Contender(name: "we") {
            try await seconds {
              let feed = try FeedParser.parse(document, address: "https://example.org/feed")
              guard feed.articles.count > 1_000 else { throw WrongAnswer() }
            }
          },
          Contender(name: "libxml2") {
            try await seconds {
              let count = document.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                  sax_count($0.assumingMemoryBound(to: CChar.self), bytes.count)
                }
              }
              guard let count, count > 1_000 else { throw WrongAnswer() }
            }
          },
        ])
      let ratio = rounds.ratio(0, to: 1)
      table.row(
        [name]
          + [0, 1].map { "\((megabytes / rounds.median($0)).formatted(decimals: 0)) MB/s" }
          + [ratio.formatted(decimals: 2)], judging: ratio, .ratio, by: aim)
    }
    table.note("we: encoding, repair, fields, dates, addresses and ids; the SAX keeps nothing")
    return table
  }

  private struct WrongAnswer: Error {}

  private static let paragraph = """
    <p>Some text with <a href="https://example.org/a?b=1&amp;c=2">a link</a>, <em>emphasis</em> and \
    more of it, as long as a paragraph is in most articles that people write.</p>
    """

  private static func rss() -> [UInt8] {
    let body = String(repeating: paragraph, count: 20)
    let items = (0..<2_000).map { index in
      """
      <item><title>Title number \(index)</title><link>https://example.org/\(index)</link>
      <guid isPermaLink="false">urn:\(index)</guid><dc:creator>Ann</dc:creator>
      <pubDate>Sat, 21 Nov 2026 08:30:00 +0100</pubDate><category>one</category>
      <content:encoded><![CDATA[\(body)]]></content:encoded></item>
      """
    }
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Feed</title>
      <link>https://example.org/</link>\(items.joined(separator: "\n"))</channel></rss>
      """.utf8)
  }

  private static func atom() -> [UInt8] {
    let body = String(repeating: paragraph, count: 20)
    let entries = (0..<2_000).map { index in
      """
      <entry><id>urn:\(index)</id><title>Title number \(index)</title>
      <link href="https://example.org/\(index)"/><updated>2026-11-21T08:30:00Z</updated>
      <author><name>Ann</name></author><content type="xhtml">
      <div xmlns="http://www.w3.org/1999/xhtml">\(body)</div></content></entry>
      """
    }
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">
      <title>Feed</title><id>urn:feed</id>\(entries.joined(separator: "\n"))</feed>
      """.utf8)
  }
}
