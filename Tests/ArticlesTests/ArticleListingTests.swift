import Foundation
import PseudoTerminal
import Testing

@testable import Articles

/// Lists of which only a part is loaded.
@MainActor @Suite struct ArticleListingTests {
  private nonisolated static func article(_ number: Int) -> Article {
    Article(
      id: Article.ID(rawValue: Int64(number) - 5), feedID: Feed.ID(rawValue: 1),
      feedTitle: "Alpha", title: "\(number)", isRead: number % 3 == 0)
  }

  /// Returns the list of some articles, of which a part is loaded.
  private func listing(_ count: Int, _ part: Range<Int>) -> ArticleListing {
    ArticleListing(
      (0..<count).map { ArticleListing.Entry(Self.article($0).id, isRead: $0 % 3 == 0) },
      part.map(Self.article), at: part.lowerBound)
  }

  @Test func `every row is known, and the articles of the part that is loaded`() {
    let listing = listing(100, 40..<60)
    #expect(listing.map(\.id) == (0..<100).map { Self.article($0).id })
    #expect(listing.map(\.isRead) == (0..<100).map { $0 % 3 == 0 })
    #expect(listing.map(\.index) == Array(0..<100))
    for index in 0..<100 {
      #expect(
        listing.article(at: index) == ((40..<60).contains(index) ? Self.article(index) : nil))
    }
  }

  @Test(arguments: 0..<50)
  func `the part that is loaded has the row, and the beginning of the list is loaded whole`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...9_000, using: &generator)
    let order = (0..<count).map { ArticleListing.Entry(Self.article($0).id, isRead: false) }
    let row = Int.random(in: 0..<count, using: &generator)
    let part = ArticleListing.part(of: order, around: order[row].id, beginning: 2_000)
    #expect(part.contains(row))
    #expect((0..<count).contains(part))
    #expect(part.lowerBound == 0 ? part.count == min(count, 2_000) : part.count <= 600)
    #expect(part.count == count || count > 2_000)
    let first = ArticleListing.part(of: order, around: nil, beginning: 2_000)
    #expect(first == 0..<min(count, 2_000))
    let gone = Article.ID(rawValue: 1_000_000)
    #expect(ArticleListing.part(of: order, around: gone, beginning: 2_000) == first)
  }

  @Test(arguments: 0..<50)
  func `wherever somebody goes in steps shorter than the margin, it is loaded before`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 2_001...9_000, using: &generator)
    let whole = listing(count, 0..<2_000)
    var (list, place, reads) = (whole, 0, 0)
    for _ in 0..<300 {
      let step = Int.random(in: -149...149, using: &generator)
      place = min(max(place + step, 0), count - 1)
      #expect(list.article(at: place) == Self.article(place))
      guard let ids = list.rowsToLoad(around: place) else { continue }
      reads += 1
      let numbers = ids.map { Int($0.rawValue) + 5 }
      #expect(numbers.contains(place) && numbers.count <= 600)
      list = whole.with(
        Dictionary(uniqueKeysWithValues: numbers.map { (Self.article($0).id, Self.article($0)) }))
      #expect(list.rowsToLoad(around: place) == nil)
    }
    #expect(reads < 300 / 2, "not with every step")
  }

  @Test func `lists are equal if their order and what is loaded of them are`() {
    #expect(listing(100, 0..<20) == listing(100, 0..<20))
    #expect(listing(100, 0..<20) != listing(100, 0..<21))
    #expect(listing(100, 0..<20) != listing(99, 0..<20))
    #expect(ArticleListing([Self.article(1)]) != ArticleListing([Self.article(1)], isWhole: false))
    var read = Self.article(1)
    read.isRead = true
    #expect(ArticleListing([Self.article(1)]) != ArticleListing([read]))
  }

  @Test func `the store reads the whole order, and the articles around a row`() async throws {
    let shelf = try Shelf()
    let titles = (0..<2_700).map { "\($0 * 7_919 % 2_700)" }
    try await shelf.put(titles, in: "beta")
    for order in ArticleOrder.allCases {
      let query = ArticleQuery(order: order)
      let all = try await shelf.store.articles(matching: query)
      #expect(all.count == 2_700)
      for place in [0, 1_000, 1_900, 2_699] {
        let listing = try await shelf.store.listing(matching: query, around: all[place].id)
        #expect(listing.map(\.id) == all.map(\.id))
        #expect(listing.article(at: place) == all[place])
        for index in listing.indices {
          if let article = listing.article(at: index) { #expect(article == all[index]) }
        }
      }
    }
    let all = try await shelf.store.articles(matching: ArticleQuery())
    let some = [all[2_600].id, Article.ID(rawValue: 999_999), all[3].id]
    #expect(try await shelf.store.articles(some) == [all[2_600], all[3]])
  }
}
