import PseudoTerminal
import Storage
import Testing

@testable import Articles

/// A library whose folder cannot be written.
@Suite struct ReadOnlyStoreTests {
  @Test func `its articles are listed and found, and no feed is fetched by itself`() async throws {
    let directory = try TemporaryDirectory()
    let shelf = try Shelf(ArticleStore(directory: directory.path))
    try await shelf.put(["zebra", "yak"])
    try await shelf.library.index()
    let library = Library(store: try ArticleStore(reading: directory.path))
    #expect(library.isReadOnly && !shelf.library.isReadOnly)
    // The feed is due, and its address leads nowhere.
    let articles = try await library.articles(in: .all, refresh: .hourly).value()
    #expect(articles.map(\.title) == ["zebra", "yak"])
    #expect(try await library.reloadScheduled().entries.isEmpty)
    #expect(try await library.storedArticles(matching: .unread).count == 2)
    let found = try await library.found(try #require(try library.condition("zebra")))
    #expect(found.map(\.article.title) == ["zebra"])
    let refusal = StoreError.readOnly(path: directory.path + "/articles.sqlite")
    await #expect(throws: refusal) { try await library.setRead(true, of: articles.map(\.id)) }
    #expect(try await library.storedArticles(matching: .unread).count == 2)
  }
}
