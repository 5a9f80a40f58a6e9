import Foundation
import Testing

@testable import Articles

/// Podcasts and videos: what comes with an article, and what only they say.
@Suite struct FeedMediaTests {
  private func item(_ item: String) throws -> ParsedArticle {
    try #require(try parse(rss(item)).articles.first)
  }

  @Test func `an episode has its sound, its length and its picture`() throws {
    let episode = try item(
      """
      <title>Episode</title><itunes:title>Another</itunes:title>
      <itunes:author>Ann</itunes:author><itunes:duration>1:02:05</itunes:duration>
      <itunes:image href="/cover.jpg"/><itunes:summary>Long &lt;b>text&lt;/b></itunes:summary>
      <enclosure url="one.mp3" length="1234" type="audio/mpeg"/>
      <enclosure url="one.mp3" length="1234" type="audio/mpeg"/>
      """)
    #expect(episode.title == "Episode")
    #expect(episode.author == "Ann")
    #expect(episode.html == "Long <b>text</b>")
    #expect(episode.link == "https://example.org/feeds/one.mp3")
    #expect(
      episode.attachments == [
        Attachment(address: "https://example.org/cover.jpg", type: "image"),
        Attachment(
          address: "https://example.org/feeds/one.mp3", type: "audio/mpeg", byteCount: 1234,
          seconds: 3725),
      ])
  }

  @Test func `only a short text is a time`() {
    #expect(Attachment.time("1:02:05.25") == 3725)
    #expect(Attachment.time(times(40, "0") + "1:05") == nil)
    #expect(Attachment.time(times(40, ":")) == nil)
  }

  @Test func `a video's group has its film, its picture and its text`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
      <entry><id>yt:1</id><link href="https://video.example/1"/>
      <media:group><media:title>Film</media:title>
      <media:content url="https://video.example/1.mp4" type="video/mp4" fileSize="99"
        duration="61"/>
      <media:thumbnail url="https://video.example/1.jpg"/>
      <media:description>What it is about</media:description></media:group></entry></feed>
      """)
    let video = try #require(feed.articles.first)
    #expect(video.title == "Film")
    #expect(video.html == "<p>What it is about")
    #expect(video.attachments.map(\.kind) == [.video, .picture])
    #expect(video.attachments[0].seconds == 61)
    #expect(video.attachments[0].byteCount == 99)
  }

  @Test func `YouTube's Flash is no file of a video, but a film and a page are`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
      <entry><id>yt:video:1</id><title>Film</title>
      <link rel="alternate" href="https://www.youtube.com/watch?v=1"/>
      <media:group><media:title>Film</media:title>
      <media:content url="https://www.youtube.com/v/1?version=3"
        type="application/x-shockwave-flash" width="640" height="390"/>
      <media:content url="https://video.example/watch?v=1" type="text/html" medium="video"/>
      <media:content url="https://video.example/1.mp4" type="application/x-shockwave-flash"
        medium="video"/>
      <media:thumbnail url="https://i1.ytimg.com/vi/1/hqdefault.jpg" width="480" height="360"/>
      <media:description>What it is about</media:description></media:group></entry></feed>
      """)
    let video = try #require(feed.articles.first)
    #expect(
      video.attachments.map(\.address) == [
        "https://video.example/watch?v=1", "https://video.example/1.mp4",
        "https://i1.ytimg.com/vi/1/hqdefault.jpg",
      ])
    #expect(video.html == "<p>What it is about")
  }

  @Test func `the title and the description of a picture are not the entry's`() throws {
    let picture = """
      <media:content url="https://gravatar.example/a?s=96" medium="image">
      <media:title type="html">ann</media:title><media:description>A face</media:description>
      <media:thumbnail url="small.jpg"/></media:content>
      """
    for media in [picture, "<media:group>\(picture)</media:group>"] {
      let post = try item("\(media)<link>https://example.org/1</link>")
      #expect(post.title.isEmpty)
      #expect(post.html.isEmpty)
      #expect(post.attachments.map(\.kind) == [.picture, .picture])
      let film = try item("\(media)<media:title>Film</media:title>")
      #expect(film.title == "Film")
    }
    for file in ["url='a.mp4' type='video/mp4'", "url='a.m3u8' type='application/x-mpegURL'"] {
      let video = try item(
        """
        <media:content \(file) medium="video"><media:title>Film</media:title>
        <media:description>About it</media:description></media:content>
        """)
      #expect(video.title == "Film")
      #expect(video.html == "<p>About it")
    }
  }

  @Test func `what is written about a video keeps its lines, and is HTML if it says so`() throws {
    let plain = try item(
      "<media:description>0:00 Start\n1:30 &lt;End&gt;\n\nMore</media:description>")
    #expect(plain.html == "<p>0:00 Start<br>1:30 &lt;End><br><p>More")
    let html = try item(
      """
      <media:title type="html">Socks &amp;amp; more</media:title>
      <media:description type="html">&lt;p&gt;About it&lt;/p&gt;</media:description>
      """)
    #expect(html.title == "Socks & more")
    #expect(html.html == "<p>About it</p>")
  }

  @Test func `Atom's enclosures count, and only so many`() throws {
    let links = (1...100).map { "<link rel='enclosure' href='/\($0).ogg' length='5'/>" }
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>\(links.joined())</entry></feed>
      """)
    #expect(feed.articles[0].attachments.count == 16)
    #expect(feed.articles[0].attachments[0].kind == .audio)
    #expect(feed.articles[0].attachments[0].byteCount == 5)
  }

  @Test(arguments: [
    ("3725", 3725), ("62:05", 3725), ("1:02:05", 3725), ("00:30.5", 30), ("0", nil), ("", nil),
    ("an hour", nil), ("1:2:3:4", nil), ("-5", nil), ("99999999999999999999", nil),
  ])
  func `how long something plays is read however it is written`(text: String, seconds: Int?) {
    #expect(Attachment.seconds(text) == seconds)
  }

  @Test(arguments: [
    "Ann <ann@example.org>", "ann@example.org (Ann)", "Ann (ann@example.org)", "Ann", "<b>Ann</b>",
  ])
  func `an author is a name`(text: String) throws {
    #expect(try item("<author><![CDATA[\(text)]]></author>").author == "Ann")
  }

  @Test func `brackets that hold no address belong to the name`() throws {
    #expect(try item("<author>Ann (on holiday)</author>").author == "Ann (on holiday)")
    #expect(try item("<author>ann@example.org</author>").author == "ann@example.org")
  }

  @Test func `an entry without an author has its channel's`() throws {
    let feed = try parse(
      rss(
        "<title>T</title>",
        channel: "<managingEditor>ed@example.org (Ed)</managingEditor>"))
    #expect(feed.author == "Ed")
    #expect(feed.articles.first?.author == "Ed")
  }

  @Test func `the text that is meant to be whole is shown, in whatever order they come`() throws {
    let parts = [
      "<description>short</description>", "<content:encoded>whole</content:encoded>",
      "<itunes:summary>shorter</itunes:summary>",
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      #expect(try item(order.map { parts[$0] }.joined()).html == "whole")
    }
    #expect(try item(parts[2] + parts[0]).html == "short")
  }

  @Test func `titles lose scripts, styles and comments with what is in them`() throws {
    let title = "a<script>b</script> <style>c</STYLE>d<!-- e -->f <img alt='x>y'>g<!doctype html>"
    #expect(try item("<title><![CDATA[\(title)]]></title>").title == "a df g")
    #expect(try item("<title><![CDATA[1 <!-- 2]]></title>").title == "1")
    #expect(try item("<title><![CDATA[a<script>b]]></title>").title == "a")
  }

  @Test func `text in base64 is decoded, and pictures in it are not shown`() throws {
    let feed = try parse(
      """
      <feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><id>1</id>
      <content mode="base64" type="text/html"> RXhhbXBsZSA8Yj5B
        dG9tPC9iPg== </content></entry>
      <entry><id>2</id><content type="image/png">iVBORw0KGgo=</content></entry></feed>
      """)
    #expect(feed.articles.map(\.html) == ["Example <b>Atom</b>", ""])
  }

  @Test func `elements in a text that says it has none are kept`() throws {
    let feed = try parse(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>
      <title>a &lt; <b>b</b></title><summary>c &lt; <i>d</i></summary></entry></feed>
      """)
    #expect(feed.articles.first?.title == "a < b")
    #expect(feed.articles.first?.html == "c &lt; <i>d</i>")
  }

  @Test func `names of elements may be written in capitals`() throws {
    let feed = try parse(
      "<RSS><Channel><TITLE>T</TITLE><ITEM><Title>A</Title><PUBDATE>2026</PUBDATE></ITEM></Channel></RSS>"
    )
    #expect(feed.title == "T")
    #expect(feed.articles.map(\.title) == ["A"])
    #expect(feed.articles.first?.published != nil)
  }
}
