import GRDB
import Loading
import PseudoTerminal
import TestServer
import Testing

@testable import Articles
@testable import HTTP

/// Chapters and transcripts that a feed names, from a server on this machine.
@Suite struct EpisodeFileTests {
  private let server: TestServer
  private let store: ArticleStore
  private let library: Library
  private static let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Tea is ready.\n"
  private static let chapters = "{\"chapters\":[{\"startTime\":168,\"title\":\"Tea\"}]}"

  init() throws {
    server = try TestServer()
    store = try .inMemory()
    library = Library(store: store, options: .patient)
  }

  /// A feed with one article that has these elements.
  private func add(_ elements: String) async throws -> Article.ID {
    server["/feed"] = .whole(
      """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
        xmlns:psc="http://podlove.org/simple-chapters"><channel><title>Cast</title>
      <item><guid>1</guid><title>Episode</title><description>Notes.</description>\(elements)</item>
      </channel></rss>
      """)
    if try await store.hasFeeds() {
      try await library.reload()
    } else {
      try await library.add(server.url("/feed"))
    }
    return try #require(try await store.articles(matching: ArticleQuery()).first?.id)
  }

  private func transcript(_ path: String, type: String = "text/vtt") -> String {
    "<podcast:transcript url=\"\(server.url(path))\" type=\"\(type)\"/>"
  }

  private func chapterFile(_ path: String) -> String {
    "<podcast:chapters url=\"\(server.url(path))\" type=\"application/json+chapters\"/>"
  }

  @Test func `a transcript is fetched when it is wanted, kept, and goes with its article`()
    async throws
  {
    server["/t"] = .whole(Self.vtt)
    let id = try await add(transcript("/t"))
    #expect(server.requests(to: "/t").isEmpty)
    #expect(try await library.document(of: id).value().extras == ArticleExtras(hasTranscript: true))
    let document = try await library.document(of: id, from: .transcript).value()
    #expect(document.textSource == .transcript)
    #expect(
      document.document.blocks == [
        .paragraph([
          .text("0:01", .dimmed), .text(" "), .text("Ada:", .strong), .text(" Tea is ready."),
        ])
      ])
    server.stop()
    #expect(try await library.document(of: id, from: .transcript).value() == document)
    // The article's own text is what is shown first, the next time too.
    #expect(try await library.document(of: id).value().textSource == .feed)
    try await store.write {
      try $0.execute(sql: "DELETE FROM article WHERE id = ?", arguments: [id.rawValue])
    }
    #expect(
      try await store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM episodeFile") } == 0)
  }

  @Test func `a file at another address is another file`() async throws {
    server["/a"] = .whole(Self.chapters)
    server["/b"] = .whole(Self.chapters.replacing("168", with: "9"))
    var id = try await add(chapterFile("/a"))
    #expect(try await library.fetchedChapters(of: id).map(\.start) == [168])
    id = try await add(chapterFile("/b"))
    #expect(try await library.fetchedChapters(of: id).map(\.start) == [9])
    #expect(try await library.chapters(of: id).value().map(\.start) == [9])
    #expect(server.requests(to: "/b").count == 1)
  }

  @Test func `the chapters that stand in the feed need no file`() async throws {
    let id = try await add(
      chapterFile("/a")
        + "<psc:chapters><psc:chapter start=\"0:07\" title=\"Own\"/></psc:chapters>")
    #expect(
      try await library.fetchedChapters(of: id) == [Chapter(id: 1, start: 7, title: "Own")])
    #expect(server.requests(to: "/a").isEmpty)
  }

  @Test func `a server that asks to wait says until when`() async throws {
    server["/t"] = .whole("", status: 429, headers: ["Retry-After": "3600"])
    let id = try await add(transcript("/t"))
    let error = try await #require(throws: StatusError.self) {
      try await library.transcript(of: id)
    }
    #expect(UserMessage(error).retryDate != nil)
  }

  @Test func `what cannot be read is said and not kept`() async throws {
    server["/t"] = .whole("", status: 503)
    server["/c"] = .whole("<html>", headers: ["Content-Type": "text/html"])
    let id = try await add(transcript("/t") + chapterFile("/c"))
    await #expect(throws: StatusError(thing: "the transcript", status: 503)) {
      try await library.transcript(of: id)
    }
    server["/t"] = .whole("<!doctype html><p>Log in")
    await #expect(throws: EpisodeFileError.empty(.transcript)) {
      try await library.transcript(of: id)
    }
    await #expect(throws: EpisodeFileError.self) { try await library.fetchedChapters(of: id) }
    server["/c"] = .whole("{\"chapters\":[]}")
    await #expect(throws: EpisodeFileError.empty(.chapters)) {
      try await library.fetchedChapters(of: id)
    }
    server["/t"] = .whole(String(repeating: "a", count: 8 << 20 + 1))
    await #expect(throws: HTTPError.tooLarge(limit: 8 << 20)) {
      try await library.transcript(of: id)
    }
    server["/t"] = .whole(Self.vtt)
    #expect(try await library.transcript(of: id).cues.count == 1)
    for error in [EpisodeFileError.empty(.chapters), .none(.transcript)] {
      #expect(UserMessage(error).isLasting == !error.isRetryable)
    }
  }

  @Test func `a page is shown as one, without what it would do`() async throws {
    let page = "<html><cite>Ada:</cite> <p>Tea <script>x()</script><a href='/more'>here</a>"
    server["/t"] = .whole(page)
    let id = try await add(transcript("/t", type: "text/html"))
    let document = try await library.transcript(of: id).document
    #expect(document.links.map(\.address) == [server.url("/more")])
    #expect(!"\(document.blocks)".contains("x()"))
    #expect(try await library.transcript(of: id).cues.isEmpty)
  }

  @Test func `a public feed has nothing fetched from a private network`() async throws {
    let inside = try TestServer()
    inside["/t"] = .whole(Self.vtt)
    let outside = try TestServer(host: .second)
    outside["/moved?c"] = .redirect(to: inside.url("/t"))
    outside["/moved"] = .redirect(to: inside.url("/t"))
    let library = Library(
      store: store,
      client: HTTPClient(
        options: .init(),
        scope: {
          $0 == PrivateNetwork.bytes(of: LoopbackHost.second.address) ? .elsewhere : .reserved
        }),
      options: .patient)
    for address in [inside.url("/t"), outside.url("/moved")] {
      outside["/feed"] = .whole(
        """
        <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Cast</title>
        <item><guid>1</guid><title>Episode</title>
        <podcast:transcript url="\(address)" type="text/vtt"/>
        <podcast:chapters url="\(address)?c" type="application/json+chapters"/></item></channel></rss>
        """)
      if try await store.hasFeeds() {
        try await library.reload()
      } else {
        try await library.add(outside.url("/feed"))
      }
      let id = try #require(try await store.articles(matching: ArticleQuery()).first?.id)
      await #expect(throws: HTTPError.self) { try await library.transcript(of: id) }
      await #expect(throws: HTTPError.self) { try await library.fetchedChapters(of: id) }
    }
    #expect(inside.connectionCount == 0)
  }
}
