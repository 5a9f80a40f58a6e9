import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles
@testable import HTTP

/// What pages and feeds name is fetched for whoever they came from, and not for the user.
@Suite struct LibraryOriginTests {
  private let inside: TestServer
  /// Stands for the public network.
  private let outside: TestServer
  private let store: ArticleStore
  private let library: Library

  init() throws {
    inside = try TestServer()
    outside = try TestServer(host: .second)
    inside["/feed"] = .whole(feedText(["mine"]))
    store = try .inMemory()
    library = Library(
      store: store,
      client: HTTPClient(
        options: .init(),
        scope: {
          $0 == PrivateNetwork.bytes(of: LoopbackHost.second.address) ? .elsewhere : .reserved
        }),
      options: .patient)
  }

  private func page(_ address: String) -> Answer {
    .whole("<html><link rel=alternate type=application/rss+xml href=\"\(address)\">")
  }

  /// The private host that the first article came from.
  private func privateHost() async throws -> String? {
    let article = try #require(try await store.articles(matching: ArticleQuery(.all)).first)
    return try await library.text(of: article.id).1.privateHost
  }

  @Test func `a public page cannot have a private feed found, by a link or by a header`()
    async throws
  {
    outside["/link"] = page(inside.url("/feed"))
    outside["/header"] = .whole(
      "<html>",
      headers: ["Link": "<\(inside.url("/feed"))>; rel=\"alternate\"; type=\"application/rss+xml\""]
    )
    for path in ["/link", "/header"] {
      await #expect(throws: HTTPError.privateAddress(host: "127.0.0.1")) {
        try await library.add(outside.url(path), keepsMistakes: true)
      }
    }
    #expect(inside.connectionCount == 0)
    // Kept as it was typed: the next reload is not to fetch it for the user.
    let addresses = try await library.addedFeeds().map(\.feed.address)
    #expect(Set(addresses) == [outside.url("/link"), outside.url("/header")])
    try await library.reload()
    #expect(inside.connectionCount == 0)
  }

  @Test func `a private page has its own feed found, and none of a neighbour`() async throws {
    inside["/"] = page("/feed")
    #expect(try await library.add(inside.url("/")).address == inside.url("/feed"))
    #expect(try await privateHost() == "127.0.0.1")
    try await library.reload()
    #expect(inside.requests(to: "/feed").count == 2)
  }

  @Test func `articles of the public network are public content`() async throws {
    outside["/feed"] = .whole(feedText(["public"]))
    try await library.add(outside.url("/feed"))
    #expect(try await privateHost() == nil)
  }

  @Test
  func `a public feed whose name leads into the private network one day is not fetched there`()
    async throws
  {
    outside["/feed"] = .whole(feedText(["public"]))
    let id = try await library.add(outside.url("/feed")).id
    // As if its name had another address now.
    let moved = try await store.movePage(id, to: inside.url("/feed"), isPublic: true, at: .now)
    #expect(moved == id)
    let report = try await library.reload()
    guard case .failed(let message, _) = report.entries.first?.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(message == UserMessage(HTTPError.privateAddress(host: "127.0.0.1")))
    #expect(inside.connectionCount == 0)
  }

  @Test func `the feed of the user's own website is fetched on its server too`()
    async throws
  {
    outside["/feed"] = .whole(feedText(["mine"]))
    try await library.add(outside.url("/feed"))
    #expect(try await store.feeds(in: .all).map(\.origin) == [.userInPublic])
    // The same address, on the server of the website.
    let library = Library(
      store: store,
      client: HTTPClient(
        options: .init(),
        scope: {
          $0 == PrivateNetwork.bytes(of: LoopbackHost.second.address) ? .ours : .reserved
        }),
      options: .patient)
    #expect(try await library.reload().error == nil)
    #expect(outside.requests.count == 2)
    // One that was added there is not treated otherwise.
    outside["/other"] = .whole(feedText(["other"]))
    try await library.add(outside.url("/other"))
    #expect(try await store.feeds(in: .all).map(\.origin) == [.userInPublic, .userInPublic])
  }

  @Test func `a feed that moved to a public address is a public one from then on`() async throws {
    inside["/old"] = .redirect(to: outside.url("/feed"), status: 301)
    outside["/feed"] = .whole(feedText(["public"]))
    try await library.add(inside.url("/old"))
    #expect(try await library.addedFeeds().map(\.feed.address) == [outside.url("/feed")])
    outside["/feed"] = .redirect(to: inside.url("/feed"))
    _ = try await library.reload()
    #expect(inside.requests(to: "/feed").isEmpty)
  }

  @Test func `a private feed that redirects for now is fetched again from where it is`()
    async throws
  {
    inside["/old"] = .redirect(to: outside.url("/feed"))
    outside["/feed"] = .whole(feedText(["public"]))
    try await library.add(inside.url("/old"))
    #expect(try await library.reload().error == nil)
    #expect(try await privateHost() == nil)
  }

  // MARK: Everything that a feed can name

  /// A feed that names something of `host` wherever a feed or an article can name anything.
  private static func greedyFeed(of host: String, base: String = "") -> String {
    """
    <rss xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:podcast="https://podcastindex.org/namespace/1.0"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:wfw="http://wellformedweb.org/CommentAPI/"><channel><title>Greedy</title>
    <link>\(host)/site</link><image><url>\(host)/image.png</url><link>\(host)/image</link></image>
    <atom:link rel="self" href="\(host)/self"/><atom:link rel="hub" href="\(host)/hub"/>
    <atom:link rel="next" href="\(host)/next"/><atom:icon>\(host)/favicon.ico</atom:icon>
    <atom:logo>\(host)/logo.png</atom:logo>
    <itunes:new-feed-url>\(host)/new</itunes:new-feed-url><itunes:image href="\(host)/cover.png"/>
    <cloud domain="127.0.0.1" port="80" path="/cloud" protocol="http-post"/>
    <podcast:podroll><podcast:remoteItem feedUrl="\(host)/remote"/></podcast:podroll>
    <item \(base)><guid>1</guid><title>Episode</title><link>\(host)/page</link>
    <comments>\(host)/comments</comments><wfw:commentRss>\(host)/comments.xml</wfw:commentRss>
    <source url="\(host)/source">Source</source>
    <enclosure url="\(host)/episode.mp3" type="audio/mpeg" length="5"/>
    <media:content url="\(host)/film.mp4" type="video/mp4"><media:thumbnail url="\(host)/thumb.png"/>
    </media:content>
    <podcast:transcript url="\(host)/transcript" type="text/vtt"/>
    <podcast:chapters url="\(host)/chapters" type="application/json+chapters"/>
    <content:encoded><![CDATA[<base href="\(host)/"><link rel="stylesheet" href="\(host)/style.css">
    <meta http-equiv="refresh" content="0; url=\(host)/refresh"><script src="\(host)/x.js"></script>
    <p>Text <a href="\(host)/a" ping="\(host)/ping">link</a> <img src="\(host)/picture.png"
    srcset="\(host)/large.png 2x"> <img src="relative.png"> <img data-src="\(host)/lazy.png">
    <iframe src="\(host)/frame"></iframe><video poster="\(host)/poster.png" src="\(host)/film">
    </video><object data="\(host)/object"></object>]]></content:encoded></item></channel></rss>
    """
  }

  /// Does everything with the first article that fetches something, and says what was refused.
  private func fetchEverything() async throws -> (fetched: Int, refused: Int) {
    library.options.fullText.isForAll = true
    let folder = try TemporaryDirectory()
    library.options.downloads.folder = folder.path
    let id = try #require(try await store.articles(matching: ArticleQuery()).first?.id)
    let download = try await library.queueDownload(of: id)
    let document = try await library.storedDocument(of: id, from: .feed)
    var fetches: [@Sendable () async throws -> Void] = [
      { [library] in _ = try await library.fullDocument(of: id) },
      { [library] in _ = try await library.transcript(of: id) },
      { [library] in _ = try await library.fetchedChapters(of: id) },
      { [library] in _ = try await library.fetchDownload(download, attempts: 1).value() },
    ]
    for picture in document.document.pictures {
      fetches.append { [library] in
        var request = HTTPRequest(url: picture, limits: library.options.limits)
        request.origin = document.origin
        _ = try await library.client.send(request)
      }
    }
    #expect(fetches.count >= 7)
    var counts = (fetched: 0, refused: 0)
    for fetch in fetches {
      do {
        try await fetch()
        counts.fetched += 1
      } catch HTTPError.privateAddress(host: "127.0.0.1") {
        counts.refused += 1
      }
    }
    _ = try await library.fetchFullTexts()
    try await library.reload()
    return counts
  }

  @Test
  func `nothing that a public feed or its article can name is fetched from a private address`()
    async throws
  {
    let secret = inside.url("/secret")
    let base = "xml:base=\"\(inside.url("/"))\""
    for host in [secret, "//127.0.0.1:\(inside.port)"] {
      outside["/feed"] = .whole(Self.greedyFeed(of: host, base: base))
      if try await store.hasFeeds() {
        try await library.reload()
      } else {
        try await library.add(outside.url("/feed"))
      }
      let counts = try await fetchEverything()
      #expect(counts.fetched == 0)
    }
    #expect(inside.connectionCount == 0)
    #expect(outside.requests.allSatisfy { $0.path == "/feed" })
  }

  @Test func `an enclosure is handed to a program only where its feed may name it`() async throws {
    let enclosing = { (address: String) in
      """
      <rss><channel><title>Radio</title><item><guid>1</guid><title>Episode</title>
      <enclosure url="\(address)" type="audio/mpeg"/></item></channel></rss>
      """
    }
    outside["/feed"] = .whole(enclosing(inside.url("/episode.mp3")))
    outside["/other"] = .whole(enclosing("http://ann:secret@radio.example/episode.mp3"))
    inside["/feed"] = .whole(enclosing(inside.url("/episode.mp3")))
    for (feed, isAllowed) in [
      (outside.url("/feed"), false), (outside.url("/other"), true), (inside.url("/feed"), true),
    ] {
      let added = try await library.add(feed).id
      let id = try #require(
        try await store.articles(matching: ArticleQuery(.feed(added))).first?.id)
      if isAllowed {
        #expect(try await library.enclosure(of: id) != nil)
      } else {
        await #expect(throws: HTTPError.privateAddress(host: "127.0.0.1")) {
          try await library.enclosure(of: id)
        }
      }
    }
    #expect(inside.requests.allSatisfy { $0.path == "/feed" })
  }

  @Test func `a feed that the user added at home has all that it names there`() async throws {
    for (path, text) in [
      ("page", "<p>\(String(repeating: "Words of the page. ", count: 50))"),
      ("transcript", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"),
      ("chapters", #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"One"}]}"#),
      ("episode.mp3", "sound"), ("picture.png", ""), ("relative.png", ""), ("lazy.png", ""),
      ("poster.png", ""),
    ] { inside["/\(path)"] = .whole(text) }
    inside["/feed"] = .whole(Self.greedyFeed(of: inside.url("")))
    try await library.add(inside.url("/feed"))
    let counts = try await fetchEverything()
    #expect(counts.refused == 0)
    #expect(counts.fetched >= 7)
    // What is not asked for stays where it is.
    for path in ["/hub", "/favicon.ico", "/new", "/next", "/style.css", "/x.js", "/ping", "/frame"]
    {
      #expect(inside.requests(to: path).isEmpty)
    }
  }
}

extension Document {
  /// The addresses of the pictures that stand alone or in paragraphs.
  fileprivate var pictures: [String] {
    blocks.flatMap { block -> [String?] in
      switch block {
      case .picture(let picture): [picture.address]
      case .paragraph(let parts):
        parts.map { if case .picture(let picture, _) = $0 { picture.address } else { nil } }
      default: []
      }
    }
    .compactMap { $0 }
  }
}
