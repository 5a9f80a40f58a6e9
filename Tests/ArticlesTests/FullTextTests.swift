import Foundation
import GRDB
import HTTP
import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles

/// The full text of articles whose feed has only the beginning.
@Suite struct FullTextTests {
  private let server: TestServer
  private let today = Today()
  private let store: ArticleStore
  private let library: Library

  init() throws {
    server = try TestServer()
    store = try .inMemory()
    library = Library(
      store: store, options: .patient, programs: Reversed(), now: { [today] in today.now })
  }

  /// A program that makes a page of what it was called with.
  private struct Reversed: OutsidePrograms {
    func output(
      of command: [String], input: [UInt8], limits: ProgramLimits
    ) async throws -> [UInt8] {
      if command == ["fail"] { throw ProgramError.failed("fail", how: "ended", errors: "no") }
      let size = String(decoding: input, as: UTF8.self).contains("zebra") ? "whole" : "empty"
      return Array("<p>by \(command.joined(separator: " ")), \(size)".utf8)
    }
  }

  private static let sentence =
    "The harbour office, in a careful hand, recorded the height of a zebra at the old stone pier. "

  private static func page(_ words: String = "") -> String {
    let paragraphs = (0..<6).map { _ in "<p>\(words) \(String(repeating: sentence, count: 3))</p>" }
    return """
      <html><head><title>Pier</title></head><body><nav><a href="/">Home</a></nav>
      <article class="post"><h1>Pier</h1><p><img src="x.gif" data-src="/pier.jpg" class="lazy"></p>
      \(paragraphs.joined())</article><aside class="sidebar"><p class="ad">Buy a walrus.</p></aside>
      </body></html>
      """
  }

  private static let html = ["Content-Type": "text/html; charset=utf-8"]

  /// A feed with one short article for each of these pages.
  @discardableResult
  private func add(
    _ pages: [String], text: String = "A summary with an okapi."
  ) async throws -> [Article.ID] {
    let items = pages.map {
      """
      <item><guid>\($0)</guid><title>Of \($0)</title><link>\(server.url("/\($0)"))</link>
      <description>\(text)</description></item>
      """
    }
    server["/feed"] = .whole(
      "<rss><channel><title>Feed</title>\(items.joined())</channel></rss>")
    try await library.add(server.url("/feed"))
    return try await library.storedArticles(matching: ArticleQuery()).map(\.id).sorted {
      $0.rawValue < $1.rawValue
    }
  }

  private func text(_ document: ArticleDocument) -> String {
    MarkdownWriter(links: document.document.links).blocks(document.document.blocks)
      .joined(separator: "\n")
  }

  private func found(_ words: String) async throws -> Int {
    try await library.found(words).count
  }

  @Test func `the page of an article is fetched once, kept, found and shown from then on`()
    async throws
  {
    let long = String(repeating: "tide ", count: 200)
    server["/a"] = .whole(Self.page(long), headers: Self.html)
    let id = try await add(["a"])[0]
    #expect(try await found("okapi") == 1)
    #expect(try await found("zebra") == 0)
    let document = try await library.fullDocument(of: id)
    #expect(document.textSource == .page)
    #expect(text(document).contains("old stone pier"))
    #expect(text(document).contains("](\(server.url("/pier.jpg")))"))
    #expect(!text(document).contains("walrus") && !text(document).contains("Home"))

    #expect(try await found("zebra") == 1)
    #expect(try await found("okapi") == 1)
    #expect(try await library.found("zebra")[0].snippet.text.contains("zebra"))
    // From the store, and without the server.
    server.stop()
    #expect(try await library.fullDocument(of: id) == document)
    #expect(try await library.storedDocument(of: id) == document)
    #expect(try await library.document(of: id).value() == document)
    let own = try await library.document(of: id, from: .feed).value()
    #expect(text(own) == "A summary with an okapi.")
    // Each text has its own reading time.
    #expect(document.article.readingMinutes == 7)
    #expect(own.article.readingMinutes == 1)
    #expect(try await library.storedDocument(of: id, from: .feed).article.readingMinutes == 1)
    #expect(server.requests(to: "/a").count == 1)
  }

