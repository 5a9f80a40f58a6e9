import GRDB
import HTTP
import Limits
import Testing

@testable import Articles

/// The headers of answers, and what is searched for in texts.
extension GrowthTests {
  static let headers: [Growth] = [
    Growth(
      name: "links of a page's head", count: 100,
      text: { times($0) { "<link rel=feed href=/\($0)>" } }
    ) { bytes, budget in
      let html = String(decoding: bytes, as: UTF8.self)
      _ = FeedDiscovery.pageLinks(html, base: "https://example.org/", budget: budget)
    },
    Growth(name: "a header of links", text: { times($0, "<a>;rel=feed,") }) { bytes, budget in
      let header = String(decoding: bytes, as: UTF8.self)
      _ = FeedDiscovery.headerLinks(header, base: "https://example.org/", budget: budget)
    },
  ]

  static let searches: [Growth] = [
    search("the", in: "a text of matches") { times($0, "the ") },
    search("a", in: "a text of one letter") { times($0, "a ") },
    search("the zebra", in: "a text of one of two words") { times($0, "the ") },
    search(times(24, { "w\($0) " }), in: "many words") { count in
      times(count) { "w\($0 % 30) " }
    },
    search("\"a b a b a c\"", in: "beginnings of a phrase") { times($0, "a b ") },
    search("x", in: "one long word") { times($0, "xxxx") },
    search("字", in: "a script without spaces") { times($0, "漢字") },
    search("e\(marks)", in: "marks") { "e" + times($0, marks) },
    search("b", in: "tags") { times($0, "<b>b</b>") },
    search("amp", in: "character references") { times($0, "&amp;&#x61;") },
    search("a", in: "words behind control characters") { times($0, "\u{1}a\u{200B} ") },
  ]

  /// The excerpt of a text as a result of a search.
  private static func search(
    _ typed: String, in name: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Growth {
    Growth(name: "search: " + name, text: text) { bytes, budget in
      let text = HTMLText.text(
        String(decoding: bytes, as: UTF8.self), limit: .max, budget: budget)
      #expect(text.utf8.count <= bytes.count, "\(name)")
      let excerpt = try? DatabaseQueue().read { database in
        try ArticleCondition(typed, isBeingTyped: true)?.ranking.words
          .map { try SearchHighlighter($0.phrases, database) }?
          .snippet(of: text, budget: budget)
      }
      let size = excerpt.flatMap { $0 }?.parts.reduce(0) { $0 + $1.text.utf8.count }
      // Its bound is its own, whatever the text has.
      #expect(size.map { $0 <= 4_000 } ?? false, "\(name)")
    }
  }
}
