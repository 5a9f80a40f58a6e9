import Foundation
import Testing

@testable import Articles

@Suite struct JSONFeedTests {
  private func refusal(_ text: String) -> FeedError? {
    do throws(FeedError) {
      _ = try FeedParser.parse(Array(text.utf8), address: "https://example.org/feed.json")
      return nil
    } catch {
      return error
    }
  }

  private func item(_ members: String) throws -> ParsedArticle {
    let text = #"{"version": "https://jsonfeed.org/version/1.1", "items": [{\#(members)}]}"#
    return try #require(try parse(text).articles.first)
  }

  @Test func `version 1-1 gives feed and items`() throws {
    let feed = try parse(
      """
      {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Socks & <i>Sandals</i>",
        "home_page_url": "https://example.org/",
        "feed_url": "https://example.org/feed.json",
        "authors": [{"name": "Ann"}, {"name": "Bea"}],
        "items": [
          {"id": "2", "url": "/two", "title": "Two\\u0020\\ud83e\\udde6",
           "content_html": "<p>long</p>", "content_text": "short", "summary": "shorter",
           "date_published": "2026-11-21T08:30:00+01:00", "tags": ["x"],
           "image": "two.png",
           "attachments": [{"url": "https://example.org/two.m4a", "mime_type": "audio/x-m4a",
             "size_in_bytes": 89970236, "duration_in_seconds": 6629}]},
          {"id": 1, "external_url": "https://elsewhere.example/1", "content_text": "1 < 2",
           "authors": [{"name": "Cay"}], "date_modified": "2026-11-20T00:00:00Z"}
        ]
      }
      """)
    // A title is text and not HTML.
    #expect(feed.title == "Socks & <i>Sandals</i>")
    #expect(feed.site == "https://example.org/")
    #expect(feed.author == "Ann, Bea")
    #expect(feed.articles.map(\.guid) == ["2", "1"])
    #expect(feed.articles.map(\.title) == ["Two 🧦", ""])
    #expect(feed.articles.map(\.author) == ["Ann, Bea", "Cay"])
    #expect(
      feed.articles.map(\.link) == ["https://example.org/two", "https://elsewhere.example/1"])
    #expect(feed.articles.map(\.html) == ["<p>long</p>", "<p>1 &lt; 2"])
    #expect(
      feed.articles.map(\.published) == [
        Date(timeIntervalSince1970: 1_795_246_200), Date(timeIntervalSince1970: 1_795_132_800),
      ])
    #expect(
      feed.articles[0].attachments == [
        Attachment(address: "https://example.org/feeds/two.png", type: "image"),
        Attachment(
          address: "https://example.org/two.m4a", type: "audio/x-m4a", byteCount: 89_970_236,
          seconds: 6629),
      ])
  }

  @Test func `the lines of a plain text are kept`() throws {
    let feed = try parse(
      #"{"title": "T", "items": [{"id": "a", "content_text": "one\ntwo\n\nthree"}]}"#)
    #expect(feed.articles.map(\.html) == ["<p>one<br>two<br><p>three"])
  }

  @Test func `version 1 has one author, and its version may be missing`() throws {
    let feed = try parse(
      #"{"title": "T", "author": {"name": "Ann"}, "items": [{"id": "a"}, "junk", {"id": "b"}]}"#)
    #expect(feed.articles.map(\.guid) == ["a", "b"])
    #expect(feed.articles.map(\.author) == ["Ann", "Ann"])
  }

  @Test(arguments: [
    (#""title": "a\nb\t\"c\" \/ \\ \u00fc""#, #"a b "c" / \ ü"#),
    (
      #""title": "half \ud83e of \udde6 \ud83e\u0041""#,
      "half \u{FFFD} of \u{FFFD} \u{FFFD}A"
    ),
    ("\"title\": \"a\nb\"", "a b"),
    (#""title": null"#, ""), (#""title": true"#, ""), (#""title": 12.50"#, "12.50"),
    (#""title": "first", "title": "second""#, "second"),
    (#""title": "x", "more": [1, 2, {"a": [],},],"#, "x"),
  ])
  func `strings and values are read however they are written`(
    members: String, title: String
  ) throws {
    #expect(try item(members).title == title)
  }

  @Test func `addresses that are none of the web are left out`() throws {
    let article = try item(
      #""id": "x", "url": "javascript:alert(1)", "image": "file:///etc/passwd""#)
    #expect(article.link == nil)
    #expect(article.attachments.isEmpty)
  }

  @Test func `UTF-16 and a byte order mark are read as in XML`() throws {
    let text = #"{"title": "żółw", "items": []}"#
    let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try FeedParser.parse(bytes, address: "https://example.org/").title == "żółw")
    #expect(try FeedParser.parse([0xFF, 0xFE] + bytes, address: "https://x.org/").title == "żółw")
    #expect(try parse("\u{FEFF}" + text).title == "żółw")
  }

  @Test func `other JSON is no feed`() {
    #expect(refusal("{}") == .notAFeed(found: .json))
    #expect(refusal("[1, 2]") == .notAFeed(found: .json))
    #expect(refusal(#"{"items": [], "error": 3}"#) == .notAFeed(found: .json))
    #expect(refusal(#"{"title": "T", "items": {}}"#) == .notAFeed(found: .json))
  }

  @Test func `a document cut anywhere has its whole items, and without any it is refused`() throws {
    let whole = #"{"title": "a\u0041", "items": [{"id": "1"}, {"id": "2", "n": [1, 2]}] }"#
    #expect(try parse(whole).mistake == nil)
    for length in 1..<whole.count {
      let part = String(whole.prefix(length))
      let feed = try? parse(part)
      // The last item ends before the two brackets that are left out last.
      let count = !part.contains("}") ? 0 : length < whole.count - 3 ? 1 : 2
      #expect(feed?.articles.map(\.guid) == (count == 0 ? nil : ["1", "2"].dropLast(2 - count)))
      guard case .truncated? = feed == nil ? refusal(part) : feed?.mistake else {
        Issue.record("cut after \(length)")
        continue
      }
    }
  }

  @Test func `after a mistake the items before it are there`() throws {
    let feed = try parse(#"{"title": "T", "items": [{"id": "1"}, {"id" 2}]}"#)
    #expect(feed.articles.map(\.guid) == ["1"])
    #expect(feed.mistake == .malformed(line: 1, reason: "a colon is missing"))
    #expect(refusal(#"{"items": [{"id": "1"}, {"id" 2}]}"#) != nil)
  }

  @Test(arguments: [
    ("{\"title\":\n\n\"x\" \"items\"}", 3, "a comma is missing"),
    ("{\n\"title\" 1}", 2, "a colon is missing"),
    ("{\"a\": what}", 1, "this is not a value"),
    ("{1: 2}", 1, "a name is missing"),
  ])
  func `mistakes are named with their line`(text: String, line: Int, reason: String) {
    #expect(refusal(text) == .malformed(line: line, reason: reason))
  }

  @Test func `endless nesting is refused`() {
    #expect(refusal(String(repeating: "[", count: 1_000_000)) == .tooDeep(line: 1))
    #expect(refusal(String(repeating: #"{"a":"#, count: 100_000)) == .tooDeep(line: 1))
  }
}
