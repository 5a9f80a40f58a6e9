import Foundation
import Testing

@testable import Argyle
@testable import Articles

/// Tests of a saved search as a list, with articles in a store.
@Suite struct SearchListTests {
  private static let search = ReaderList.search(SavedSearch(name: "Wool", text: "title:wool"))

  /// Returns a library with this many articles that the search finds.
  private func library(_ count: Int) async throws -> Library {
    let library = Library(store: try .inMemory())
    let id = try #require(try await library.store.insertFeed(address: "https://example.org/")?.id)
    let articles = (0..<count).map { number in
      ParsedArticle(
        guid: "\(number)", title: "Wool \(number)",
        published: Date(timeIntervalSince1970: 1_700_000_000 - Double(number)))
    }
    _ = try await library.store.save(
      PreparedFeed(ParsedFeed(articles: articles)), of: id, at: Date())
    return library
  }

  private func source(_ library: Library) -> ArticleSource {
    ArticleSource(
      library, passwords: KeptPasswords(directory: "/nonexistent"), dayStart: { .distantPast })
  }

  @Test func `a saved search lists everything that it finds`() async throws {
    let source = source(try await library(2_700))
    let list = try #require(
      try await source.elsewhere?.articles(ListRequest(list: Self.search)).value())
    #expect(list.count == 2_700)
    #expect(list.article(at: 0)?.title == "Wool 0")
    let last = try #require(list.last?.id)
    let around = try #require(
      try await source.elsewhere?.articles(ListRequest(list: Self.search, place: last)).value())
    #expect(around.count == 2_700)
    #expect(around.article(at: 2_699)?.title == "Wool 2699")
    #expect(around.article(at: 0) == nil, "only the articles around the row are loaded")
  }

  @Test func `the articles of a list are marked, and no others that are older`() async throws {
    let library = try await library(3)
    let ids = try await library.storedArticles(matching: ArticleQuery()).map(\.id)
    try await library.tag([ids[2]], adding: [ArticleTag.later])
    let marks = source(library).marks
    #expect(try await marks.markMatchingRead(.later, .distantFuture).articles == [ids[2]])
    #expect(try await marks.markMatchingRead(Self.search, nil).articles == [ids[0], ids[1]])
  }

  @Test func `what a search with an unfinished end lists is marked, too`() async throws {
    let source = source(try await library(3))
    let list = ReaderList.search(SavedSearch(name: "Wool", text: "wool age<"))
    let listed = try await source.elsewhere?.articles(ListRequest(list: list)).value()
    #expect(listed?.count == 3)
    #expect(try await source.marks.markMatchingRead(list, nil).articles.count == 3)
  }
}