  @Test func `with its article the full text goes, from the index, too`() async throws {
    server["/a"] = .whole(Self.page(), headers: Self.html)
    server["/b"] = .whole(Self.page("quokka"), headers: Self.html)
    let ids = try await add(["a", "b"])
    for id in ids { _ = try await library.fullDocument(of: id) }
    #expect(try await found("zebra") == 2)
    try await store.write {
      try $0.execute(sql: "DELETE FROM article WHERE id = ?", arguments: [ids[1].rawValue])
    }
    #expect(try await found("zebra") == 1)
    #expect(try await found("quokka") == 0)
    // Fetched again in other words.
    server["/a"] = .whole(Self.page("numbat"), headers: Self.html)
    try await library.fetchFullText(of: ids[0])
    #expect(try await found("numbat") == 1)
    let check = "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)"
    try await store.write { try $0.execute(sql: check) }
    #expect(
      try await store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM fullText") } == 1)
  }

  @Test func `until the page is there the feed's text is shown, and also when it cannot be had`()
    async throws
  {
    let id = try await add(["gone"])[0]
    server["/gone"] = .whole("", status: 500)
    var shown: [TextSource] = []
    var failure: StatusError?
    do {
      for try await event in library.document(of: id, from: .page).events() {
        if case .value(let document) = event { shown.append(document.textSource) }
      }
    } catch {
      failure = error as? StatusError
    }
    #expect(shown == [.feed])
    #expect(failure?.status == 500)
    #expect(failure?.isRetryable == true)
    // Not tried by itself again, but by the user.
    #expect(try await library.document(of: id).value().textSource == .feed)
    server["/gone"] = .whole(Self.page(), headers: Self.html)
    #expect(try await library.document(of: id, from: .page).value().textSource == .page)
  }

  @Test func `a position belongs to the text that it was measured in`() async throws {
    server["/1"] = .whole(Self.page(), headers: Self.html)
    let id = try #require(try await add(["1"]).first)
    func position(in source: TextSource?) async throws -> Int? {
      try await library.document(of: id, from: source).value().position?.block
    }
    try await library.setPosition(ReadingPosition(block: 1), of: id, in: .feed)
    #expect(try await position(in: .feed) == 1)
    // The page's text begins at its top, and from now on the position is one in it.
    #expect(try await position(in: .page) == nil)
    try await library.setPosition(ReadingPosition(block: 1), of: id, in: .feed)
    #expect(try await position(in: .page) == nil)
    try await library.setPosition(ReadingPosition(block: 4), of: id, in: .page)
    #expect(try await position(in: nil) == 4)
    #expect(try await position(in: .feed) == nil)
    try await library.setPosition(nil, of: id, in: .feed)
    try await library.fetchFullText(of: id)
    #expect(try await position(in: .page) == 4)
  }

