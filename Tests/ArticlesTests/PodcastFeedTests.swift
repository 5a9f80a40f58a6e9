import Testing

@testable import Articles

/// What feeds say of episodes beside the file itself.
@Suite struct PodcastFeedTests {
  private func article(_ parts: String) throws -> ParsedArticle {
    let feed = try FeedParser.parse(
      Array(
        """
        <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
          xmlns:psc="http://podlove.org/simple-chapters">
        <channel><title>Cast</title><item><guid>1</guid><title>One</title>
        <description>Words.</description>\(parts)</item></channel></rss>
        """.utf8), address: "https://example.org/feed")
    return try #require(feed.articles.first)
  }

  @Test func `chapters stand below the text, with their times`() throws {
    let article = try article(
      """
      <psc:chapters version="1.2"><psc:chapter start="00:00:00.000" title="Hello"/>
      <psc:chapter start="1:02:05" title="&lt;b&gt;Tea &amp; cake&#27;[2J" href="javascript:x"/>
      <psc:chapter start="soon" title="Never"/><psc:chapter start="7"/></psc:chapters>
      """)
    #expect(
      article.html.contains(
        "<h2>Chapters</h2><ul><li>0:00 Hello</li><li>1:02:05 &lt;b&gt;Tea"))
    #expect(!article.html.contains("\u{1B}"))
    #expect(!article.html.contains("javascript") && !article.html.contains("Never"))
    #expect(article.html.hasPrefix("Words."))
  }

  @Test func `there are only so many chapters, of bounded length`() throws {
    let chapter = "<psc:chapter start=\"5\" title=\"\(String(repeating: "x", count: 900))\"/>"
    let article = try article(
      "<psc:chapters>\(String(repeating: chapter, count: 900))</psc:chapters>")
    #expect(article.html.split(separator: "<li>").count == 201)
    #expect(article.html.utf8.count < 60_000)
  }

  @Test func `transcripts and files of chapters are links, and nothing to be played`() throws {
    let article = try article(
      """
      <podcast:transcript url="/t.vtt" type="text/vtt"/>
      <podcast:chapters url="https://example.org/c.json" type="application/json+chapters"/>
      <podcast:transcript url="javascript:alert(1)" type="text/html"/>
      <enclosure url="https://example.org/e.mp3" type="audio/mpeg" length="-5"/>
      """)
    #expect(article.attachments.map(\.kind) == [.transcript, .chapters, .audio])
    #expect(article.attachments.map(\.isEnclosure) == [false, false, true])
    #expect(article.attachments.first?.address == "https://example.org/t.vtt")
    let text = StoredText(html: "", base: nil, attachments: article.attachments)
    #expect(text.enclosures.first?.address == "https://example.org/e.mp3")
    #expect(text.enclosures.first?.byteCount == nil)
    #expect(Document(text).links.count == 3)
  }
}
