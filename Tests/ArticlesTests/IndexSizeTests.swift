import GRDB
import Testing

@testable import Articles

/// What the index of the search keeps of articles that are gone.
@Suite struct IndexSizeTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf(retention: Retention(age: nil, countPerFeed: 600)) }

  /// Articles of many words that no other has, in place of the oldest ones.
  private func fill(round: Int, count: Int) async throws {
    shelf.today.pass(86_400)
    try await shelf.put(
      articles: (0..<count).map { number in
        let words = (0..<40).map { "\($0)of\(round)of\(number)" }
        return ParsedArticle(
          guid: "\(round) \(number)", title: "word\(round)x\(number)",
          published: shelf.today.now, html: words.joined(separator: " "))
      })
    try await shelf.library.tidy()
  }

  private func indexBytes() async throws -> Int {
    try await shelf.store.read {
      try Int.fetchOne($0, sql: "SELECT SUM(LENGTH(block)) FROM search_data") ?? 0
    }
  }

  @Test func `it grows with what is stored, not with what ever was`() async throws {
    var (first, largest) = (0, 0)
    for round in 0..<50 {
      try await fill(round: round, count: round == 0 ? 600 : 40)
      try await shelf.library.index()
      largest = max(largest, try await indexBytes())
      if round == 0 { first = largest }
    }
    #expect(largest < first * 2)
    #expect(try await shelf.titles().count == 600)
    #expect(try await shelf.library.found("word49x7 ").map(\.article.title) == ["word49x7"])
    #expect(try await shelf.library.found("word5x7 ").isEmpty)
    try await shelf.store.write {
      try $0.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
  }

  @Test func `what is merged in part is searched meanwhile, and merged on`() async throws {
    for round in 0..<12 {
      try await fill(round: round, count: round == 0 ? 600 : 40)
      while try await shelf.store.index(limit: 100) {}
    }
    let before = try await indexBytes()
    #expect(try await shelf.store.mergeIndex(limit: 1))
    #expect(try await shelf.library.found("word11x7 ").map(\.article.title) == ["word11x7"])
    while try await shelf.store.mergeIndex(limit: 1) {}
    #expect(try await indexBytes() < before)
    #expect(try await !shelf.store.mergeIndex(limit: 1))
    #expect(try await shelf.library.found("word11x7 ").map(\.article.title) == ["word11x7"])
  }
}
