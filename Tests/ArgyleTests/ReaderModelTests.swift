import Articles
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle

/// Tests of what the reader keeps while lists change.
@MainActor
@Suite struct ReaderModelTests {
  private let runtime = ManualRuntime()

  private func model(_ source: ArticleSource = DemoScript(.full).source) -> ReaderModel {
    ReaderModel(source, runtime)
  }

  private func feed(_ number: Int64) -> ReaderList {
    .feeds(.feed(Feed.ID(rawValue: number)))
  }

  @Test func `of many lists that were visited the newest are kept, and which row was selected`() {
    let model = model()
    weak var first = model.articles
    model.selectedArticle = Article.ID(rawValue: 7)
    for number in 1...100 { model.select(feed(Int64(number))) }
    runtime.run()
    #expect(first == nil)
    weak var latest = model.articles
    model.select(.unread)
    model.select(feed(100))
    #expect(latest === model.articles)
    model.select(.all)
    #expect(model.selectedArticle == Article.ID(rawValue: 7))
  }

  @Test func `what is chosen before the stored orders have come is laid over them`() {
    let loads = ManualLoads<ListArrangements>()
    let stored = Mutex<[ArrangementChange]>([])
    var source = DemoScript(.full).source
    source.arrangements = ArrangementStates(
      stored: loads.loader, store: { change in stored.withLock { $0.append(change) } })
    let model = model(source)
    model.prepare()
    runtime.run()
    model.select(feed(1))
    model.toggleOnlyUnread()
    runtime.run()
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true))
    #expect(stored.withLock(\.self) == [ArrangementChange(of: "feed 1", isOnlyUnread: true)])
    var arrangements = ListArrangements(ListArrangement(order: .title))
    arrangements["feed 1"] = ListArrangement(order: .oldest)
    // The first load began before the change was stored, so it is loaded again.
    loads[1].succeed(arrangements)
    runtime.run()
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true, order: .oldest))
    model.select(.all)
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true, order: .title))
    model.sortArticles()
    runtime.run()
    #expect(model.arrangement.order == .length)
    #expect(stored.withLock(\.last) == ArrangementChange(of: nil, order: .length))
  }

  @Test func `where the stored orders cannot be read, only what is chosen is stored`() {
    struct Unreadable: Error {}
    let stored = Mutex<[ArrangementChange]>([])
    var source = DemoScript(.full).source
    source.arrangements = ArrangementStates(
      stored: Loader { _ in throw Unreadable() },
      store: { change in stored.withLock { $0.append(change) } })
    let model = model(source)
    model.prepare()
    runtime.run()
    model.toggleGroups()
    model.toggleOnlyUnread()
    runtime.run()
    #expect(model.arrangement == ListArrangement(isOnlyUnread: true, isGrouped: true))
    #expect(
      stored.withLock(\.self) == [
        ArrangementChange(of: nil, isGrouped: true), ArrangementChange(of: nil, isOnlyUnread: true),
      ])
  }

  @Test func `the list is read again when copies of articles are joined or shown apart`() {
    let reads = Mutex(0)
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _ in
        reads.withLock { $0 += 1 }
        return ArticleListing([])
      }
    }
    let model = model(source)
    model.prepare()
    runtime.run()
    var settings = ReaderSettings()
    for (isJoined, measure, count) in [(false, 76, 2), (false, 60, 2), (true, 60, 3)] {
      (settings.joinsDuplicates, settings.measure) = (isJoined, measure)
      model.apply(settings)
      runtime.run()
      #expect(reads.withLock(\.self) == count)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a list that is shown while a mark is being stored is read again after it`() async {
    let (held, release) = AsyncStream<Void>.makeStream()
    let reads = Mutex(0)
    var source = DemoScript(.full).source
    source.marks.setStarred = { _, _ in for await _ in held {} }
    source.articles = { request in
      Loader { _ in
        if request.list == .starred { reads.withLock { $0 += 1 } }
        return ArticleListing([])
      }
    }
    let model = model(source)
    model.toggleStar(Article(1, title: "One"))
    model.select(.starred)
    model.articles.prefetch()
    await runtime.run { reads.withLock(\.self) == 1 }
    release.finish()
    await runtime.run { reads.withLock(\.self) == 2 }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what could not be written is said after another notice, too`() async {
    let model = model()
    let (writing, end) = AsyncStream<Void>.makeStream()
    model.write("The file was not saved.") {
      for await _ in writing {}
      return Notice(words: "Not saved.")
    }
    runtime.run()
    model.say("Copied.")
    runtime.run()
    end.finish()
    await runtime.run { (model.notice.latestValue ?? nil)?.words == "Not saved." }
  }

  @Test func `the unread article before is opened, at the first one the last of the list`() throws {
    var source = DemoScript(.full).source
    let articles = (1...4).map { number in
      Article(number, of: "Alpha", title: "\(number)", isRead: number == 2)
    }
    source.articles = { _ in .constant(ArticleListing(articles)) }
    let model = model(source)
    model.prepare()
    runtime.run()
    model.selectedArticle = articles[2].id
    var opened: [String?] = []
    for _ in 0..<4 {
      model.openPreviousUnread()
      runtime.run()
      opened.append(model.openArticle?.title)
      if opened == ["1", "4"] {
        #expect(model.notice.latestValue??.words == "From the end of the list.")
      }
    }
    #expect(opened == ["1", "4", "3", "3"])
    #expect(model.selectedArticle == articles[2].id)
    #expect(model.notice.latestValue??.words == "Nothing else is unread here.")
  }

  /// Selects the third of five articles, which leaves the list once it is gone.
  private func modelWithoutSelectedArticle() -> (ReaderModel, [Article], isGone: Lock<Bool>) {
    let all = (1...5).map { Article($0, title: "\($0)") }
    let isGone = Lock(false)
    var source = DemoScript(.full).source
    source.articles = { _ in
      Loader { _ in
        ArticleListing(isGone.withLock(\.self) ? all.filter { $0.id != all[2].id } : all)
      }
    }
    let model = model(source)
    model.prepare()
    runtime.run()
    model.selectedArticle = all[2].id
    #expect(model.selectedRow?.id == all[2].id)
    return (model, all, isGone)
  }

  @Test(.timeLimit(.minutes(10)))
  func `reading goes on below an article that has left the list`() async {
    let (model, all, isGone) = modelWithoutSelectedArticle()
    isGone.withLock { $0 = true }
    model.readAgain()
    await runtime.run { model.shownArticles?.count == 4 }
    #expect(model.selectedRow?.id == all[3].id)
    model.openNextUnread()
    #expect(model.openArticle?.title == "4")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a search does not change which row takes the place of an article that has left the list`()
    async
  {
    let (model, all, isGone) = modelWithoutSelectedArticle()
    model.openSearch()
    model.search.results.set(
      .loaded(
        ArticleSearch.Results(
          rows: [SearchResult(article: all[4], title: .init(parts: []), snippet: .init(parts: []))])
      ))
    model.selectedArticle = all[4].id
    #expect(model.selectedRow?.id == all[4].id)
    isGone.withLock { $0 = true }
    model.readAgain()
    await runtime.run { model.articles.latestValue?.count == 4 }
    model.search.isOpen = false
    #expect(model.selectedRow?.id == all[3].id)
  }

  @Test func `a folder or a feed that is as it was again is selected`() throws {
    let news = try #require(FeedFolder(["News"]))
    let alpha = Feed.ID(rawValue: 1)
    let summary = FeedSummary(
      feed: Feed(id: alpha, address: "a", title: "Alpha", folder: news), articleCount: 0)
    for (change, list) in [
      (LibraryChange(id: 1, kind: .removedFolder, folder: news), .feeds(.folder(news))),
      (LibraryChange(id: 1, kind: .movedFolder, folder: news), .feeds(.folder(news))),
      (LibraryChange(id: 1, kind: .arrangedFeed, feed: alpha), .feeds(.feed(alpha))),
      (LibraryChange(id: 1, kind: .removedFeed, feed: alpha), .feeds(.feed(alpha))),
      (LibraryChange(id: 1, kind: .starred, articles: [Article.ID(rawValue: 7)]), nil),
    ] as [(LibraryChange, ReaderList?)] {
      var source = DemoScript(.full).source
      source.feeds = .constant([summary])
      source.marks.undo = { change }
      let model = model(source)
      model.undo()
      runtime.run()
      model.tell(model.marks.latestValue?.undone)
      runtime.run()
      #expect(model.arrivedList == list)
    }
  }

  // MARK: Long lists

  private static func articles(_ range: Range<Int>) -> [Article] {
    range.map { number in
      Article(number, title: "Article \(number)")
    }
  }

  /// Returns a model whose lists yield their first articles at once.
  private func longModel(_ loads: ManualLoads<ArticleListing>) -> ReaderModel {
    var source = DemoScript(.full).source
    source.articles = { _ in loads.loader }
    let rows = Self.articles(0..<ArticleSource.beginning)
    source.beginning = { _ in .constant(rows) }
    return model(source)
  }

  @Test
  func `a long list begins with its first rows, and keys that are about all wait for the rest`()
    async
  {
    let loads = ManualLoads<ArticleListing>()
    let model = longModel(loads)
    model.articles.prefetch()
    runtime.run()
    #expect(model.articles.latestValue?.count == ArticleSource.beginning)
    #expect(model.articles.latestValue?.isWhole == false)
    #expect(model.selected?.id == Article.ID(rawValue: 0))
    model.markRead(.all)
    runtime.run()
    #expect(model.marks.latestValue?.swept == nil)
    #expect(model.isSaving)
    loads[0].succeed(ArticleListing(Self.articles(0..<3_000)))
    await runtime.run(until: { model.marks.latestValue?.swept != nil })
    #expect(model.articles.latestValue?.isWhole == true)
    #expect(model.marks.latestValue?.swept?.count == 3_000)
  }

  @Test func `what is above a row is above the one that was selected when the key was pressed`()
    async
  {
    let loads = ManualLoads<ArticleListing>()
    let model = longModel(loads)
    model.articles.prefetch()
    runtime.run()
    model.selectedArticle = Article.ID(rawValue: 3)
    model.markRead(.above)
    model.selectedArticle = Article.ID(rawValue: 8)
    loads[0].succeed(ArticleListing(Self.articles(0..<3_000)))
    await runtime.run(until: { model.marks.latestValue?.swept != nil })
    #expect(model.marks.latestValue?.swept?.count == 3)
  }

  @Test func `what was begun does not happen when the rest of a list cannot be read`() async {
    struct Unreadable: Error {}
    let loads = ManualLoads<ArticleListing>()
    let model = longModel(loads)
    model.articles.prefetch()
    runtime.run()
    model.markRead(.all)
    loads[0].fail(Unreadable())
    await runtime.run(until: { !model.isSaving })
    #expect(model.articles.latestValue?.count == ArticleSource.beginning)
    #expect(model.marks.latestValue?.swept == nil)
    #expect(!model.isSaving)
  }
}
