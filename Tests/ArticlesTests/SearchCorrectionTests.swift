import Foundation
import Testing

@testable import Articles

/// Words that no article has, and those that are like them.
@Suite struct SearchCorrectionTests {
  let shelf: Shelf
  var library: Library { shelf.library }

  init() throws { shelf = try Shelf() }

  private func put(_ titles: [String]) async throws {
    try await shelf.put(
      articles: titles.enumerated().map {
        ParsedArticle(guid: "\($0)", title: $1, html: "<p>text</p>")
      })
    try await library.index()
  }

  private func correction(_ text: String) async throws -> SearchCorrection? {
    try await library.correction(of: text)
  }

  @Test(arguments: ["swfit", "swft", "swiftt", "swiet", "xwift", "Swfit"])
  func `a letter may be left out, added, changed or exchanged`(typed: String) async throws {
    try await put(["Swift one", "Swift two", "Drift"])
    let found = try #require(try await correction("\(typed) "))
    #expect(found.typed == typed)
    #expect((found.word, found.count) == ("swift", 2))
    #expect(found.query == "swift ")
  }

  @Test func `of several words the one that most articles have is meant`() async throws {
    try await put(["stone", "store one", "store two", "stole"])
    #expect(try await correction("stoke ")?.word == "store")
  }

  @Test func `the rest of the query stays`() async throws {
    try await put(["Actors of swift"])
    #expect(
      try await correction("unread and title:swfit actors")?.query
        == "unread and title:swift actors")
  }

  @Test func `a word that is in an article, or begins one that is typed, is no mistake`()
    async throws
  {
    try await put(["Concurrency in swift", "wool"])
    #expect(try await correction("swift wool") == nil)
    #expect(try await correction("concurr") == nil)
    #expect(try await correction("concurr ") == nil)
    #expect(try await correction("woo ") == nil)
    #expect(try await correction("xyzzy") == nil)
    #expect(try await correction("") == nil)
  }

  @Test func `other scripts have letters of their own`() async throws {
    try await put(["Привет мир"])
    #expect(try await correction("превет ")?.word == "привет")
  }

  @Test func `whatever is typed is no syntax`() async throws {
    try await put(["Swift"])
    for text in ["swfit\" OR", "'swfit'; DROP", "swfit*", "NEAR(swfit)"] {
      _ = try await correction(text)
    }
  }
}
