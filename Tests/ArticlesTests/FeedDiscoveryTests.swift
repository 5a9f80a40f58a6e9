import TestServer
import Testing

@testable import Articles

@Suite struct FeedDiscoveryTests {
  private func found(_ html: String, links: [String] = []) -> String? {
    feeds(html, links: links).first?.address
  }

  private func feeds(_ html: String, links: [String] = []) -> [FeedLink] {
    FeedDiscovery.feeds(
      namedBy: FeedDocument(
        bytes: Array(html.utf8), address: "https://example.org/blog/", links: links))
  }

  private func link(_ attributes: String) -> String {
    "<!doctype html><head><link \(attributes)></head><p>Hi"
  }

  @Test(arguments: [
    ("rel=alternate type=application/rss+xml href=feed.xml", "https://example.org/blog/feed.xml"),
    ("rel='Alternate home' type='Application/Atom+XML' href=/atom", "https://example.org/atom"),
    (
      "rel=alternate type='application/feed+json; charset=utf-8' href=a",
      "https://example.org/blog/a"
    ),
    ("rel=feed href=//other.example/f", "https://other.example/f"),
    ("rel=alternate hreflang=de href=/de", nil), ("rel=stylesheet type=text/xml href=x", nil),
    ("rel=alternate type=application/rss+xml", nil),
    ("rel=alternate type=application/rss+xml href=file:///etc/passwd", nil),
    ("rel=alternate type=application/rss+xml href=javascript:alert(1)", nil),
  ])
  func `a page's link to its feed is found`(attributes: String, address: String?) {
    #expect(found(link(attributes)) == address)
  }

  @Test func `the first counts, but the feed of the comments only when there is no other`() {
    let comments = "<link rel=alternate type=application/rss+xml title='Comments' href=/c>"
    let first = "<link rel=alternate type=application/rss+xml href=/one>"
    let second = "<link rel=alternate type=application/atom+xml href=/two>"
    #expect(found(comments + first + second) == "https://example.org/one")
    #expect(found("<body>" + comments) == "https://example.org/c")
  }

