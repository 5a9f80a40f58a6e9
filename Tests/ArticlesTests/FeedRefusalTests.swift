import Testing

@testable import Articles

@Suite struct FeedRefusalTests {
  private func refusal(_ text: String) -> FeedError? {
    refusal(Array(text.utf8))
  }

  private func refusal(_ bytes: [UInt8]) -> FeedError? {
    do throws(FeedError) {
      _ = try FeedParser.parse(bytes, address: "https://example.org/")
      return nil
    } catch {
      return error
    }
  }

  @Test func `what is no feed is named`() {
    #expect(refusal("") == .empty)
    #expect(refusal(" \n ") == .empty)
    #expect(refusal("<!DOCTYPE html><p>Hi<p>You") == .notAFeed(found: .html))
    #expect(refusal("<html><body><br></html>") == .notAFeed(found: .html))
    #expect(refusal("<!-- x --><HTML><p>") == .notAFeed(found: .html))
    #expect(refusal("{\"version\": 1}") == .notAFeed(found: .json))
    #expect(refusal("Not found") == .notAFeed(found: .text))
    #expect(
      refusal([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == .notAFeed(found: .binary))
    #expect(refusal("<opml><head/></opml>") == .notAFeed(found: .xml(root: "opml")))
  }

  @Test func `a feed cut anywhere has its whole entries, and without any it is refused`() throws {
    let item =
      "<item><title>a<![CDATA[b]]></title><!-- c --><link>https://example.org/</link></item>"
    let text = "<?xml version=\"1.0\"?><rss><channel>\(item)<!-- d -->\(item)</channel></rss>"
    let whole = Array(text.utf8)
    #expect(try parse(text).mistake == nil)
    for length in 1..<whole.count {
      let part = Array(whole[..<length])
      let entries = String(decoding: part, as: UTF8.self).split(separator: "</item>").count - 1
      let mistake: FeedError
      if let feed = try? FeedParser.parse(part, address: "https://example.org/") {
        #expect(feed.articles.allSatisfy { $0.title == "ab" && $0.link == "https://example.org/" })
        #expect(abs(feed.articles.count - entries) <= 1)
        mistake = try #require(feed.mistake, "cut after \(length)")
      } else {
        #expect(entries <= 1)
        mistake = try #require(refusal(part), "cut after \(length)")
      }
      // The first byte of all, and the start of a name, could be something else.
      guard length > 27 else { continue }
      guard case .truncated = mistake else {
        Issue.record("cut after \(length) bytes: \(mistake)")
        continue
      }
    }
  }

  @Test func `tags that do not match are refused with their line`() {
    guard case .malformed(let line, let reason) = refusal("<rss>\n<channel>\n</item></rss>") else {
      Issue.record("not refused")
      return
    }
    #expect(line == 3)
    #expect(reason.contains("channel"))
  }

  @Test func `entities of its own are refused when they are used`() {
    let bomb = (1...9).map {
      "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">"
    }
    #expect(
      refusal(
        "<!DOCTYPE rss [<!ENTITY l0 \"lol\">\(bomb.joined())]><rss><channel>&l9;</channel></rss>")
        == .ownEntity(name: "l9"))
    #expect(
      refusal("<!DOCTYPE rss [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss><a b='&x;'/></rss>")
        == .ownEntity(name: "x"))
    let text = String(repeating: "a", count: 50_000)
    let uses = String(repeating: "&a;", count: 20_000)
    #expect(
      refusal("<!DOCTYPE r [<!ENTITY a \"\(text)\">]><rss><channel>\(uses)</channel></rss>")
        == .ownEntity(name: "a"))
  }

  @Test func `endless nesting is refused`() {
    let deep = String(repeating: "<a>", count: 100_000)
    guard case .tooDeep = refusal("<rss><channel><item>\(deep)") else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `a document over the limit is refused`() {
    let large = [UInt8](repeating: 0x20, count: FeedParser.sizeLimit + 1)
    #expect(refusal(large) == .tooLarge(limit: FeedParser.sizeLimit))
  }
}
