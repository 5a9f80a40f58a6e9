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
    #expect(try await library.searchGap(of: "yeti") == nil)
    let refusal = StoreError.readOnly(path: directory.path + "/articles.sqlite")
    await #expect(throws: refusal) { try await library.setRead(true, of: articles.map(\.id)) }
    #expect(try await library.storedArticles(matching: .unread).count == 2)
  }

  @Test func `what its search index lacks is not said to be nowhere`() async throws {
    let directory = try TemporaryDirectory()
    let shelf = try Shelf(ArticleStore(directory: directory.path))
    try await shelf.put(["zebra", "yak"])
    let library = Library(store: try ArticleStore(reading: directory.path))
    let none = LibraryError.notIndexed(count: 2, isAll: true)
    #expect(try await library.searchGap(of: "zebra") == none)
    #expect(none.message.what.hasPrefix("The search index does not exist"))
    // These conditions need no index.
    #expect(try await library.searchGap(of: "unread") == nil)
    await #expect(throws: none) {
      try await library.storedArticles(
        matching: ArticleQuery(where: try library.condition("zebra")))
    }
    // A library that can be written makes the index when it searches.
    #expect(try await shelf.library.searchGap(of: "zebra") == nil)

    try await shelf.library.index()
    try await shelf.put(["yeti"])
    let later = Library(store: try ArticleStore(reading: directory.path))
    #expect(
      try await later.searchGap(of: "zebra") == LibraryError.notIndexed(count: 1, isAll: false))
    let found = try await later.storedArticles(
      matching: ArticleQuery(where: try later.condition("zebra")))
    #expect(found.map(\.title) == ["zebra"])
  }
}