  @Test func `every feed is there once, with its title, those of comments last`() {
    let page =
      "<link rel=alternate type=application/rss+xml title='All  comments' href=/c>"
      + "<link rel=alternate type=application/rss+xml title='News\u{200B}\u{202E} \n one' href=/one>"
      + "<link rel=alternate type=application/rss+xml title='Again' href=/one>"
      + "<link rel=feed href=/two>"
    #expect(
      feeds(page) == [
        FeedLink(address: "https://example.org/one", title: "News one"),
        FeedLink(address: "https://example.org/two"),
        FeedLink(address: "https://example.org/c", title: "All comments", isOfComments: true),
      ])
    let many = (0..<1_000).map { "<link rel=feed href=/\($0)>" }.joined()
    #expect(feeds(many).count == 100)
  }

  /// What WordPress has in the head of each page, without the feeds.
  private let wordPressHead = """
    <!doctype html><head>
    <link rel="https://api.w.org/" href="https://example.org/wp-json/">
    <link rel="alternate" title="JSON" type="application/json"
      href="https://example.org/wp-json/wp/v2/pages/2">
    <link rel="alternate" title="oEmbed (JSON)" type="application/json+oembed"
      href="https://example.org/wp-json/oembed/1.0/embed?url=x">
    """
  private let wordPressHeaders = [
    "<https://example.org/wp-json/>; rel=\"https://api.w.org/\"",
    "<https://example.org/wp-json/wp/v2/pages/2>; rel=\"alternate\"; title=\"JSON\"; "
      + "type=\"application/json\"",
  ]

  @Test func `the data of a page beside its feeds are no feed`() {
    let page = """
      <link rel="alternate" type="application/rss+xml" title="Site &raquo; Feed" href="/feed/">
      <link rel="alternate" type="application/rss+xml" title="Site &raquo; Comments Feed"
        href="/comments/feed/">
      """
    #expect(
      feeds(wordPressHead + page, links: wordPressHeaders).map(\.address) == [
        "https://example.org/feed/", "https://example.org/comments/feed/",
      ])
    // A feed of its own may be named as plain JSON or XML.
    #expect(found(link("rel=alternate type=application/json href=/f")) == "https://example.org/f")
    #expect(found(link("rel=alternate type=text/xml href=/f")) == "https://example.org/f")
  }

  @Test(arguments: [
    ("News & Commentary", "/feed", false), ("Commentator", "/commentary/rss.xml", false),
    ("Opinion", "https://commentary.example/feed", false),
    ("", "https://comments.example/feed", false), ("Site » Comments Feed", "/x", true),
    ("On “Socks”: 1 comment", "/x", true), ("Flux des commentaires", "/x", true),
    ("", "/comments/feed/", true), ("", "/feeds/12/comments/default", true),
    ("", "/?feed=comments-rss2", true), ("", "/wp-commentsrss2.php?p=3", true),
    ("Sito » Home Feed dei commenti", "/home/feed/", true), ("", "/commentrss.aspx", true),
    ("", "/CommentFeed.xml", true), ("", "/GetEntryCommentsRss", true),
    ("", "/all-comments.rss", true), ("", "/usercomments.xml", true),
  ])
  func `a feed is of comments if a word of its title or its path says so`(
    title: String, address: String, isOfComments: Bool
  ) {
    let page = link("rel=feed title='\(title)' href='\(address)'")
    #expect(feeds(page).map(\.isOfComments) == [isOfComments])
  }

  @Test func `a feed of commentary comes before a later one, and both are to choose from`() {
    let page =
      "<link rel=feed title='News &amp; Commentary' href=/feed>"
      + "<link rel=feed title=Podcast href=/podcast.xml>"
    #expect(feeds(page).map(\.title) == ["News & Commentary", "Podcast"])
    #expect(feeds(page).count { !$0.isOfComments } == 2)
  }

  @Test func `the page's own base counts`() {
    #expect(
      found("<base href='https://cdn.example/x/'><link rel=feed href=f>")
        == "https://cdn.example/x/f")
  }

  @Test func `headers name feeds too`() {
    let header = "</style>; rel=preload, </feed>; rel=\"alternate\"; type=\"application/atom+xml\""
    #expect(found("<p>Hi", links: ["<broken", header]) == "https://example.org/feed")
    #expect(found("<p>Hi", links: ["<a>; rel=next"]) == nil)
  }

  @Test func `adding a page follows its feed in its place`() async throws {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/"] = .whole(link("rel=alternate type=application/rss+xml href=/feed"))
    server["/feed"] = .whole(feedText(["a"], title: "Found"))
    let feed = try await library.add(server.url("/"))
    #expect(feed.title == "Found")
    #expect(feed.address == server.url("/feed"))
    #expect(try await library.addedFeeds().map(\.articleCount) == [1])

    await #expect(throws: LibraryError.alreadyAdded(address: server.url("/feed"))) {
      try await library.add(server.url("/"))
    }
    #expect(try await library.addedFeeds().count == 1)
  }

  @Test func `a page whose feed cannot be fetched yet is kept under the address of the feed`()
    async throws
  {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/"] = .whole(link("rel=alternate type=application/rss+xml href=/feed"))
    server["/feed"] = .whole("", status: 503)
    let addition = try await library.addition(of: server.url("/"), asksWhich: true)
    #expect(addition.feed.address == server.url("/feed"))
    #expect(addition.failure as? FetchError == .status(503, retryDate: nil))
    server["/feed"] = .whole(feedText(["a"], title: "Found"))
    try await library.reload()
    #expect(try await library.addedFeeds().map(\.failure?.message.what) == [nil])
    #expect(try await library.addedFeeds().map(\.feed.title) == ["Found"])
  }

  @Test func `adding a page whose feed was removed brings that back, and says which it is`()
    async throws
  {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/"] = .whole(link("rel=alternate type=application/rss+xml href=/feed"))
    server["/feed"] = .whole(feedText(["a"], title: "Found"))
    let before = try await library.add(server.url("/feed"))
    try await library.remove(before.id)
    let feed = try await library.add(server.url("/"))
    #expect(feed.id == before.id)
    #expect(feed.title == "Found")
    #expect(try await library.addedFeeds().map(\.id) == [before.id])
    try await library.undo()
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test func `a page with several feeds asks which, and keeps nothing until it is told`()
    async throws
  {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/"] = .whole(
      "<!doctype html><link rel=feed href=/one title=One><link rel=feed href=/two title=Two>"
        + "<link rel=feed href=/comments>")
    server["/two"] = .whole(feedText(["a"], title: "Two"))
    let feeds = [
      FeedLink(address: server.url("/one"), title: "One"),
      FeedLink(address: server.url("/two"), title: "Two"),
      FeedLink(address: server.url("/comments"), isOfComments: true),
    ]
    await #expect(throws: LibraryError.severalFeeds(feeds)) {
      try await library.add(server.url("/"), asksWhich: true)
    }
    #expect(try await library.addedFeeds().isEmpty)
    #expect(library.latestChange == nil)
    #expect(try await library.add(feeds[1].address, asksWhich: true).title == "Two")

    // One of articles and one of comments are nothing to choose from.
    server["/three"] = .whole(
      "<!doctype html><link rel=feed href=/comments><link rel=feed href=/two>")
    try await library.remove(try #require(try await library.addedFeeds().first).id)
    _ = try await library.add(server.url("/three"), asksWhich: true)
    #expect(try await library.addedFeeds().map(\.feed.title) == ["Two"])
  }

  @Test func `an addition is undone, and one that is cancelled keeps nothing`() async throws {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/feed"] = .whole(feedText(["a"], title: "Found"))
    try await library.add(server.url("/feed"))
    let undone = try await library.undo()
    #expect(undone?.kind == .addedFeed)
    #expect(undone?.feedTitle == "Found")
    #expect(try await library.addedFeeds().isEmpty)

    server["/slow"] = .heldBody(feedText(["a"]))
    let addition = Task { try await library.add(server.url("/slow")) }
    try await server.hold(at: "/slow")
    addition.cancel()
    await #expect(throws: CancellationError.self) { try await addition.value }
    #expect(try await library.addedFeeds().isEmpty)
    #expect(library.latestChange == nil)
  }

  @Test func `a list of feeds is no feed, and is not kept as one`() async throws {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/list"] = .whole(OPML.text([Subscription(address: "https://example.org/")]))
    await #expect(throws: FeedError.notAFeed(found: .xml(root: "opml"))) {
      try await library.add(server.url("/list"))
    }
    #expect(try await library.addedFeeds().isEmpty)
  }

  @Test func `a page that names itself, or another page, is no feed`() async throws {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/"] = .whole(link("rel=feed href=/other"))
    server["/other"] = .whole(link("rel=feed href=/"))
    await #expect(throws: FeedError.notAFeed(found: .html)) {
      try await library.add(server.url("/"))
    }
    #expect(server.requests.count == 2)
  }

  @Test func `a feed that turns into a page is not replaced by what the page names`() async throws {
    let server = try TestServer()
    let library = Library(store: try .inMemory(), options: .patient)
    server["/feed"] = .whole(feedText(["a"]))
    try await library.add(server.url("/feed"))
    server["/feed"] = .whole(link("rel=feed href=/evil"))
    let report = try await library.reload()
    #expect(report.error?.failures.count == 1)
    #expect(server.requests(to: "/evil").isEmpty)
  }
}
