import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import Testing

@testable import Argyle
@testable import Articles

/// Tests of the search through all articles.
@MainActor
@Suite struct ArticleSearchTests {
  private let runtime = ManualRuntime()
  private let limits = Limits()

  private final class Limits: Sendable {
    let asked = Mutex<[Int]>([])
  }

  /// Returns a search that finds `count` articles.
  private func search(
    finding count: Int, counting: (@Sendable (String) async throws -> Int?)? = nil
  ) -> ArticleSearch {
    let source = SearchSource(
      find: { [limits] _, limit in
        limits.asked.withLock { $0.append(limit) }
        return .constant((1...count).prefix(limit).map(Self.result))
      }, count: counting ?? { _ in count })
    let search = ArticleSearch(source, clock: runtime.clock.any, scheduler: runtime.scheduler)
    search.begin()
    search.text = "wool"
    runtime.advance(by: .seconds(1))
    return search
  }

  private nonisolated static func result(_ number: Int) -> SearchResult {
    SearchResult(
      article: Article(
        id: id(number), feedID: Feed.ID(rawValue: 1), feedTitle: "Alpha", title: "\(number)"),
      title: .init(parts: []), snippet: .init(parts: []))
  }

  private nonisolated static func id(_ number: Int) -> Article.ID {
    Article.ID(rawValue: Int64(number))
  }

  @Test func `more is listed when the selection comes near to the end of what is listed`() {
    let search = search(finding: 700)
    #expect(search.found.count == 100)
    #expect(search.countWords == "100 of 700")
    search.selected = Self.id(50)
    runtime.run()
    #expect(search.found.count == 100)
    search.selected = Self.id(81)
    runtime.run()
    #expect(search.found.count == 500)
    #expect(search.countWords == "500 of 700")
    search.selected = Self.id(500)
    runtime.run()
    #expect(search.found.count == 700)
    #expect(search.countWords == "700 found")
    search.selected = Self.id(700)
    runtime.run()
    #expect(limits.asked.withLock { $0 } == [100, 500, 2500])
  }

  @Test(arguments: [(80, 24), (40, 15)])
  func `what the search index lacks is told beside what was found, and in place of nothing`(
    width: Int, height: Int
  ) throws {
    let gap = LibraryError.notIndexed(count: 2, isAll: true).message
    for found in [[], [Self.result(1)]] {
      let scene = Scene.program { source in
        source.search.find = { _, _ in .constant(found) }
        source.search.gap = { $0 == "wool" ? gap : nil }
      }
      let still = Still(scene, width, height)
      still.play(try KeyScript("@1 / w o o l @3"))
      let text = still.frame.text
      #expect(text.contains("search index does"), "\(text)")
      #expect(text.contains("Nothing was found.") == found.isEmpty)
      #expect(text.contains("Conditions") == found.isEmpty)
      still.end()
    }
  }

  @Test func `an open search is read again with the list behind it, and keeps the selected row`() {
    let count = Mutex(1)
    var source = DemoScript(.full).source
    source.search.find = { _, _ in
      Loader { _ in (1...count.withLock(\.self)).reversed().map(Self.result) }
    }
    let model = ReaderModel(source, runtime)
    model.openSearch()
    model.readAgain()
    runtime.run()
    #expect(model.search.found.isEmpty, "nothing is typed yet")
    model.search.text = "wool"
    runtime.advance(by: .seconds(1))
    model.search.selected = Self.id(1)
    count.withLock { $0 = 2 }
    model.readAgain()
    runtime.run()
    #expect(model.search.found.map(\.id) == [Self.id(2), Self.id(1)])
    #expect(model.search.selected == Self.id(1))
  }

  @Test func `the selected row stays where it is if it is not found again`() {
    let found = Mutex([1, 2, 3])
    var source = DemoScript(.full).source
    source.search.find = { _, _ in Loader { _ in found.withLock(\.self).map(Self.result) } }
    let model = ReaderModel(source, runtime)
    model.openSearch()
    model.search.text = "unread wool"
    runtime.advance(by: .seconds(1))
    model.search.selected = Self.id(1)
    found.withLock { $0 = [4, 2, 3] }
    model.readAgain()
    runtime.run()
    #expect(model.search.found.map(\.id) == [1, 4, 2, 3].map(Self.id))
  }

  @Test func `as many results as are listed are read again, and their number stays on the screen`()
  {
    let search = search(finding: 700)
    search.selected = Self.id(81)
    runtime.run()
    #expect(search.countWords == "500 of 700")
    search.readAgain()
    runtime.run()
    #expect(search.countWords == "500 of 700")
    #expect(limits.asked.withLock { $0 } == [100, 500, 500])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a reload reads an open search again once it has fetched the feeds`() async {
    let loads = ManualLoads<ArticleListing>()
    let searches = Mutex(0)
    var source = DemoScript(.full).source
    source.articles = { _ in loads.loader }
    source.beginning = { _ in .constant([]) }
    source.search.find = { _, _ in
      Loader { _ in
        searches.withLock { $0 += 1 }
        return [Self.result(1)]
      }
    }
    let model = ReaderModel(source, runtime)
    model.prepare()
    runtime.run()
    loads[0].succeed(ArticleListing([]))
    model.openSearch()
    model.search.text = "wool"
    runtime.advance(by: .seconds(1))
    #expect(searches.withLock(\.self) == 1)
    model.reload()
    runtime.run()
    #expect(searches.withLock(\.self) == 1)
    loads[1].succeed(ArticleListing([]))
    await runtime.run { searches.withLock(\.self) == 2 }
    loads.end()
  }

  @Test func `more is listed also while the matches are being counted, and asked for once`() {
    let counts = ManualCalls<String, Int?>()
    let search = search(finding: 700) { try await counts.call($0) }
    #expect(search.found.count == 100 && search.results.isLoading)
    search.selected = Self.id(100)
    search.selected = Self.id(99)
    runtime.run()
    #expect(search.found.count == 500)
    #expect(limits.asked.withLock { $0 } == [100, 500])
    search.selected = Self.id(500)
    runtime.run()
    #expect(search.countWords == "700 found")
  }

  @Test func `the selected row stays also when more is listed`() {
    let found = Mutex(1...700)
    var source = DemoScript(.full).source
    source.search.find = { _, limit in
      Loader { _ in found.withLock(\.self).prefix(limit).map(Self.result) }
    }
    let model = ReaderModel(source, runtime)
    model.openSearch()
    model.search.text = "unread wool"
    runtime.advance(by: .seconds(1))
    found.withLock { $0 = 1...89 }
    model.search.selected = Self.id(90)
    runtime.run()
    #expect(model.search.found.map(\.id) == (1...90).map(Self.id))
  }

  @Test func `nothing more is looked for where everything is listed`() {
    let search = search(finding: 100)
    #expect(search.countWords == "100 of 100")
    search.selected = Self.id(100)
    runtime.run()
    #expect(limits.asked.withLock { $0 } == [100])
  }
}
