import Foundation
import Testing

@testable import Articles

func parse(_ text: String, charset: String? = nil) throws -> ParsedFeed {
  try FeedParser.parse(
    Array(text.utf8), address: "https://example.org/feeds/main.xml", charset: charset)
}

func rss(_ item: String, channel: String = "") -> String {
  """
  <?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title>\(channel)
  <item>\(item)</item></channel></rss>
  """
}

@Suite struct FeedParserTests {
  @Test func `RSS 2 gives channel and items`() throws {
    let feed = try parse(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
           xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel>
        <title>Socks &amp; Sandals</title>
        <atom:link href="https://example.org/feed" rel="self"/>
        <link>https://example.org/</link>
        <image><title>Logo</title><link>https://example.org/logo</link></image>
        <item>
          <title>One</title><link> https://example.org/1 </link>
          <guid isPermaLink="false">tag:1</guid>
          <dc:creator>Ann</dc:creator>
          <pubDate>Sat, 21 Nov 2026 08:30:00 +0100</pubDate>
          <description>short</description>
          <content:encoded><![CDATA[<p>long</p>]]></content:encoded>
        </item>
      </channel></rss>
      """)
    #expect(feed.title == "Socks & Sandals")
    #expect(feed.site == "https://example.org/")
    let article = try #require(feed.articles.first)
    #expect(feed.articles.count == 1)
    #expect(article.title == "One")
    #expect(article.link == "https://example.org/1")
    #expect(article.guid == "tag:1")
    #expect(article.author == "Ann")
    #expect(article.published == Date(timeIntervalSince1970: 1_795_246_200))
    #expect(article.html == "<p>long</p>")
  }

  @Test func `Atom gives text, HTML and XHTML contents`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/blog/">
        <title type="html">A &amp;lt;b&amp;gt; &lt;i>title&lt;/i></title>
        <link rel="self" href="feed.atom"/><link href="."/>
        <author><name>Everybody</name></author>
        <entry><id>urn:1</id><title>T &lt; U</title><link href="one"/>
          <author><name>Bea</name><email>bea@example.org</email></author>
          <source><title>Elsewhere</title><id>urn:other</id></source>
          <updated>2026-11-21T08:30:00Z</updated>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a &lt; b<br/>
            <a href="x?a&amp;b">c</a></div></content></entry>
        <entry><id>urn:2</id><title>Two</title><published>2026-11-20T00:00:00-05:00</published>
          <updated>2026-11-21T00:00:00Z</updated>
          <link rel="enclosure" href="two.mp3"/><link rel="alternate" href="../two"/>
          <content type="html">&lt;p>Hi&lt;/p></content></entry>
        <entry><id>urn:3</id><title/><summary>1 &lt; 2</summary></entry>
      </feed>
      """)
    #expect(feed.title == "A <b> title")
    #expect(feed.site == "https://example.org/blog/")
    try #require(feed.articles.count == 3)
    #expect(feed.articles.map(\.guid) == ["urn:1", "urn:2", "urn:3"])
    #expect(feed.articles.map(\.title) == ["T < U", "Two", ""])
    #expect(feed.articles.map(\.author) == ["Bea", "Everybody", "Everybody"])
    #expect(
      feed.articles.map(\.link) == [
        "https://example.org/blog/one", "https://example.org/two", nil,
      ])
    #expect(feed.articles[0].html.hasPrefix("<div>a &lt; b<br>"))
    #expect(feed.articles[0].html.contains("<a href=\"x?a&amp;b\">c</a></div>"))
    #expect(feed.articles[0].base == "https://example.org/blog/")
    #expect(feed.articles[1].html == "<p>Hi</p>")
    #expect(feed.articles[1].published == Date(timeIntervalSince1970: 1_795_150_800))
    #expect(feed.articles[2].html == "<p>1 &lt; 2")
  }

  @Test func `a base counts for what is inside it`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry xml:base="/a/"><id>1</id><link href="x"/>
      <content type="html" xml:base="b/">t</content></entry>
      <entry><id>2</id><link href="x"/><content>t</content></entry></feed>
      """)
    #expect(
      feed.articles.map(\.link) == ["https://example.org/a/x", "https://example.org/feeds/x"])
    #expect(
      feed.articles.map(\.base) == [
        "https://example.org/a/b/", "https://example.org/feeds/main.xml",
      ])
  }

  @Test(arguments: [
    "file:///home/ann/", "FILE:/home/ann/", "javascript://example.org/", "data:text/html,",
    "argyle:///", "ftp://example.org/",
  ])
  func `a base on this machine, or that is a program, counts for nothing`(base: String) throws {
    let text =
      "<a href='x'>a</a><img src='y.png'><a href='file:///z'>b</a><img src='file:///z.png'>"
    let escaped = text.replacing("<", with: "&lt;")
    let div = text.replacing("png'>", with: "png'/>")
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="\(base)"><link href="s"/>
      <entry xml:base="\(base)"><id>1</id><link href="e"/>
      <content type="html" xml:base="\(base)">\(escaped)</content></entry>
      <entry><id>2</id><link href="e"/><content type="xhtml" xml:base="\(base)">
      <div xmlns="http://www.w3.org/1999/xhtml" xml:base="\(base)">\(div)</div></content></entry></feed>
      """)
    #expect(feed.site == "https://example.org/feeds/s")
    #expect(feed.articles.map(\.link) == Array(repeating: "https://example.org/feeds/e", count: 2))
    for article in feed.articles {
      let document = Document(StoredText(html: article.html, base: article.base))
      #expect(document.links.map(\.address) == ["https://example.org/feeds/x"])
      let shown = String(describing: document)
      #expect(shown.contains("https://example.org/feeds/y.png"))
      #expect(!shown.contains("file:"))
    }
  }

  @Test func `RSS 1 has its items beside the channel`() throws {
    let feed = try parse(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://example.org/"><title>Old</title>
        <link>https://example.org/</link></channel>
      <item rdf:about="https://example.org/1"><title>First</title>
        <link>https://example.org/1</link><dc:date>2003-10-10</dc:date>
        <description>Text</description></item></rdf:RDF>
      """)
    #expect(feed.title == "Old")
    #expect(feed.articles.map(\.guid) == ["https://example.org/1"])
    #expect(feed.articles.map(\.published) == [Date(timeIntervalSince1970: 1_065_744_000)])
    #expect(feed.articles.map(\.html) == ["Text"])
  }

  @Test func `the end of a section inside of another is text`() throws {
    let feed = try parse(
      rss(
        """
        <title>a]]>b ]]]> ]] > ]></title>
        <description><![CDATA[x <![CDATA[y]]> z]]></description><link>https://example.org/</link>
        """))
    #expect(feed.mistake == nil)
    #expect(feed.articles.map(\.title) == ["a]]>b ]]]> ]] > ]>"])
    #expect(feed.articles.map(\.html) == ["x <![CDATA[y z]]>"])
    #expect(feed.articles.map(\.link) == ["https://example.org/"])
  }

  @Test func `HTML entities and bare ampersands are no mistakes`() throws {
    let feed = try parse(
      rss("<title>a&nbsp;b &mdash; AT&T &foo; &#150; &#x1F9E6;&#0;</title><link>/x?a=1&b=2</link>"))
    let article = try #require(feed.articles.first)
    #expect(article.title == "a\u{A0}b — AT&T &foo; – 🧦\u{FFFD}")
    #expect(article.link == "https://example.org/x?a=1&b=2")
  }

  @Test func `forbidden characters and stray angle brackets are repaired`() throws {
    let feed = try parse(rss("<title>a\u{1}\u{B} < 3 \u{FFFF}z</title>"))
    #expect(feed.articles.first?.title == "a < 3 z")
  }

  @Test func `undeclared prefixes mean what they mean elsewhere`() throws {
    let feed = try parse(
      rss("<dc:creator>Ann</dc:creator><content:encoded>&lt;b>x&lt;/b></content:encoded>"))
    #expect(feed.articles.first?.author == "Ann")
    #expect(feed.articles.first?.html == "<b>x</b>")
  }

  @Test func `HTML in a description that nobody escaped is kept`() throws {
    let feed = try parse(rss("<description>See <a href=\"/y\">this</a> &amp; that</description>"))
    #expect(feed.articles.first?.html == "See <a href=\"/y\">this</a> & that")
  }

  @Test func `titles lose tags but not angle brackets that are text`() throws {
    let feed = try parse(
      rss("<title>&lt;b>Array&lt;Int>&lt;/b> &amp;amp; Set&lt;T></title>"))
    #expect(feed.articles.first?.title == "Array<Int> & Set<T>")
  }

  @Test(arguments: [
    ("<guid>https://example.org/a</guid>", "https://example.org/a"),
    ("<guid isPermaLink='false'>x</guid>", nil),
    ("<enclosure url='/a.mp3' type='audio/mpeg'/>", "https://example.org/a.mp3"),
    ("<link>javascript:alert(1)</link>", nil),
    ("<link>//other.example/x y</link>", "https://other.example/x%20y"),
  ])
  func `an item's address is found where there is one`(item: String, link: String?) throws {
    #expect(try parse(rss(item)).articles.first?.link == link)
  }

  @Test(arguments: [
    ("https://blog.example/", "https://blog.example/1"),
    ("https://example.org/", "https://example.org/feeds/1"), ("/", "https://example.org/feeds/1"),
    ("http://www.example.org/", "https://example.org/feeds/1"),
    ("https://EXAMPLE.org:443/", "https://example.org/feeds/1"),
  ])
  func `what is relative in RSS from another server is relative to the feed's site`(
    site: String, address: String
  ) throws {
    let item = "<link>1</link><enclosure url='1' type='audio/mpeg'/>"
    let feed = try parse(rss(item, channel: "<link>\(site)</link>"))
    #expect(feed.articles.map(\.link) == [address])
    // Files lie beside the feed, wherever it is.
    #expect(
      feed.articles.map { $0.attachments.map(\.address) } == [["https://example.org/feeds/1"]])
    let file = try FeedParser.parse(
      Array(rss(item, channel: "<link>https://blog.example/</link>").utf8),
      address: "file:///home/ann/feed.xml")
    #expect(file.articles.map(\.link) == ["https://blog.example/1"])
    #expect(
      file.articles.map { $0.attachments.map(\.address) } == [["https://blog.example/1"]])
  }

  @Test func `white space, comments and a DOCTYPE in front do not matter`() throws {
    let feed = try parse(
      "\n\n  <?xml version='1.0'?><!-- a -- b --><!DOCTYPE rss PUBLIC \"-//x\" \"http://x/y.dtd\" "
        + "[<!ENTITY unused \"x\"> <!-- > -->]><rss><channel><title>T</title></channel></rss>junk")
    #expect(feed.title == "T")
  }

  @Test func `an item without an id gets one that stays`() throws {
    let items = "<item><title>A</title></item><item><title>B</title></item>"
    let one = try ids("<rss><channel>\(items)</channel></rss>")
    let two = try ids("<rss><channel><item><title>C</title></item>\(items)</channel></rss>")
    #expect(one == Array(two.dropFirst()))
    #expect(Set(two).count == 3)
  }

  @Test func `items that share an id are kept apart, and doubles are dropped`() throws {
    let items = ["A", "B", "A"].map { "<item><guid>same</guid><title>\($0)</title></item>" }
    let one = try ids("<rss><channel>\(items.joined())</channel></rss>")
    let two = try ids("<rss><channel>\(items.reversed().joined())</channel></rss>")
    #expect(one.count == 2)
    #expect(Set(one) == Set(two))
  }

  private func ids(_ text: String) throws -> [String] {
    PreparedFeed(try parse(text)).articles.map(\.content.guid)
  }

  @Test func `a title of megabytes is cut`() throws {
    let feed = try parse(rss("<title>\(String(repeating: "ü", count: 1_500_000))</title>"))
    #expect(feed.articles.first?.title == String(repeating: "ü", count: 1000) + "…")
  }
}