  @Test func `a server that asks to wait says until when`() async throws {
    let id = try await add(["busy"])[0]
    server["/busy"] = .whole("", status: 429, headers: ["Retry-After": "3600"])
    let error = try await #require(throws: StatusError.self) {
      try await library.fullDocument(of: id)
    }
    #expect(UserMessage(error).retryDate != nil)
    #expect(error.isRetryable)
  }

  @Test func `a fetch that fails leaves the text that another has stored meanwhile`() async throws {
    let id = try await add(["a"])[0]
    server["/a"] = Answer([.hold] + Answer.whole("", status: 404).steps)
    let failing = Task { try await library.fetchFullText(of: id, isUrgent: false) }
    try await server.hold(at: "/a")
    server["/a"] = .whole(Self.page(), headers: Self.html)
    try await library.fetchFullText(of: id)
    server.release("/a")
    await #expect(throws: StatusError.self) { try await failing.value }
    #expect(try await library.storedDocument(of: id).textSource == .page)
  }

  @Test func `what is no page, or has no article, is said to be so`() async throws {
    let ids = try await add(["film", "empty"])
    server["/film"] = .whole("x", headers: ["Content-Type": "video/mp4"])
    server["/empty"] = .whole("<html><body></body></html>", headers: Self.html)
    await #expect(throws: FullTextError.notAPage("video/mp4")) {
      try await library.fullDocument(of: ids[0])
    }
    await #expect(throws: FullTextError.nothingFound) {
      try await library.fullDocument(of: ids[1])
    }
  }

  @Test func `new articles of a feed that is set so are fetched by themselves, each tried once`()
    async throws
  {
    server["/a"] = .whole(Self.page(), headers: Self.html)
    server["/b"] = .whole("", status: 404)
    let ids = try await add(["a", "b"])
    #expect(try await library.fetchFullTexts() == 0)
    let feed = try #require(try await library.addedFeeds().first)
    try await library.arrange(feed.id, as: FeedArrangement(fullText: true))
    #expect(try await library.addedFeeds().first?.feed.fullText == true)
    #expect(try await library.fetchFullTexts() == 1)
    #expect(try await library.fetchFullTexts() == 0)
    #expect(server.requests(to: "/b").count == 1)
    #expect(try await library.storedDocument(of: ids[0]).textSource == .page)
    // One that says no does not follow what is set for all.
    _ = try await library.undo()
    try await library.arrange(feed.id, as: FeedArrangement(fullText: false))
    library.options.fullText.isForAll = true
    try await store.write { try $0.execute(sql: "DELETE FROM fullText") }
    #expect(try await library.fetchFullTexts() == 0)
    try await library.arrange(feed.id, as: FeedArrangement())
    #expect(try await library.fetchFullTexts() == 1)
  }

  /// Adds articles whose pages are those of this server, and gives the oldest another server.
  private func add(_ names: [String], oldestAt other: TestServer) async throws {
    try await add(names)
    other["/x"] = .whole(Self.page(), headers: Self.html)
    try await store.write { [link = other.url("/x")] database in
      try database.execute(
        sql: """
          UPDATE article SET link = ?, listed = listed - 100
          WHERE id = (SELECT MIN(id) FROM article)
          """,
        arguments: [link])
    }
    library.options.fullText.isForAll = true
  }

  @Test func `pages that a broken network has kept away are fetched later`() async throws {
    let names = (0..<12).map { "page\($0)" }
    try await add(names)
    for name in names { server["/" + name] = .whole(Self.page(), headers: Self.html) }
    library.options.fullText.isForAll = true
    server.refuseConnections()
    #expect(try await library.fetchFullTexts() == 0)
    try server.acceptConnections()
    today.pass(899)
    #expect(try await library.fetchFullTexts() == 0)
    today.pass(2)
    #expect(try await library.fetchFullTexts() == names.count)
  }

  @Test func `a server that is too busy for a page gets no requests as long as it wants`()
    async throws
  {
    let names = (0..<12).map { "page\($0)" }
    let busy = Answer.whole("", status: 429, headers: ["Retry-After": "7200"])
    for name in names { server["/" + name] = busy }
    let other = try TestServer()
    try await add(names, oldestAt: other)
    #expect(try await library.fetchFullTexts() == 1)
    let count = server.requests.count { $0.path.hasPrefix("/page") }
    #expect(count <= 4)
    for name in names { server["/" + name] = .whole(Self.page(), headers: Self.html) }
    for seconds in [0, 7_199] as [TimeInterval] {
      today.pass(seconds)
      #expect(try await library.fetchFullTexts() == 0)
      #expect(server.requests.count { $0.path.hasPrefix("/page") } == count)
    }
    today.pass(2)
    #expect(try await library.fetchFullTexts() == names.count - 1)
  }

  @Test func `the many pages of a busy server do not hide those of others`() async throws {
    let names = (0..<230).map { "page\($0)" }
    for name in names { server["/" + name] = .whole("", status: 503) }
    let other = try TestServer()
    try await add(names, oldestAt: other)
    #expect(try await library.fetchFullTexts() == 1)
    #expect(server.requests.count { $0.path.hasPrefix("/page") } <= 4)
  }

  @Test func `after three servers without an answer, the others are left alone`() async throws {
    let names = (0..<12).map { "page\($0)" }
    let ids = try await add(names)
    let servers = try ids.map { _ in try TestServer() }
    for (id, other) in zip(ids, servers) {
      // As in a network that ends connections before its users have logged in.
      other["/"] = Answer([.close])
      try await store.write { [link = other.url("/")] database in
        try database.execute(
          sql: "UPDATE article SET link = ? WHERE id = ?", arguments: [link, id.rawValue])
      }
    }
    library.options.fullText.isForAll = true
    #expect(try await library.fetchFullTexts() == 0)
    let asked = servers.count { !$0.requests.isEmpty }
    #expect(3 <= asked && asked <= 6)
    for other in servers { other["/"] = .whole(Self.page(), headers: Self.html) }
    today.pass(901)
    #expect(try await library.fetchFullTexts() == names.count)
  }

  @Test func `a page that gets no answer is not tried again when others of its server do`()
    async throws
  {
    let names = (0..<12).map { "page\($0)" }
    try await add(names)
    for name in names { server["/" + name] = .whole(Self.page(), headers: Self.html) }
    for name in [names[0], names[11]] {
      server["/" + name] = .redirect(to: "/nowhere")
    }
    server["/nowhere"] = Answer([.close])
    library.options.fullText.isForAll = true
    var count = 0
    for _ in 1...5 {
      count += try await library.fetchFullTexts()
      today.pass(901)
    }
    #expect(count == names.count - 2)
  }

  @Test func `a page with much less text than the feed has is shown only when it is asked for`()
    async throws
  {
    let banner = "<p>We value your privacy. Accept cookies?</p>"
    for path in ["/a", "/b"] { server[path] = .whole("<body>\(banner)", headers: Self.html) }
    server["/whole"] = .whole(Self.page(), headers: Self.html)
    let ids = try await add(
      ["a", "b", "whole"], text: String(repeating: Self.sentence, count: 30))
    library.options.fullText.isForAll = true
    // One is opened before the reload fetches its page, and one after that.
    func isOwnTextShown(of id: Article.ID) async throws {
      let document = try await library.document(of: id).value()
      #expect(document.textSource == .feed)
      #expect(document.article.readingMinutes == 2)
      #expect(document.position?.block == 1)
    }
    for id in ids { try await library.setPosition(ReadingPosition(block: 1), of: id, in: .feed) }
    try await isOwnTextShown(of: ids[0])
    #expect(try await library.fetchFullTexts() == 1)
    #expect(try await library.fetchFullTexts() == 0)
    for id in ids[..<2] { try await isOwnTextShown(of: id) }
    #expect(server.requests(to: "/a").count == 1)
    #expect(server.requests(to: "/b").count == 1)
    #expect(try await library.document(of: ids[2]).value().textSource == .page)
    let asked = try await library.document(of: ids[0], from: .page).value()
    #expect(text(asked).contains("cookies"))
    #expect(try await library.document(of: ids[0]).value() == asked)
    #expect(text(try await library.fullDocument(of: ids[1])).contains("cookies"))
  }

  @Test func `an article of the public network has no page on a private one`() async throws {
    let id = try await add(["a"])[0]
    server["/a"] = .whole(Self.page(), headers: Self.html)
    try await store.write { try $0.execute(sql: "UPDATE feed SET privateHost = NULL") }
    await #expect(throws: HTTPError.self) { try await library.fullDocument(of: id) }
    #expect(server.requests(to: "/a").isEmpty)
  }

  @Test func `selectors and programs of one's own say where the article is`() async throws {
    server["/a"] = .whole(Self.page(), headers: Self.html)
    let id = try await add(["a"])[0]
    func options(_ method: FullTextSite.Method) -> FullTextOptions {
      FullTextOptions(sites: [
        FullTextSite(site: "example.org", method: .program(["other"])),
        FullTextSite(site: "127.0.0.1", method: method),
      ])
    }
    func fetched(_ method: FullTextSite.Method) async throws -> String {
      library.options.fullText = options(method)
      try await library.fetchFullText(of: id)
      return text(try await library.storedDocument(of: id))
    }
    let aside = try #require(PageSelector("body aside .ad"))
    #expect(try await fetched(.selectors([aside], removing: [])) == "Buy a walrus.")
    let article = try #require(PageSelector("article.post"))
    let paragraph = try #require(PageSelector("article p"))
    #expect(try await fetched(.selectors([article], removing: [paragraph])) == "# Pier")
    #expect(try await fetched(.program(["cut", "-x"])) == "by cut -x, whole")
    let none = try #require(PageSelector("#none"))
    await #expect(throws: FullTextError.nothingFound) {
      try await fetched(.selectors([none], removing: []))
    }
    await #expect(throws: ProgramError.failed("fail", how: "ended", errors: "no")) {
      try await fetched(.program(["fail"]))
    }
    // What was there stays.
    #expect(text(try await library.storedDocument(of: id)) == "by cut -x, whole")
  }
}

@Suite struct PageSelectorTests {
  private func found(_ selector: String, in html: String) throws -> String {
    let text = ArticleExtractor.text(
      of: html, address: "https://example.org/",
      selecting: [try #require(PageSelector(selector))])
    return text.map { ExtractionTests.words($0.html) } ?? "-"
  }

  @Test(arguments: [
    ("p", "one two three"), ("div p", "one two"), ("div.a p", "one"), (".a .x", "one"),
    ("#b", "two"), ("div#b.b p", "two"), ("P.X", "one three"), ("div div", "-"),
    ("*", "one two three"),
    (".a.b", "-"), ("section .x", "-"), ("body > p", "refused"), ("p[x]", "refused"),
    ("", "refused"),
    (".", "refused"), ("a.", "refused"), ("a b#", "refused"), ("#a#", "refused"),
  ])
  func `a selector finds what a style sheet would`(_ selector: String, _ expected: String) throws {
    guard expected != "refused" else {
      #expect(PageSelector(selector) == nil)
      return
    }
    let html = """
      <body><div class="a"><p class="x y">one</p></div><div id=b class=b><p>two</div><p class=x>three
      """
    #expect(try found(selector, in: html) == expected)
  }
}
