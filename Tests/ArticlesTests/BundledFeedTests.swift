import Foundation
import Loading
import PseudoTerminal
import Testing

@testable import Articles

/// Tests of the feed that is part of the program.
@MainActor @Suite struct BundledFeedTests {
  private let document = Array(
    """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>Handbook</title>
    <entry><id>one</id><title>One</title><published>2026-01-01T00:00:00Z</published>
    <content type="html">&lt;p>First&lt;/p></content></entry>
    <entry><id>two</id><title>Two</title><published>2026-01-02T00:00:00Z</published></entry></feed>
    """.utf8)

  @Test func `it is there exactly while there is no other feed`() async throws {
    let store = try ArticleStore.inMemory()
    let library = Library(store: store, bundled: document)
    let feeds = try #require(await Resource(library.feeds()).refresh().value)
    #expect(feeds.map(\.feed.title) == ["Handbook"])
    #expect(feeds.map(\.articleCount) == [2])
    let rows = try #require(await Resource(library.articles(in: .all)).refresh().value)
    #expect(rows.map(\.title) == ["Two", "One"])
    let selected = Resource(library.articles(in: .feed(feeds[0].id)))
    #expect(await selected.refresh().value == rows)
    let text = await Resource(library.document(of: rows[1].id)).refresh()
    #expect(text.value?.document.blocks == [.paragraph([.text("First")])])
    #expect(try await store.feedSummaries().isEmpty)

    let directory = try TemporaryDirectory()
    let feed = try await library.add(try directory.write(feedText(["a"]), to: "feed"))
    #expect(await Resource(library.feeds()).refresh().value?.map(\.id) == [feed.id])
    #expect(await selected.refresh().value == [])
    // An article that is being read stays readable.
    #expect(await Resource(library.document(of: rows[1].id)).refresh().value != nil)

    try await library.remove(feed.id)
    #expect(await Resource(library.articles(in: .all)).refresh().value == rows)
  }

  @Test func `it is searched like any other feed`() async throws {
    let store = try ArticleStore.inMemory()
    let library = Library(store: store, bundled: document)
    let found = try await library.found("fir")
    #expect(found.map(\.article) == [try BundledFeed(document).articles[1]])
    #expect(found.first?.snippet.parts.map(\.isMatch) == [true])
    #expect(
      await Resource(library.search("two")).refresh().value?.map(\.title.text) == ["Two"])
    #expect(try await library.found("first", in: .starred).isEmpty)
    #expect(try await library.found("three").isEmpty)
    #expect(try await store.feedSummaries().isEmpty)
  }

  @Test func `its ids are the same in every run`() throws {
    let bundled = try BundledFeed(document)
    #expect(bundled.summary.id == Feed.ID(rawValue: -1))
    #expect(
      bundled.articles.map(\.id.rawValue) == [-794_135_538_709_416_190, -4_101_274_353_740_882_960])
    #expect(ArticleListing(bundled.articles).map(\.id) == bundled.articles.map(\.id))
  }
}
